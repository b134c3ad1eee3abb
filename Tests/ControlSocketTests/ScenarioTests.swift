import ControlLanguage
import ControlSocket
import JSON
import Testing

/// What a client may rely on, the same in process and over the socket.
@Suite(.ownThread) struct ScenarioTests {
    @Test(arguments: Depth.allCases)
    func commandsAreAnsweredInOrder(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(
            #"{"jsonrpc":"2.0","id":1,"method":"playback.toggle"}"# + "\n"
                + #"{"jsonrpc":"2.0","id":2,"method":"playback.pause"}"# + "\n")
        link.playback.finish("toggle", .success("toggled"))
        #expect(try link.json() == ["jsonrpc": "2.0", "id": 1, "result": "toggled"])
        #expect(try link.json()["id"] == 2)
        #expect(link.playback.calls == ["toggle", "pause"])
    }

    @Test(arguments: Depth.allCases)
    func aLongCommandMayBeOvertaken(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(
            #"{"jsonrpc":"2.0","id":1,"method":"playback.play"}"# + "\n"
                + #"{"jsonrpc":"2.0","id":2,"method":"playback.pause"}"# + "\n")
        #expect(try link.json()["id"] == 2)
        link.playback.finish("play", .success("done"))
        #expect(try link.json() == ["jsonrpc": "2.0", "id": 1, "result": "done"])
    }

    @Test(arguments: Depth.allCases)
    func longCommandsAreBounded(depth: Depth) throws {
        let link = try makeLink(depth)
        let count = ControlSession.maximumLongCalls
        for _ in 0..<count { try link.send(#"{"jsonrpc":"2.0","id":1,"method":"playback.play"}"# + "\n") }
        #expect(try link.ask("playback.play", id: .string("over"))["error"]?["code"] == 5)
        for _ in 0..<count { link.playback.finish("play", .success(nil)) }
        for _ in 0..<count { #expect(try link.json()["result"] == .null) }
    }

    @Test(arguments: Depth.allCases)
    func aNotificationHasNoAnswer(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(#"{"jsonrpc":"2.0","method":"playback.pause"}"# + "\n")
        #expect(try link.ask("playback.stop", id: .integer(9))["id"] == 9)
        #expect(link.playback.calls == ["pause", "stop"])
    }

    @Test(arguments: Depth.allCases)
    func aBatchIsAnsweredAsOne(depth: Depth) throws {
        let link = try makeLink(depth)
        let text = """
            [{"jsonrpc":"2.0","id":1,"method":"playback.pause"},{"jsonrpc":"2.0","method":"playback.stop"},5,\
            {"jsonrpc":"2.0","id":2,"method":"playback.seek","params":{"time":3}},{"jsonrpc":"2.0","id":3,"method":"no.such"}]
            """
        try link.send(text + "\n")
        link.playback.finish("seek", .success(7))
        let answers = try #require(try link.json().arrayValue)
        try #require(answers.map { $0["id"] } == [1, .null, 2, 3])
        #expect(answers[0]["result"]?["state"] == "pause")
        #expect(answers[1]["error"]?["code"] == -32600)
        #expect(answers[2]["result"] == 7)
        #expect(answers[3]["error"]?["code"] == -32601)
    }

    @Test(arguments: Depth.allCases)
    func aBatchOfNotificationsHasNoAnswer(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(
            #"[{"jsonrpc":"2.0","method":"playback.pause"},{"jsonrpc":"2.0","method":"playback.stop"}]"# + "\n")
        #expect(try link.ask("playback.next")["result"]?["state"] == "next")
        #expect(link.playback.calls == ["pause", "stop", "next"])
    }

    @Test(arguments: Depth.allCases)
    func anAnswerThatIsLetGoIsAnError(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(#"{"jsonrpc":"2.0","id":1,"method":"playback.toggle"}"# + "\n")
        link.playback.drop("toggle")
        #expect(try link.json()["error"]?["code"] == -32603)
        #expect(try link.ask("playback.pause")["result"] != nil)
    }

    @Test(arguments: Depth.allCases)
    func aRefusalReachesItsCaller(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(#"{"jsonrpc":"2.0","id":"x","method":"playback.seek","params":["1:30"]}"# + "\n")
        link.playback.finish("seek", .failure(ControlError(.conflict, "nothing plays", hint: "play something")))
        #expect(
            try link.json() == [
                "jsonrpc": "2.0", "id": "x",
                "error": [
                    "code": 4, "message": "Conflict", "data": ["what": "nothing plays", "hint": "play something"],
                ],
            ])
    }

    @Test(arguments: Depth.allCases)
    func malformedLinesAreAnsweredAndForgotten(depth: Depth) throws {
        let link = try makeLink(depth)
        for text in ["{\n", "]\n", "{\"jsonrpc\":\"2.0\"\n"] {
            try link.send(text)
            let answer = try link.json()
            #expect(answer["id"] == .null)
            #expect(answer["error"]?["code"] == -32700)
        }
        try link.send("\n  \r\n\n")
        #expect(try link.ask("playback.pause")["result"] != nil)
    }

    @Test(arguments: Depth.allCases)
    func aLineMayComeInPieces(depth: Depth) throws {
        let link = try makeLink(depth)
        for piece in [#"{"jsonrpc":"2.0","#, #""id":1,"method":"play"#, "back.pau", "se\"}", "\n"] {
            try link.send(piece)
        }
        #expect(try link.json()["result"]?["state"] == "pause")
    }

    @Test(arguments: Depth.allCases)
    func permissionsAreChecked(depth: Depth) throws {
        let link = try makeLink(depth, permission: .read)
        #expect(try link.ask("playback.pause")["error"]?["code"] == 2)
        #expect(try link.ask("status.get")["result"]?["state"] == "playing")
        #expect(link.playback.calls.isEmpty)
    }

    @Test(arguments: Depth.allCases)
    func aConnectionNarrowsItselfForGood(depth: Depth) throws {
        let link = try makeLink(depth, permission: .control)
        #expect(try link.ask("session.restrict", ["permission": "admin"])["error"]?["code"] == 2)
        #expect(try link.ask("session.restrict", ["permission": "read"])["result"] == ["permission": "read"])
        #expect(try link.ask("playback.pause")["error"]?["code"] == 2)
        #expect(try link.ask("session.restrict", ["permission": "control"])["error"]?["code"] == 2)
        #expect(link.playback.calls.isEmpty)
    }

    @Test(arguments: Depth.allCases)
    func oneCallMayHaveLess(depth: Depth) throws {
        let link = try makeLink(depth, permission: .control)
        func callAs(_ permission: JSONValue, _ method: JSONValue, _ params: JSONValue? = nil) throws -> JSONValue {
            var all: JSONValue = ["permission": permission, "method": method]
            if let params, case .object(let members) = all { all = .object(members + [.init("params", params)]) }
            return try link.ask("session.as", all)
        }
        #expect(try callAs("read", "playback.pause")["error"]?["code"] == 2)
        #expect(try callAs("admin", "playback.pause")["error"]?["code"] == 2)
        #expect(try callAs("control", "playback.volume", ["level": 5])["result"] == ["volume": 5])
        #expect(try callAs("read", "session.restrict", ["permission": "read"])["error"]?["code"] == 3)
        #expect(try callAs("read", "status.subscribe")["error"]?["code"] == 3)
        #expect(try callAs("read", "no.such")["error"]?["code"] == -32601)
        #expect(try link.ask("playback.pause")["result"] != nil)
    }

    @Test(arguments: Depth.allCases)
    func sectionsWithoutAHandlerDoNotExist(depth: Depth) throws {
        let link = try makeLink(depth)
        #expect(try link.ask("feeds.list")["error"]?["code"] == -32601)
        let commands = try #require(try link.ask("server.commands")["result"]?["commands"]?.arrayValue)
        let names = commands.compactMap { $0["name"]?.stringValue }
        #expect(names.contains("playback.play") && names.contains("session.restrict"))
        #expect(!names.contains("feeds.list"))
        #expect(try link.ask("server.version")["result"] == ["server": "podcastd", "version": "1.2.3", "protocol": 1])
    }

    @Test(arguments: Depth.allCases)
    func subscribingAnswersWithTheParts(depth: Depth) throws {
        let link = try makeLink(depth)
        link.status.set(.queue, ["length": 3])
        #expect(
            try link.ask("status.subscribe", ["parts": ["queue"]])["result"]
                == ["seq": 0, "parts": ["queue": ["length": 3]]])
        let all = try link.ask("status.subscribe")["result"]?["parts"]
        #expect(StatusPart.allCases.allSatisfy { all?[$0.name] != nil })
        let others = StatusPart.allCases.filter { $0 != .player && $0 != .activities }.map { JSONValue.string($0.name) }
        #expect(
            try link.ask("status.unsubscribe", ["parts": .array(others)])["result"]
                == ["parts": ["player", "activities"]])
        #expect(try link.ask("status.unsubscribe")["result"] == ["parts": []])
        #expect(try link.ask("status.subscribe", ["parts": ["weather"]])["error"]?["code"] == 3)
    }
}
