import HTTP
import LoopbackServer
import Testing
import TestSupport

/// What a server may make the decoder of a body do.
@Suite(.ownThread) struct ContentCodingTests {
    /// `printf hello | gzip -n`
    private let gzip: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0,
    ]
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func publish(
        _ fields: [(name: String, value: String)], _ body: [UInt8], status: Int = 200
    ) -> LoopbackServer.Endpoint { server.serve("/", .status(status, fields: fields, body: body)) }

    private func medium(_ endpoint: LoopbackServer.Endpoint) -> HTTPRequest {
        var request = HTTPRequest(endpoint.url)
        request.contentCoding = .identity
        return request
    }

    @Test(arguments: ["gzip", "br", "zstd, gzip", "compress"])
    func aCompressedMediumIsRefusedBeforeItsBody(coding: String) throws {
        let endpoint = publish([("Content-Encoding", coding)], gzip)
        let got = try fetch(medium(endpoint))
        expectEqual(got.error?.kind, .coding)
        expectEqual(got.error?.message.contains("Content-Encoding: \(coding.split(separator: ",")[0])"), true)
        #expect(got.head == nil && got.body.isEmpty)
        expectEqual(endpoint.requests.first?["accept-encoding"], "identity")
    }

    @Test(arguments: ["identity", "Identity", "none", "", "utf-8", "aws-chunked"])
    func aMediumWithoutCodingIsTaken(coding: String) throws {
        let endpoint = publish([("Content-Encoding", coding)], gzip)
        try expectEqual(fetch(medium(endpoint)).body, gzip)
    }

    @Test func aCompressedErrorPageDoesNotHideItsStatus() throws {
        let endpoint = publish([("Content-Encoding", "br")], gzip, status: 404)
        for request in [medium(endpoint), HTTPRequest(endpoint.url)] {
            let got = try fetch(request)
            #expect(got.head?.status == 404 && got.error == nil && got.body.isEmpty)
        }
    }

    @Test(arguments: [["gzip, gzip"], ["gzip", "gzip"], ["zstd, gzip, gzip, gzip"], ["identity", "gzip,deflate"]])
    func aFeedMayHaveOneCodingAndNoMore(lines: [String]) throws {
        let endpoint = publish(lines.map { ("Content-Encoding", $0) }, gzip)
        let got = try fetch(endpoint.url)
        expectEqual(got.error?.kind, .coding)
        #expect(got.head == nil && got.body.isEmpty)
    }

    @Test(arguments: ["br", "zstd", "compress"])
    func aCodingThatWasNotOfferedIsRefused(coding: String) throws {
        let endpoint = publish([("Content-Encoding", coding)], gzip)
        try expectEqual(fetch(endpoint.url).error?.kind, .coding)
        expectEqual(endpoint.requests.first?["accept-encoding"], "gzip")
    }

    @Test(arguments: ["aws-chunked", "UTF-8", "utf-8, binary"])
    func aCodingThatIsNoCompressionIsTakenForNone(coding: String) throws {
        let endpoint = publish([("Content-Encoding", coding)], gzip)
        let got = try fetch(endpoint.url)
        #expect(got.head?.status == 200 && got.body == gzip && got.error == nil)
        expectEqual(endpoint.requests.map { $0["accept-encoding"] }, ["gzip", "identity"])
    }

    @Test(arguments: ["gzip, chunked", "gzip"])
    func aTransferCodingIsRefused(coding: String) throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n"
        let endpoint = server.serve("/", .raw(Array(head.utf8) + gzip))
        for request in [medium(endpoint), HTTPRequest(endpoint.url)] {
            let got = try fetch(request)
            #expect(got.error?.kind == .coding && got.head == nil)
        }
    }

    @Test func inputWithoutOutputCountsAgainstTheLimit() throws {
        let emptyBlocks = [[UInt8]](repeating: [0, 0, 0, 0xFF, 0xFF], count: 100_000).flatMap { $0 }
        let endpoint = publish([("Content-Encoding", "gzip")], gzip.prefix(10) + emptyBlocks)
        var request = HTTPRequest(endpoint.url)
        request.maximumUndeliveredBytes = 100_000
        let got = try fetch(request)
        expectEqual(got.error?.kind, .coding)
        expectEqual(got.error?.message.contains("only 0 came out"), true)
    }

    @Test func bodiesOfRedirectsCountAgainstTheLimit() throws {
        let fields = [(name: "Location", value: "/there")]
        let away = server.serve("/away", .status(302, fields: fields, body: pattern(300_000)))
        _ = server.serve("/there", .status(200))
        var request = HTTPRequest(away.url)
        request.maximumUndeliveredBytes = 100_000
        try expectEqual(fetch(request).error?.kind, .coding)
    }
}
