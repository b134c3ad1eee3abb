import GatewayKit
import HTTPServing
import PodcastModel
import TestSupport
import Testing

@testable import WebGateway

struct PeersTests {
    private let key = PeerKey(name: "kitchen", secret: "a secret of some length")
    private let start = Instant(nanoseconds: 5_000_000_000)

    private func accepts(_ peers: Peers, created: Int64, now: Int64, after seconds: Int64) throws -> Bool {
        let digest = try #require(PeerKey.digest(of: []))
        let signature = try #require(
            key.signature(
                of: "POST", "/api/v1/status", digest: digest, PeerRequestParameters(key: "kitchen", created: created)))
        let request = HTTPRequest(
            "POST", "/api/v1/status",
            headers: [
                HTTPField("Signature-Input", signature.input), HTTPField("Signature", signature.value),
                HTTPField("Content-Digest", digest),
            ])
        let caller = try peers.identify(request, at: Timestamp(seconds: now), start + .seconds(seconds))
        return if case .peer = caller { true } else { false }
    }

    @Test func aRequestFromBeforeTheStartIsRefused() throws {
        let peers = Peers([key], at: start)
        try expectEqual(accepts(peers, created: 999, now: 1_010, after: 10), false)
        try expectEqual(accepts(peers, created: 1_000, now: 1_010, after: 10), true)
    }

    /// At the start the clock was an hour ahead.
    @Test func theStartFollowsAClockThatIsSet() throws {
        let peers = Peers([key], at: start)
        try expectEqual(accepts(peers, created: 4_605, now: 4_610, after: 10), true)
        try expectEqual(accepts(peers, created: 1_015, now: 1_020, after: 20), true)
        try expectEqual(accepts(peers, created: 999, now: 1_020, after: 20), false)
    }
}
