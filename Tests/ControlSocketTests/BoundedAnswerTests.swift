import ControlLanguage
import JSON
import LineServing
import TestSupport
import Testing

/// Every line of the server has at most 1 MiB, whatever is asked for.
@Suite(.ownThread) struct BoundedAnswerTests {
    private static func batch(_ count: Int, id: (Int) -> JSONValue = { .integer(Int64($0)) }) -> String {
        let requests = (0..<count).map { number -> JSONValue in
            ["jsonrpc": "2.0", "id": id(number), "method": "status.get"]
        }
        return JSONValue.array(requests).text + "\n"
    }

    @Test func aBatchIsAnsweredAsFarAsItFitsWithErrorsForTheRest() throws {
        let test = try TestServer(reply: ["filler": .string(String(repeating: "x", count: 100_000))])
        let link = try SocketLink(test)
        try link.send(Self.batch(100))
        let line = try link.line()
        #expect(line.utf8.count < Outgoing.maximumLine)
        let answers = try #require(try JSONValue(parsing: line).arrayValue)
        expectEqual(answers.map { $0["id"] }, (0..<100).map { .integer($0) })
        let results = answers.filter { $0["result"] != nil }
        #expect(results.count >= 5 && results.count < 11)
        for answer in answers where answer["result"] == nil { expectEqual(answer["error"]?["code"], 4) }
        #expect(try link.ask("playback.pause")["result"] != nil)
    }

    @Test func aBatchOfRequestsWithLongIDsStaysWithinALine() throws {
        let test = try TestServer(reply: ["filler": .string(String(repeating: "x", count: 100_000))])
        let link = try SocketLink(test)
        let longest = String(repeating: "\u{1}", count: Request.maximumIDBytes)
        try link.send(Self.batch(100) { _ in .string(longest) })
        let line = try link.line()
        #expect(line.utf8.count < Outgoing.maximumLine)
        try expectEqual(JSONValue(parsing: line).arrayValue?.count, 100)
    }

    @Test func anIDThatIsTooLongIsNotRepeated() throws {
        let link = try SocketLink(try TestServer())
        try link.send(Self.batch(2) { .string(String(repeating: "x", count: 257 + $0 * 400_000)) })
        let answers = try #require(try link.json().arrayValue)
        expectEqual(answers.map { $0["id"] }, [.null, .null])
        expectEqual(answers.map { $0["error"]?["code"] }, [-32600, -32600])
    }

    @Test func anAnswerWithALongTextIsGivenWithThatTextShortened() throws {
        let test = try TestServer(
            reply: ["state": "playing", "link": .string("data:" + String(repeating: "\u{1}", count: 1_000_000))])
        let line = try SocketLink(test)
        try line.send(Self.batch(1).dropFirst().dropLast(2) + "\n")
        let text = try line.line()
        #expect(text.utf8.count < Outgoing.maximumLine)
        let result = try JSONValue(parsing: text)["result"]
        expectEqual(result?["state"], "playing")
        let link = try #require(result?["link"]?.stringValue)
        #expect(link.hasPrefix("data:") && link.hasSuffix("…"))
    }

    @Test func anAnswerThatIsTooLongWithoutTextsIsAnError() throws {
        let test = try TestServer(reply: .array(Array(repeating: .integer(.max), count: 60_000)))
        try expectEqual(SocketLink(test).ask("status.get")["error"]?["code"], 4)
    }

    @Test func anEventWithALongTextStaysWithinALine() throws {
        let test = try TestServer()
        let link = try SocketLink(test)
        _ = try link.ask("status.subscribe", ["parts": ["player"]])
        test.status.set(.player, ["title": .string(String(repeating: "\"", count: 3_000_000)), "state": "playing"])
        test.server.publish(.player)
        let line = try link.line()
        #expect(line.utf8.count < Outgoing.maximumLine)
        try expectEqual(JSONValue(parsing: line)["params"]?["value"]?["state"], "playing")
    }
}
