@testable import HTTP
import LoopbackServer
import Testing
import TestSupport

/// Peers that send frames without content for as long as they are read.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct FloodTests {
    /// WINDOW_UPDATE, PRIORITY, empty DATA, and a kind that RFC 9113 does not know (4.1: ignored).
    static let floods = [
        FloodingPeer.Frame(kind: 8, payload: [0, 0, 0, 1]),
        FloodingPeer.Frame(kind: 2, stream: 1, payload: [0, 0, 0, 0, 1]),
        FloodingPeer.Frame(kind: 0, stream: 1),
        FloodingPeer.Frame(kind: 0xC, payload: [0, 5, 0x68]),
    ]

    private func settings() -> HTTPSettings {
        var settings = HTTPSettings(proxy: "")
        settings.assumesHTTP2 = true
        return settings
    }

    @Test(arguments: floods)
    func aFloodEndsAndOtherTransfersGoOn(flood: FloodingPeer.Frame) throws {
        let peer = try FloodingPeer(flood)
        let server = try LoopbackServer()
        let endpoint = server.serve("/", .resource(Resource(pattern(300_000))))
        let multi = try HTTPMulti(settings: settings())
        let (flooded, other) = (Collector(), Collector())
        var idle = HTTPRequest(peer.url)
        idle.timeouts.stall = .seconds(5)
        multi.add(idle, delegate: flooded)
        while flooded.head == nil { try multi.poll() }
        var request = HTTPRequest(endpoint.url)
        request.allowsHTTP2 = false
        multi.add(request, delegate: other)
        while multi.count > 0 { try multi.poll() }
        // On a busy machine the peer may be too slow to hold a round up; then the limit of the transfer holds.
        #expect(flooded.error?.kind == .protocol || flooded.error?.kind == .timeout)
        expectEqual(other.body, pattern(300_000))
        #expect(peer.sentBytes < FloodingPeer.limit)
    }

    @Test func aThreadThatIsFloodedStops() throws {
        let peer = try FloodingPeer(Self.floods[0])
        let http = HTTPThread(settings: settings())
        let (head, ended) = (Gate(), Gate())
        let collector = Collector(onHead: { head.open() }, onEnd: { ended.open() })
        http.start(HTTPRequest(peer.url), delegate: collector)
        #expect(head.waitForArrival())
        http.stop()
        // On a busy machine `stop` returns before the thread has ended.
        #expect(ended.waitForArrival())
        #expect(collector.error != nil)
        #expect(peer.sentBytes < FloodingPeer.limit)
    }
}
