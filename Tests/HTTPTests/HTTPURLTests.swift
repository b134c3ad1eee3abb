import HTTP
import LoopbackServer
import Testing
import TestSupport

@Suite(.ownThread) struct HTTPURLTests {
    @Test func spacesAndNonASCIILettersAreEncoded() throws {
        try expectEqual(HTTPURL.normalized("http://h/a b.mp3"), "http://h/a%20b.mp3")
        try expectEqual(HTTPURL.normalized(" https://h/x "), "https://h/x")
        try expectEqual(HTTPURL.normalized("http://h/x.mp3?a b#CBS 뮤직 FM"), "http://h/x.mp3?a+b")
        try expectEqual(HTTPURL.normalized("http://h/ü").lowercased(), "http://h/%c3%bc")
        let server = try LoopbackServer()
        let endpoint = server.serve("/a%20b.mp3", .status(200))
        try expectEqual(fetch(server.url("/a b.mp3")).head?.status, 200)
        expectEqual(endpoint.requests.count, 1)
    }

    @Test func theHostIsNamedInLowerCase() {
        expectEqual(HTTPURL.host(of: "https://Feeds.Example.ORG/x"), "feeds.example.org")
        #expect(HTTPURL.host(of: "nonsense") == nil || HTTPURL.host(of: "nonsense") == "nonsense")
    }

    @Test(
        arguments: [
            ("bytes 0-499/1234", 0, 500, 1234), ("bytes 5-5/*", 5, 6, nil), ("Bytes=0-9/10", 0, 10, 10),
        ] as [(String, Int64, Int64, Int64?)])
    func aContentRangeIsRead(field: String, start: Int64, end: Int64, total: Int64?) {
        let range = HTTPContentRange(field)
        expectEqual(range?.bytes, start..<end)
        expectEqual(range?.total, total)
    }

    @Test func anUnsatisfiedContentRangeHasATotal() {
        expectEqual(HTTPContentRange("bytes */1234")?.total, 1234)
        expectEqual(HTTPContentRange("bytes */1234")?.bytes, nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes -1-5/9", "bytes 0-/9", "bytes */*", "items 0-1/2",
        "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*",
    ])
    func aContentRangeThatMakesNoSenseIsNone(field: String) { expectEqual(HTTPContentRange(field), nil) }
}
