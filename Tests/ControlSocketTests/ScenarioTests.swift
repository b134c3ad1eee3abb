import ControlLanguage
import JSON
import LineServing
import TestSupport
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
        try expectEqual(link.json(), ["jsonrpc": "2.0", "id": 1, "result": "toggled"])
        try expectEqual(link.json()["id"], 2)
        expectEqual(link.playback.calls, ["toggle", "pause"])
    }

    @Test(arguments: Depth.allCases)
    func aLongCommandMayBeOvertaken(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(
            #"{"jsonrpc":"2.0","id":1,"method":"playback.play"}"# + "\n"
                + #"{"jsonrpc":"2.0","id":2,"method":"playback.pause"}"# + "\n")
        try expectEqual(link.json()["id"], 2)
        link.playback.finish("play", .success("done"))
        try expectEqual(link.json(), ["jsonrpc": "2.0", "id": 1, "result": "done"])
    }

    @Test(arguments: Depth.allCases)
    func longCommandsAreBounded(depth: Depth) throws {
        let link = try makeLink(depth)
        let count = ControlSession.maximumLongCalls
        for _ in 0..<count { try link.send(#"{"jsonrpc":"2.0","id":1,"method":"playback.play"}"# + "\n") }
        try expectEqual(link.ask("playback.play", id: .string("over"))["error"]?["code"], 5)
        for _ in 0..<count { link.playback.finish("play", .success(nil)) }
        for _ in 0..<count { try expectEqual(link.json()["result"], .null) }
    }

    @Test(arguments: Depth.allCases)
    func aNotificationHasNoAnswerNorHasABatchOfThem(depth: Depth) throws {
        let link = try makeLink(depth)
        let notification = #"{"jsonrpc":"2.0","method":"playback.pause"}"#
        try link.send("\(notification)\n[\(notification),\(notification)]\n")
        try expectEqual(link.ask("playback.stop", id: .integer(9))["id"], 9)
        expectEqual(link.playback.calls, ["pause", "pause", "pause", "stop"])
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
        expectEqual(answers[0]["result"]?["state"], "pause")
        expectEqual(answers[1]["error"]?["code"], -32600)
        expectEqual(answers[2]["result"], 7)
        expectEqual(answers[3]["error"]?["code"], -32601)
    }

    @Test(arguments: Depth.allCases)
    func aRefusalReachesItsCaller(depth: Depth) throws {
        let link = try makeLink(depth)
        try link.send(#"{"jsonrpc":"2.0","id":"x","method":"playback.seek","params":["1:30"]}"# + "\n")
        link.playback.finish("seek", .failure(ControlError(.conflict, "nothing plays", hint: "play something")))
        try expectEqual(
            link.json(),
            [
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
            expectEqual(answer["id"], .null)
            expectEqual(answer["error"]?["code"], -32700)
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
        try expectEqual(link.json()["result"]?["state"], "pause")
    }

    @Test(arguments: Depth.allCases)
    func permissionsAreChecked(depth: Depth) throws {
        let link = try makeLink(depth, permission: .read)
        try expectEqual(link.ask("playback.pause")["error"]?["code"], 2)
        try expectEqual(link.ask("status.get")["result"]?["state"], "playing")
        #expect(link.playback.calls.isEmpty)
    }

    @Test(arguments: Depth.allCases)
    func aConnectionNarrowsItselfForGood(depth: Depth) throws {
        let link = try makeLink(depth, permission: .control)
        try expectEqual(link.ask("session.restrict", ["permission": "admin"])["error"]?["code"], 2)
        try expectEqual(link.ask("session.restrict", ["permission": "read"])["result"], ["permission": "read"])
        try expectEqual(link.ask("playback.pause")["error"]?["code"], 2)
        try expectEqual(link.ask("session.restrict", ["permission": "control"])["error"]?["code"], 2)
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
        try expectEqual(callAs("read", "playback.pause")["error"]?["code"], 2)
        try expectEqual(callAs("admin", "playback.pause")["error"]?["code"], 2)
        try expectEqual(callAs("control", "playback.volume", ["level": 5])["result"], ["volume": 5])
        try expectEqual(callAs("read", "session.restrict", ["permission": "read"])["error"]?["code"], 3)
        try expectEqual(callAs("read", "status.subscribe")["error"]?["code"], 3)
        try expectEqual(callAs("read", "no.such")["error"]?["code"], -32601)
        #expect(try link.ask("playback.pause")["result"] != nil)
    }

    @Test(arguments: Depth.allCases)
    func sectionsWithoutAHandlerDoNotExist(depth: Depth) throws {
        let link = try makeLink(depth)
        try expectEqual(link.ask("feeds.list")["error"]?["code"], -32601)
        let commands = try #require(try link.ask("server.commands")["result"]?["commands"]?.arrayValue)
        let names = commands.compactMap { $0["name"]?.stringValue }
        #expect(names.contains("playback.play") && names.contains("session.restrict"))
        #expect(!names.contains("feeds.list"))
        try expectEqual(
            link.ask("server.version")["result"], ["server": "podcastd", "version": "1.2.3", "protocol": 1])
    }

    @Test(arguments: Depth.allCases)
    func subscribingAnswersWithTheParts(depth: Depth) throws {
        let link = try makeLink(depth)
        link.stub.set(.queue, ["length": 3])
        try expectEqual(
            link.ask("status.subscribe", ["parts": ["queue"]])["result"], ["seq": 0, "parts": ["queue": ["length": 3]]])
        let all = try link.ask("status.subscribe")["result"]?["parts"]
        #expect(StatusPart.allCases.allSatisfy { all?[$0.rawValue] != nil })
        try expectEqual(link.ask("status.subscribe", ["parts": ["weather"]])["error"]?["code"], 3)
    }
}
