@testable import HTTP
import LoopbackServer
import Testing
import TestSupport

@Suite(.ownThread) struct HTTPMultiTests {
    private let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test func aBodyArrivesWhole() throws {
        let body = pattern(300_000)
        let endpoint = server.serve("/a.mp3", .resource(Resource(body)))
        let got = try fetch(endpoint.url)
        expectEqual(got.body, body)
        expectEqual(got.head?.status, 200)
        expectEqual(got.head?.contentLength, 300_000)
        expectEqual(got.head?.contentType, "audio/mpeg")
        let summary = try #require(try got.result?.get())
        expectEqual(summary.receivedBytes, 300_000)
    }

    @Test func headerNamesAreFoundInAnyCase() throws {
        let endpoint = server.serve(
            "/", .status(200, fields: [("X-MiXed", "  Yes "), ("X-Mixed", "second")], body: []))
        let head = try #require(try fetch(endpoint.url).head)
        expectEqual(head.headers["x-mixed"], "Yes")
        expectEqual(head.headers["x-other"], nil)
        #expect(head.headers.contains { $0.name == "x-mixed" && $0.value == "second" })
    }

    @Test func aFoldedHeaderLineContinuesTheOneBefore() throws {
        let endpoint = server.serve(
            "/", .raw(Array("HTTP/1.1 200 OK\r\nX-Long: one\r\n two\r\nContent-Length: 0\r\n\r\n".utf8)))
        let head = try #require(try fetch(endpoint.url).head)
        expectEqual(head.headers["x-long"], "one two")
    }

    @Test func theRequestSendsItsConditionsAndItsName() throws {
        let endpoint = server.serve("/feed.xml", .resource(Resource(pattern(10), etag: "W/\"x\"")))
        var request = HTTPRequest(endpoint.url)
        request.etag = "W/\"x\""
        request.lastModified = "Sat, 21 Nov 2026 07:00:00 GMT"
        request.headers = [("X-Test", "1")]
        let got = try fetch(request, settings: HTTPSettings(userAgent: "podcastd/1"))
        expectEqual(got.head?.status, 304)
        #expect(got.body.isEmpty)
        let logged = try #require(endpoint.requests.first)
        expectEqual(logged["if-none-match"], "W/\"x\"")
        expectEqual(logged["if-modified-since"], "Sat, 21 Nov 2026 07:00:00 GMT")
        expectEqual([logged["user-agent"], logged["x-test"]], ["podcastd/1", "1"])
        expectEqual(logged["accept-encoding"], "gzip")
    }

    @Test func anotherMethodIsSentWithItsBody() throws {
        let endpoint = server.serve("/control", .status(200, fields: [], body: []))
        var request = HTTPRequest(endpoint.url)
        (request.method, request.body, request.maximumRedirects) = (.other("SUBSCRIBE"), "<x/>", 0)
        expectEqual(try fetch(request).head?.status, 200)
        let logged = try #require(endpoint.requests.first)
        expectEqual([logged.method, logged["content-length"]], ["SUBSCRIBE", "4"])
        request.method = .other("GET / HTTP/1.1\r\nX:")
        expectEqual(try fetch(request).error?.kind, .invalidRequest)
    }

    @Test func gzipIsDecoded() throws {
        // `printf hello | gzip -n`
        let gzip: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let endpoint = server.serve("/", .resource(Resource(Array("hello".utf8), gzip: gzip)))
        let got = try fetch(endpoint.url)
        expectEqual(got.body, Array("hello".utf8))
        expectEqual(got.head?.headers["content-encoding"], "gzip")
        try expectEqual(got.result?.get().receivedBytes, Int64(gzip.count))
    }

    @Test func aRangeIsAskedForAndItsAnswerRead() throws {
        let body = pattern(1000)
        let endpoint = server.serve("/", .resource(Resource(body)))
        var request = HTTPRequest(endpoint.url)
        request.rangeStart = 100
        request.rangeEnd = 250
        let got = try fetch(request)
        expectEqual(got.head?.status, 206)
        expectEqual(got.head?.contentRange?.bytes, 100..<250)
        expectEqual(got.head?.contentRange?.total, 1000)
        expectEqual(got.body, Array(body[100..<250]))
        expectEqual(endpoint.requests.first?["range"], "bytes=100-249")
    }

    @Test func aHeadRequestHasNoBody() throws {
        let endpoint = server.serve("/", .resource(Resource(pattern(1000))))
        var request = HTTPRequest(endpoint.url)
        request.method = .head
        let got = try fetch(request)
        expectEqual(got.head?.contentLength, 1000)
        #expect(got.body.isEmpty)
        expectEqual(endpoint.requests.first?.method, "HEAD")
    }

    @Test func theConnectionIsReused() throws {
        let endpoint = server.serve("/", .resource(Resource(pattern(10))))
        let multi = try HTTPMulti()
        for _ in 0..<3 {
            let collector = Collector()
            multi.add(HTTPRequest(endpoint.url), delegate: collector)
            while collector.result == nil { try multi.poll() }
        }
        expectEqual(endpoint.requests.count, 3)
        expectEqual(server.acceptedConnections, 1)
    }

    @Test func manyConcurrentConnectionsAreAllReused() throws {
        let endpoint = server.serve("/", .resource(Resource(pattern(10))))
        let multi = try HTTPMulti()
        for _ in 0..<3 {
            let collectors = (0..<40).map { _ in Collector() }
            for collector in collectors { multi.add(HTTPRequest(endpoint.url), delegate: collector) }
            while multi.count > 0 { try multi.poll() }
            #expect(collectors.allSatisfy { $0.head?.status == 200 })
        }
        expectEqual(endpoint.requests.count, 120)
        #expect(server.acceptedConnections <= 40)
    }

    @Test func aDelegateMayStartARequestWhenATransferEnds() throws {
        final class Chain: HTTPTransferDelegate {
            let multi: HTTPMulti
            let url: String
            var left = 5
            init(_ multi: HTTPMulti, _ url: String) {
                self.multi = multi
                self.url = url
            }
            func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {}
            func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
                .proceed
            }
            func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
                left -= 1
                if left > 0 { multi.add(HTTPRequest(left == 2 ? "gopher://x/" : url), delegate: self) }
            }
        }
        let endpoint = server.serve("/", .resource(Resource(pattern(10))))
        let multi = try HTTPMulti()
        let chain = Chain(multi, endpoint.url)
        multi.add(HTTPRequest(endpoint.url), delegate: chain)
        while chain.left > 0 { try multi.poll() }
        expectEqual(endpoint.requests.count, 4)
        expectEqual(multi.count, 0)
    }

    @Test func aDelegateMayCancelInTheMiddleOfItsBody() throws {
        final class Canceller: HTTPTransferDelegate {
            var events: [String] = []
            func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) { events.append("head") }
            func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
                events.append("body")
                transfer.cancel()
                return .proceed
            }
            func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
                events.append("end")
            }
        }
        let endpoint = server.serve("/", .resource(Resource(pattern(500_000))))
        let multi = try HTTPMulti()
        let canceller = Canceller()
        multi.add(HTTPRequest(endpoint.url), delegate: canceller)
        while multi.count > 0 { try multi.poll() }
        expectEqual(canceller.events, ["head", "body"])
        #expect(server.waitForConnections(atMost: 0))
    }

    @Test func aWakeFromAnotherThreadEndsTheWait() throws {
        let multi = try HTTPMulti()
        let waker = multi.waker
        waker.wake()
        try multi.poll()
        expectEqual(multi.count, 0)
    }
}
