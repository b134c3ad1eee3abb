import Foundation
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import HTTPServing

@Suite struct HTTPServerTests {
    /// A server on this thread that keeps what it is asked.
    private final class Served {
        let path: String
        private(set) var server: HTTPServer?
        var exchanges: [HTTPExchange] = []
        /// Whether bodies are received.
        var admits = true
        var bodyBytes: Int?
        var answer: (HTTPExchange) -> Void = { $0.respond(HTTPResponse(200, body: Array("ok".utf8))) }

        init(_ limits: HTTPServer.Limits = HTTPServer.Limits()) throws {
            path = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString.prefix(8))").path
            server = try HTTPServer(listener: LocalSocket.listen(at: path, mode: 0o600), limits: limits) {
                [unowned self] in
                if !admits { return $0.respond(HTTPResponse(401)) }
                $0.receiveBody(atMost: bodyBytes) { [unowned self] in
                    exchanges.append($0)
                    answer($0)
                }
            }
        }

        deinit { unlink(path) }

        func connect() throws -> HTTPConversation { try HTTPConversation(path: path) { [self] in server?.run() } }
    }

    @Test func aRequestIsPassedOnWhole() throws {
        let served = try Served()
        let client = try served.connect()
        let answer = try client.ask("POST", "/a%20b?x=1&x=2&y", ["X-Test: yes"], body: "hello")
        #expect(answer.status == 200 && answer.text == "ok")
        let exchange = try #require(served.exchanges.first)
        #expect(exchange.request.method == "POST" && exchange.request.path == "/a b")
        expectEqual(exchange.request.query, [HTTPField("x", "1"), HTTPField("x", "2"), HTTPField("y", "")])
        expectContains(exchange.request.headers, HTTPField("X-Test", "yes"))
        expectEqual(exchange.request.body, Array("hello".utf8))
        #expect(exchange.request.isLocal && exchange.request.address.isEmpty)
    }

    @Test func aConnectionServesSeveralRequests() throws {
        let served = try Served()
        let client = try served.connect()
        for number in 1...3 {
            try expectEqual(client.ask("GET", "/\(number)").status, 200)
            expectEqual(served.exchanges.last?.request.path, "/\(number)")
        }
    }

    @Test func anAnswerMayComeLater() throws {
        let served = try Served()
        served.answer = { _ in }
        let client = try served.connect()
        try client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        while served.exchanges.isEmpty { served.server?.run() }
        let exchange = served.exchanges[0]
        exchange.respond(HTTPResponse(404, [HTTPField("X-Kind", "late")], body: Array("gone".utf8)))
        exchange.respond(HTTPResponse(200))
        let answer = try client.answer()
        #expect(answer.status == 404 && answer.text == "gone" && answer.header("X-Kind") == "late")
    }

    @Test func anAnswerForAClientThatHasGoneIsDropped() throws {
        let served = try Served()
        served.answer = { _ in }
        do {
            let client = try served.connect()
            try client.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            while served.exchanges.isEmpty { served.server?.run() }
        }
        served.exchanges[0].respond(HTTPResponse(200, body: [UInt8](repeating: 0, count: 1 << 20)))
        while !served.exchanges[0].isFinished { served.server?.run() }
    }

    @Test(arguments: [true, false])
    func aBodyThatIsTooLongIsRefused(_ isAnnounced: Bool) throws {
        let served = try Served()
        served.bodyBytes = 1000
        let client = try served.connect()
        let head = "POST / HTTP/1.1\r\nHost: x\r\n"
        let body = String(repeating: "x", count: 1500)
        if isAnnounced {
            try client.send(Array((head + "Content-Length: 1500\r\n\r\n").utf8))
        } else {
            try client.send(Array((head + "Transfer-Encoding: chunked\r\n\r\n5dc\r\n\(body)\r\n0\r\n\r\n").utf8))
        }
        try expectEqual(client.answer().status, 413)
        #expect(served.exchanges.isEmpty)
    }

    @Test func aHandlerMayReceiveALongerBody() throws {
        let served = try Served()
        served.bodyBytes = 3 << 20
        let body = String(repeating: "x", count: 3 << 20)
        try expectEqual(served.connect().ask("POST", "/", body: body).status, 200)
        expectEqual(served.exchanges.map(\.request.body.count), [3 << 20])
        let client = try served.connect()
        try client.send(Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count + 1)\r\n\r\n".utf8))
        try expectEqual(client.answer().status, 413)
    }

    @Test func headersThatAreTooLongAreRefused() throws {
        let served = try Served()
        let client = try served.connect()
        let answer = try client.ask("GET", "/", ["X-Long: " + String(repeating: "x", count: 40_000)])
        expectContains([413, 431], answer.status)
        #expect(served.exchanges.isEmpty)
    }

    @Test func aStreamSendsPiecesUntilItEnds() throws {
        let served = try Served()
        var stream: HTTPStream?
        served.answer = { stream = $0.stream(200, headers: [HTTPField("Content-Type", "text/event-stream")]) }
        let client = try served.connect()
        try client.send(Array("GET /events HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        while stream == nil { served.server?.run() }
        stream?.send(Array("one\n".utf8))
        try expectContains(client.text(upTo: "one\n"), "text/event-stream")
        stream?.send(Array("two\n".utf8))
        #expect(try client.text(upTo: "two\n").hasSuffix("two\n"))
        stream?.end()
        #expect(try client.text(upTo: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
        while stream?.isFinished == false { served.server?.run() }
    }

    @Test func aStreamWhoseClientHasGoneEndsWithTheNextPiece() throws {
        let served = try Served()
        var stream: HTTPStream?
        served.answer = { stream = $0.stream(200, headers: []) }
        do {
            let client = try served.connect()
            try client.send(Array("GET /events HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            while stream == nil { served.server?.run() }
        }
        for _ in 0..<1000 where stream?.isFinished == false {
            stream?.send([0x3A, 0x0A])
            served.server?.run()
        }
        expectEqual(stream?.isFinished, true)
    }

    @Test func aRequestMayBeRefusedBeforeItsBody() throws {
        let served = try Served()
        served.admits = false
        let client = try served.connect()
        try client.send(Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n".utf8))
        try expectEqual(client.answer().status, 401)
    }

    @Test func allBodiesTogetherHaveALimit() throws {
        var limits = HTTPServer.Limits()
        limits.allBodiesBytes = 100_000
        let served = try Served(limits)
        let body = String(repeating: "x", count: 90_000)
        let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n"
        let first = try served.connect()
        try first.send(Array((head + body.dropLast()).utf8))
        while try #require(served.server).heldBytes < 89_999 - 16_384 { served.server?.run() }
        let second = try served.connect()
        try second.send(Array((head + body).utf8))
        try expectEqual(second.answer().status, 503)
        let third = try served.connect()
        try expectEqual(third.ask("POST", "/", body: String(body.prefix(10_000))).status, 200, "a short one has room")
        try first.send([0x78])
        try expectEqual(first.answer().status, 200)
    }

    @Test func aRequestThatTakesTooLongEnds() throws {
        var limits = HTTPServer.Limits()
        limits.requestSeconds = 0
        let served = try Served(limits)
        let client = try served.connect()
        try client.send(Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx".utf8))
        #expect(throws: (any Error).self) { try client.answer() }
        #expect(served.exchanges.isEmpty)
    }

    @Test func theServerAnswersAgainAfterItsLimitOfConnections() throws {
        var limits = HTTPServer.Limits()
        (limits.connections, limits.connectionsPerAddress) = (20, 0)
        let served = try Served(limits)
        let server = try #require(served.server)
        for round in 1...50 {
            var clients = try (0..<25).map { _ in try served.connect() }
            while waitForDescriptors(readable: server.descriptor, until: .now + .milliseconds(1)) { server.run() }
            clients.removeAll()
            let last = try served.connect()
            try last.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            // The server runs only when it asks for a run, as in the program.
            let end = Instant.now + .seconds(60)
            while served.exchanges.count < round, Instant.now < end {
                _ = waitForDescriptors(
                    readable: server.descriptor, until: min(server.nextTimeout.map { .now + $0 } ?? end, end))
                server.run()
            }
            try #require(served.exchanges.count == round, "round \(round)")
        }
    }

    @Test func aQueryOfTooManyValuesIsAnsweredAtOnce() throws {
        let served = try Served()
        for (count, status) in [(HTTPServer.Limits.queryValues, 200), (51, 414), (200, 414), (1_000, 414)] {
            let query = Array(repeating: "a=1", count: count).joined(separator: "&")
            let client = try served.connect()
            try expectEqual(client.ask("GET", "/?" + query).status, status, "\(count) values")
        }
        expectEqual(served.exchanges.count, 1)
    }

    @Test func whatIsNoRequestIsRefused() throws {
        let served = try Served()
        let client = try served.connect()
        try client.send(Array("nonsense\r\n\r\n".utf8))
        #expect((try? client.answer().status).map { $0 >= 400 } ?? true)
        #expect(served.exchanges.isEmpty)
    }
}
