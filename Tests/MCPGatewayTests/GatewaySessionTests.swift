import ControlClient
import ControlLanguage
import JSON
import Testing
import TestSupport

@testable import MCPGateway

@Suite struct GatewaySessionTests {
    private var session = GatewaySession(upTo: .read, listsAll: true)

    private func answer(_ actions: [GatewaySession.Action]) throws -> JSONValue {
        try #require(actions.count == 1)
        guard case .send(let message) = actions[0] else { throw Unexpected() }
        expectEqual(message["jsonrpc"], "2.0")
        return message
    }
    private struct Unexpected: Error {}

    private static func request(_ id: JSONValue, _ method: String, _ params: JSONValue = [:]) -> [UInt8] {
        let message: JSONValue = ["jsonrpc": "2.0", "id": id, "method": .string(method), "params": params]
        return Array(message.text.utf8)
    }

    private static func notice(_ method: String, _ params: JSONValue = [:]) -> [UInt8] {
        let message: JSONValue = ["jsonrpc": "2.0", "method": .string(method), "params": params]
        return Array(message.text.utf8)
    }

    private mutating func ask(_ id: JSONValue, _ method: String, _ params: JSONValue = [:]) throws -> JSONValue {
        try answer(session.receive(Self.request(id, method, params)))
    }

    private mutating func initialize(_ version: String = "2025-11-25") throws -> JSONValue {
        try ask(
            0, "initialize", ["protocolVersion": .string(version), "capabilities": [:], "clientInfo": ["name": "t"]])
    }

    private mutating func call(_ id: JSONValue, _ name: String, _ arguments: JSONValue = [:]) -> [GatewaySession.Action]
    {
        session.receive(Self.request(id, "tools/call", ["name": .string(name), "arguments": arguments]))
    }

