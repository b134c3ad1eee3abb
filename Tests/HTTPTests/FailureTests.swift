import HTTP
import LoopbackServer
import Testing
import TestSupport

@Suite(.ownThread) struct FailureTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    /// What comes of a request that the server answers so.
    private func fetched(_ answer: Answer, _ change: (inout HTTPRequest) -> Void = { _ in }) throws -> Collector {
        let endpoint = server.serve("/", answer)
        defer { withExtendedLifetime(endpoint) {} }
        var request = HTTPRequest(endpoint.url)
        change(&request)
        return try fetch(request)
    }

    @Test func aPortWithoutServerIsAConnectError() throws {
        let port = try RefusingPort()
        let error = try #require(try fetch(port.url("/x?token=secret")).error)
        expectEqual(error.kind, .connect)
        expectContains(error.message, "127.0.0.1")
        #expect(!error.message.contains("secret"))
    }

    @Test(arguments: ["http://", ""])
    func aProxyThatIsDownIsNamed(scheme: String) throws {
        let port = try RefusingPort()
        let proxy = scheme + port.url("").dropFirst("http://".count)
        let multi = try HTTPMulti(settings: HTTPSettings(proxy: proxy))
        let collector = Collector()
        multi.add(HTTPRequest("http://cast.example/"), delegate: collector)
        while multi.count > 0 { try multi.poll() }
        expectEqual(collector.error?.message, "cannot connect to the proxy 127.0.0.1: Connection refused")
    }

    @Test func aNameThatDoesNotExistIsAResolveError() throws {
        // RFC 6761: names under `invalid` never exist.
        try expectEqual(fetch("http://nowhere.invalid/").error?.kind, .resolve)
    }

    @Test func aNameThatDoesNotExistIsAResolveErrorWheneverItIsTried() throws {
        let multi = try HTTPMulti(settings: HTTPSettings(proxy: ""))
        for _ in 0..<3 {
            let collector = Collector()
            var request = HTTPRequest("http://nowhere.invalid/")
            request.bufferSize = 64 << 10
            multi.add(request, delegate: collector)
            while multi.count > 0 { try multi.poll() }
            expectEqual(collector.error?.kind, .resolve)
        }
    }

    @Test func aHeaderLineBeyondLibcurlsLimitIsTooLarge() throws {
        let field = (name: "X-Long", value: String(repeating: "x", count: 110_000))
        let error = try #require(try fetched(.status(200, fields: [field], body: [])).error)
        expectEqual(error.kind, .tooLarge)
        expectContains(error.message, "header line")
    }

    @Test func tlsToAServerWithoutItIsATLSError() throws {
        let endpoint = server.serve("/", .resource(Resource(pattern(10))))
        let error = try #require(try fetch(endpoint.url.replacingPrefix("http:", with: "https:")).error)
        expectEqual(error.kind, .tls)
    }

    @Test(arguments: [(.close(at: 500), .truncated), (.reset(at: 500), .connectionLost)] as [(Fault, HTTPError.Kind)])
    func aShortBodyIsPassedOnWithTheReasonOfItsEnd(fault: Fault, kind: HTTPError.Kind) throws {
        let got = try fetched(.resource(Resource(pattern(1000)), faults: [fault]))
        expectEqual(got.error?.kind, kind)
        expectEqual(got.body, Array(pattern(1000)[..<500]))
    }

    @Test func aShortChunkedBodyIsTruncated() throws {
        let kind = try fetched(.resource(Resource(pattern(1000)), faults: [.chunked, .close(at: 500)])).error?.kind
        #expect(kind == .truncated || kind == .connectionLost)
    }

    @Test func aSilentCloseIsALostConnection() throws {
        try expectEqual(fetched(.hangUp).error?.kind, .connectionLost)
    }

    @Test func anAnswerThatIsNotHTTPIsAProtocolError() throws {
        let error = try #require(try fetched(.raw(Array("220 mail.example ESMTP\r\n".utf8))).error)
        expectEqual(error.kind, .protocol)
    }

    @Test func aStallEndsAtItsLimit() throws {
        let gate = Gate()
        let got = try fetched(.resource(Resource(pattern(1000)), faults: [.stall(at: 500, .gate(gate))])) {
            // Long enough for a busy server to send what comes before the gate.
            $0.timeouts.stall = .seconds(10)
        }
        expectEqual(got.error, HTTPError(.timeout, "no data for 10 s"))
        expectEqual(got.body.count, 500)
    }

    @Test func aServerThatNeverAnswersEndsAtItsLimit() throws {
        let got = try fetched(.after(.gate(Gate()), .status(200))) { $0.timeouts.firstByte = .milliseconds(50) }
        expectEqual(got.error, HTTPError(.timeout, "no answer for 50 ms"))
    }

    @Test func theWholeTransferMayHaveALimit() throws {
        let got = try fetched(.resource(Resource(pattern(100_000)), faults: [.rate(10_000)])) {
            $0.timeouts.total = .milliseconds(100)
        }
        expectEqual(got.error?.kind, .timeout)
    }

    @Test func aHeaderBeyondTheLimitIsRefused() throws {
        let fields = (0..<100).map { (name: "X-\($0)", value: String(repeating: "x", count: 100)) }
        let got = try fetched(.status(200, fields: fields, body: [])) { $0.maximumHeaderBytes = 4096 }
        expectEqual(got.error?.kind, .tooLarge)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "\u{0}", "\u{7F}"])
    func aFieldValueCannotBeginAnotherLine(value: String) throws {
        let endpoint = server.serve("/", .status(200))
        var named = HTTPRequest(endpoint.url)
        named.headers = [("X-A", value)]
        var conditional = HTTPRequest(endpoint.url)
        conditional.etag = value
        var agent = HTTPRequest(endpoint.url)
        agent.userAgent = value
        for request in [named, conditional, agent] {
            try expectEqual(fetch(request).error?.kind, .invalidRequest)
        }
        #expect(endpoint.requests.isEmpty)
    }

    @Test func aUserAgentCannotBeginAnotherLine() {
        #expect(throws: HTTPError.self) { try HTTPMulti(settings: HTTPSettings(userAgent: "a\r\nX-Evil: 1")) }
    }

    @Test(arguments: ["X: Y\r\nZ", "", "X Y", "X:"])
    func aFieldNameMustBeAToken(name: String) throws {
        var request = HTTPRequest("http://127.0.0.1:1/")
        request.headers = [(name, "1")]
        try expectEqual(fetch(request).error?.kind, .invalidRequest)
    }

    @Test func aURLCannotBeginAnotherLine() throws {
        let endpoint = server.serve("/", .status(200))
        try expectEqual(fetch(endpoint.url + "?a HTTP/1.1\r\nX-Evil: 1").error?.kind, .invalidRequest)
        #expect(endpoint.requests.isEmpty)
    }
}
