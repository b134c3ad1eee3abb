import GatewayKit
import PodcastModel
import TestSupport
import Testing

@Suite struct PeerKeyTests {
    private let key = PeerKey(name: "laptop", secret: "00112233445566778899aabb")

    private func sign() throws -> PeerKey.Signature {
        let digest = try #require(PeerKey.digest(of: []))
        let parameters = PeerRequestParameters(key: "laptop", created: 1_800_000_000)
        return try #require(key.signature(of: "POST", "/api/v1/status/get", digest: digest, parameters))
    }

    @Test func anAnswerTellsItsTimeOnlyIfTheKeyIsRight() throws {
        let request = try sign()
        let digest = PeerKey.digest(of: Array("{}".utf8))
        let answer = try #require(key.signature(ofAnswer: 200, digest: digest, at: 1_800_000_007, to: request))
        expectEqual(key.time(ofAnswer: 200, digest: digest, to: request, answer), 1_800_000_007)
        expectEqual(key.time(ofAnswer: 401, digest: digest, to: request, answer), nil)
        expectEqual(key.time(ofAnswer: 200, digest: PeerKey.digest(of: []), to: request, answer), nil)
        try expectEqual(key.time(ofAnswer: 200, digest: digest, to: sign(), answer), nil, "of another request")
        let other = PeerKey(name: "laptop", secret: "ffffffffffffffffffffffff")
        expectEqual(other.time(ofAnswer: 200, digest: digest, to: request, answer), nil)
        for input in ["", "podcastd=();created=-5", "podcastd=();created=99999999999999999999", ";created=;created="] {
            let odd = PeerKey.Signature(input: input, value: answer.value)
            expectEqual(key.time(ofAnswer: 200, digest: digest, to: request, odd), nil)
        }
    }

    @Test(arguments: [
        "", ";;;;", "podcastd=(\"@method\");created=x;nonce=\"a\";keyid=\"b\";alg=\"c\"",
        String(repeating: ";", count: 9_000),
    ])
    func whatIsNoSignatureIsNotRead(header: String) { #expect(PeerRequestParameters(header: header) == nil) }
}
