internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import PodcastModel

/// A request that a paired podcastd has signed.
struct PeerRequest: Equatable, CustomStringConvertible {
    fileprivate let key: PeerKey
    fileprivate let signature: PeerKey.Signature
    fileprivate let digest: String

    var description: String { "peer \(key.name)" }

    /// - Throws: 403 for a request of another kind than a peer may send.
    func check(_ plan: WebPlan, _ request: HTTPRequest) throws(WebProblem) {
        switch plan {
        case .events: return
        case .command(let command) where Self.commands.contains(command.declaration.name) && request.query.isEmpty:
            return
        default:
            throw WebProblem(
                403, "Forbidden", "a paired podcastd may synchronize and hand playback over, and nothing else")
        }
    }

    /// The commands of a synchronization and of a hand-over.
    private static let commands: Set<String> = [
        ListChanges.name, ApplyChanges.name, GetStatus.name, ShowEpisode.name, Play.name, Seek.name,
    ]

    func check(_ body: [UInt8]) throws(WebProblem) {
        if PeerKey.digest(of: body) != digest { throw .badRequest("the body is not the one that was signed") }
    }

    /// - Parameter body: nil for a stream.
    func headers(status: Int, body: [UInt8]?) -> [HTTPField] {
        let digest = body.flatMap(PeerKey.digest)
        guard let answer = key.signature(ofAnswer: status, digest: digest, to: signature) else { return [] }
        return [HTTPField("Signature-Input", answer.input), HTTPField("Signature", answer.value)]
            + (digest.map { [HTTPField("Content-Digest", $0)] } ?? [])
    }
}

/// The podcastds that are paired with this one. One thread.
final class Peers {
    /// A request is refused if its time differs by more seconds from the clock here.
    private static let window: Int64 = 300
    /// Requests within the window, which is a hundred times as many as two podcastds need.
    private static let mostRequests = 30_000

    private let keys: [PeerKey]
    /// Requests that were answered, with their times, so that nobody can send one again.
    private var answered: [String: Int64] = [:]

    init(_ keys: [PeerKey]) { self.keys = keys }

    /// - Returns: nil for a request without a signature.
    func identify(_ request: HTTPRequest, at now: Timestamp) throws(WebProblem) -> PeerRequest? {
        guard let input = request.header("Signature-Input") else { return nil }
        guard let (name, parameters) = PeerRequestParameters.read(input) else {
            throw .unauthorized("the signature cannot be read")
        }
        let seconds = now.milliseconds / 1000
        let range = seconds - Self.window...seconds + Self.window
        guard range.contains(parameters.created) else {
            throw .unauthorized("the clocks of both machines differ, or the request is an old one")
        }
        let signature = PeerKey.Signature(input: input, value: request.header("Signature") ?? "")
        let digest = request.header("Content-Digest") ?? ""
        guard let key = keys.first(where: { $0.name == name }),
            key.signature(of: request.method, request.path, digest: digest, parameters) == signature
        else { throw .unauthorized("no podcastd '\(name.prefix(60))' with this key is paired") }
        answered = answered.filter { range.contains($0.value) }
        guard answered.count < Self.mostRequests else { throw .tooManyLogins(wait: Int(Self.window)) }
        guard answered.updateValue(parameters.created, forKey: "\(name) \(parameters.nonce)") == nil else {
            throw .unauthorized("this request was sent before")
        }
        return PeerRequest(key: key, signature: signature, digest: digest)
    }
}