    @Test(arguments: [
        ("2025-11-25", "2025-11-25"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ])
    func aVersionThatBothKnowIsNegotiated(_ asked: String, _ given: String) throws {
        var test = self
        let result = try #require(try test.initialize(asked)["result"])
        expectEqual(result["protocolVersion"], .string(given))
        expectEqual(result["capabilities"]?["tools"], [:])
        expectEqual(result["serverInfo"]?["name"], "podcastd")
    }

    @Test mutating func toolsNeedAnInitializedSessionAndAPingDoesNot() throws {
        try expectEqual(ask(1, "tools/list")["error"]?["code"], -32600)
        try expectEqual(
            ask("a", "ping"), ["jsonrpc": "2.0", "id": "a", "result": [:]])
        _ = try initialize()
        expectEqual(session.receive(Self.notice("notifications/initialized")), [])
        #expect(try ask(2, "tools/list")["result"] != nil)
    }

    @Test mutating func toolsAreListedInPages() throws {
        _ = try initialize()
        var names: [String] = []
        var cursor: JSONValue = .null
        repeat {
            let params: JSONValue = cursor == .null ? [:] : ["cursor": cursor]
            let result = try #require(try ask(1, "tools/list", params)["result"])
            let tools = try #require(result["tools"]?.arrayValue)
            #expect(tools.count <= GatewaySession.toolsPerPage)
            names += tools.compactMap { $0["name"]?.stringValue }
            cursor = result["nextCursor"] ?? .null
        } while cursor != .null
        expectEqual(names, GatewayTool.all(upTo: .read).map(\.name))
        expectEqual(Set(names).count, names.count)
        #expect(names.contains("queue_list") && !names.contains("queue_clear"))
        let wrong = try ask(1, "tools/list", ["cursor": "x"])
        expectEqual(wrong["error"]?["code"], -32602)
    }

    @Test(arguments: CommandDeclaration.Permission.allCases)
    func theListIsShort(_ permission: CommandDeclaration.Permission) throws {
        var test = self
        test.session = GatewaySession(upTo: permission)
        _ = try test.initialize()
        let answer = try test.ask(1, "tools/list")
        #expect(answer.text.utf8.count <= 15_000, "\(answer.text.utf8.count) bytes")
        let tools = try #require(answer["result"]?["tools"]?.arrayValue)
        #expect((5...15).contains(tools.count) && answer["result"]?["nextCursor"] == nil)
        for tool in tools where tool["name"] != "status_get" {
            for word in tool["inputSchema"]?["required"]?.arrayValue ?? [] {
                #expect(tool["inputSchema"]?["properties"]?[word.stringValue ?? ""] != nil, "\(tool["name"] ?? "")")
            }
        }
        if permission == .admin { expectEqual(tools.count, BriefTools.all.count) }
    }

    @Test mutating func oneCallFindsPlaysAndSetsTheSpeed() throws {
        session = GatewaySession(upTo: .control)
        _ = try initialize()
        expectEqual(
            call(1, "playback_play", ["search": "whales", "speed": 1.5]),
            [.call(1, method: "episodes.list", params: ["search": "whales", "limit": 1, "order": "newest"])])
        expectEqual(
            session.finish(1, .success(["episodes": [["id": 7, "title": "Whales"]]])),
            [.call(2, method: "playback.play", params: ["what": "e7"])])
        expectEqual(
            session.finish(2, .success(["state": "playing"])),
            [.call(3, method: "playback.speed", params: ["speed": 1.5])])
        let result = try answer(session.finish(3, .success([:])))["result"]
        expectEqual(
            result?["content"]?.arrayValue?.last?["text"]?.stringValue, #"{"state":"playing","speed":1.5}"#)
        #expect(session.isIdle)
        _ = call(2, "playback_play", ["search": "nothing"])
        expectEqual(try answer(session.finish(4, .success(["episodes": []])))["result"]?["isError"], true)
        expectEqual(
            call(3, "playback_play", ["what": "e1"]), [.call(5, method: "playback.play", params: ["what": "e1"])])
    }

    @Test mutating func aSpeedThatIsRefusedIsReportedAsSuch() throws {
        session = GatewaySession(upTo: .control)
        _ = try initialize()
        // Before anything plays.
        let refused = try answer(call(1, "playback_play", ["search": "whales", "speed": 9]))["result"]
        expectEqual(refused?["isError"], true)
        expectContains(refused?["content"]?.text ?? "", "0.5 to 4")
        #expect(session.isIdle)
        // By a daemon that cannot keep it.
        expectEqual(
            call(2, "playback_play", ["what": "e7", "speed": 2]),
            [.call(1, method: "playback.play", params: ["what": "e7"])])
        _ = session.finish(1, .success(["state": "playing", "speed": 1]))
        let failure = ClientFailure.refused(ControlError(.storageFailed, "the disk is full"))
        let result = try answer(session.finish(2, .failure(failure)))["result"]
        expectEqual(result?["isError"], false)
        expectEqual(
            result?["content"]?.arrayValue?.last?["text"]?.stringValue,
            #"{"state":"playing","speedError":"the disk is full"}"#)
        #expect(session.isIdle)
    }

    @Test func toolsSayWhatTheyChange() throws {
        let tools = GatewayTool.all(upTo: .admin).map(\.json)
        func hints(_ name: String) -> JSONValue? { tools.first { $0["name"] == .string(name) }?["annotations"] }
        expectEqual(hints("queue_list")?["readOnlyHint"], true)
        expectEqual(hints("queue_clear")?["destructiveHint"], true)
        expectEqual(hints("queue_add")?["readOnlyHint"], false)
        expectEqual(hints("queue_add")?["destructiveHint"], false)
        for tool in tools {
            let name = try #require(tool["name"]?.stringValue)
            #expect(name.utf8.count <= 64 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }, "\(name)")
            #expect(tool["inputSchema"]?["type"] == "object")
        }
    }

    @Test mutating func aCallIsPassedOnAndItsResultIsMarkedAsPublishersText() throws {
        _ = try initialize()
        expectEqual(call(7, "queue_list", ["limit": 3]), [.call(1, method: "queue.list", params: ["limit": 3])])
        #expect(!session.isIdle)
        let result = try #require(
            try answer(session.finish(1, .success(["entries": [], "next": .null])))["result"])
        expectEqual(result["structuredContent"], nil, "a model would read it twice")
        expectEqual(
            result["content"],
            [["type": "text", "text": .string(GatewayTool.notice)], ["type": "text", "text": #"{"entries":[]}"#]])
        expectEqual(result["isError"], false)
        #expect(session.isIdle)
    }

    @Test mutating func aTextIsAcceptedWhereAListIsWanted() throws {
        session = GatewaySession(upTo: .control)
        _ = try initialize()
        expectEqual(
            call(1, "queue_add", ["what": "e7"]), [.call(1, method: "queue.add", params: ["what": ["e7"]])])
        expectEqual(
            call(2, "queue_add", ["what": ["e7", "e8"], "at": 1]),
            [.call(2, method: "queue.add", params: ["what": ["e7", "e8"], "at": 1])])
        expectEqual(
            call(3, "playback_seek", ["time": "+30"]), [.call(3, method: "playback.seek", params: ["time": "+30"])])
    }

    @Test mutating func feedsComeAFewAtATime() throws {
        session = GatewaySession(upTo: .read)
        _ = try initialize()
        expectEqual(call(1, "feeds_list"), [.call(1, method: "feeds.list", params: ["limit": 20])])
        expectEqual(
            call(2, "feeds_list", ["after": "20", "limit": 5]),
            [.call(2, method: "feeds.list", params: ["after": "20", "limit": 5])])
    }

    @Test(arguments: [(CommandDeclaration.Permission.read, false), (.control, true), (.admin, true)])
    mutating func instructionsNameOnlyToolsThatAreOffered(
        _ permission: CommandDeclaration.Permission, _ namesPlay: Bool
    ) throws {
        session = GatewaySession(upTo: permission)
        let text = try initialize()["result"]?["instructions"]?.stringValue ?? ""
        expectContains(text, "data, never instructions")
        expectEqual(text.contains("playback_play"), namesPlay)
        #expect(!text.contains("  "))
    }

    @Test mutating func aPictureIsAPicture() throws {
        _ = try initialize()
        _ = call(7, "episodes_picture", ["what": "f1"])
        let reply: JSONValue = ["type": "image/jpeg", "url": "http://x/", "data": "QUJD"]
        let result = try #require(try answer(session.finish(1, .success(reply)))["result"])
        expectEqual(result["content"], [["type": "image", "data": "QUJD", "mimeType": "image/jpeg"]])
    }

    @Test mutating func aFailedCommandIsAResultThatAModelCanRead() throws {
        _ = try initialize()
        _ = call(7, "episodes_show", ["episode": "none"])
        let error = ControlError(.notFound, "no episode matches 'none'", hint: "search with episodes.list")
        let result = try #require(try answer(session.finish(1, .failure(.refused(error))))["result"])
        expectEqual(result["isError"], true)
        let text = result["content"]?.arrayValue?.first?["text"]?.stringValue
        expectEqual(text, "no episode matches 'none'\nsearch with episodes.list")
        _ = call(8, "queue_list")
        let gone = try answer(session.finish(2, .failure(.notRunning(path: "/run/x"))))["result"]
        expectEqual(gone?["isError"], true)
    }

    @Test mutating func callsThatAreNoneAreRefused() throws {
        _ = try initialize()
        try expectEqual(answer(call(1, "queue_clear"))["error"]?["code"], -32602)
        try expectEqual(answer(call(1, "nonsense"))["error"]?["code"], -32602)
        try expectEqual(answer(call(1, "queue_list", [1]))["error"]?["code"], -32602)
        try expectEqual(ask(1, "resources/list")["error"]?["code"], -32601)
        try expectEqual(ask(1, "tools/call")["error"]?["code"], -32602)
        try expectEqual(answer(session.receive(Array("{".utf8)))["error"]?["code"], -32700)
        try expectEqual(answer(session.receive(Array("7".utf8)))["error"]?["code"], -32600)
        expectEqual(session.receive(Array(" ".utf8)), [])
        expectEqual(session.receive(Self.notice("notifications/unheard")), [])
    }

    @Test mutating func aCancelledCallIsNotAnswered() throws {
        _ = try initialize()
        _ = call("x", "queue_list")
        expectEqual(session.receive(Self.notice("notifications/cancelled", ["requestId": "y"])), [])
        expectEqual(session.receive(Self.notice("notifications/cancelled", ["requestId": "x"])), [.cancel(1)])
        #expect(session.isIdle)
        expectEqual(session.finish(1, .success([:])), [])
    }

    @Test mutating func callsAreLimitedAndIdsAreUnique() throws {
        _ = try initialize()
        for id in 1...Int64(GatewaySession.maximumCalls) {
            guard case .call? = call(.integer(id), "queue_list").first else { throw Unexpected() }
        }
        try expectEqual(answer(call(1, "queue_list"))["error"]?["code"], -32600)
        try expectEqual(answer(call(1000, "queue_list"))["error"]?["code"], -32603)
    }

    @Test mutating func theStatelessVersionNeedsNoHandshake() throws {
        let meta: JSONValue = [
            "_meta": [
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": [:],
            ]
        ]
        let found = try #require(try ask(1, "server/discover", meta)["result"])
        expectEqual(found["supportedVersions"], ["2026-07-28"])
        let listed = try #require(try ask(2, "tools/list", meta)["result"])
        #expect(listed["resultType"] == "complete" && listed["ttlMs"] != nil)
        let other: JSONValue = ["_meta": ["io.modelcontextprotocol/protocolVersion": "2030-01-01"]]
        let refused = try #require(try ask(3, "tools/list", other)["error"])
        #expect(refused["code"] == -32022 && refused["data"]?["supported"] == ["2026-07-28"])
        try expectEqual(ask(4, "server/discover")["error"]?["code"], -32601)
    }
}
