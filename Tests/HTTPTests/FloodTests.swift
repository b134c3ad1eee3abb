@testable import HTTP
import LoopbackServer
import MachineSupport
import Synchronization
import SystemCalls
import Testing
import TestSupport

/// A peer that sends bytes without content for as long as they are read.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct FloodTests {
    @Test func aFloodEndsAndOtherTransfersGoOn() throws {
        let peer = try FloodingPeer()
        let server = try LoopbackServer()
        let endpoint = server.serve("/", .resource(Resource(pattern(300_000))))
        let multi = try HTTPMulti(settings: HTTPSettings(proxy: ""))
        let (flooded, other) = (Collector(), Collector())
        var idle = patient(peer.url)
        idle.timeouts.stall = .seconds(5)
        multi.add(idle, delegate: flooded)
        while flooded.head == nil { try multi.poll() }
        multi.add(patient(endpoint.url), delegate: other)
        while multi.count > 0 { try multi.poll() }
        // On a busy machine the peer may be too slow to reach the limit of the connection; then the limit of the transfer holds.
        #expect(flooded.error != nil)
        expectEqual(other.body, pattern(300_000))
        #expect(peer.sentBytes < FloodingPeer.limit)
    }

    private func patient(_ url: String) -> HTTPRequest {
        var request = HTTPRequest(url)
        request.timeouts = .init(connect: .seconds(120), firstByte: .seconds(120), stall: .seconds(120))
        return request
    }

    @Test func aThreadThatIsFloodedStops() throws {
        let peer = try FloodingPeer()
        let http = HTTPThread(settings: HTTPSettings(proxy: ""))
        let (head, ended) = (Gate(), Gate())
        let collector = Collector(onHead: { head.open() }, onEnd: { ended.open() })
        http.start(patient(peer.url), delegate: collector)
        #expect(head.waitForArrival())
        http.stop()
        // On a busy machine `stop` returns before the thread has ended.
        #expect(ended.waitForArrival())
        #expect(collector.error != nil)
    }
}

/// A server that answers the first request with a chunk whose extension (RFC 9112, 7.1.1) does not end before the connection
/// does, or before the server has sent its limit.
private final class FloodingPeer: Sendable {
    static let limit = 4 << 30

    let url: String
    private let listener: LoopbackListener
    private let count = Mutex(0)

    /// Bytes sent so far. Once its transfer has ended it sends only what fits into the socket's buffers: the kernel may keep a
    /// connection that was shut down for another minute.
    var sentBytes: Int { count.withLock { $0 } }

    init() throws {
        listener = try LoopbackListener()
        url = "http://127.0.0.1:\(listener.port)/"
        try DedicatedThread(name: .test) { [self] in serve() }.detach()
    }

    deinit { listener.shutdown() }

    private func serve() {
        guard let connection = try? listener.accept() else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = try? buffer.withUnsafeMutableBytes { try StreamSocket.receive(connection.raw, into: $0) }
        var piece = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".utf8)
        while count.withLock({ $0 }) < Self.limit {
            guard (try? piece.withUnsafeBytes { try StreamSocket.send(connection.raw, $0) }) != nil else { return }
            count.withLock { $0 += piece.count }
            piece = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        }
    }
}
