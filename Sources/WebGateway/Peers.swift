internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTPServing
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// A request that a paired podcastd has signed.
struct PeerRequest: Equatable, CustomStringConvertible {
    fileprivate let key: PeerKey
    fileprivate let signature: PeerKey.Signature
    fileprivate let digest: String

    var description: String { "peer \(key.name)" }

    /// - Throws: 403 for a request of another kind than a peer may send.
    func check(_ plan: WebPlan, _ request: HTTPRequest) throws(WebProblem) {
        switch plan {
        case .events(let parts) where Self.parts.isSuperset(of: parts): return
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

    /// The parts of the status that podcast-sync needs.
    private static let parts: Set<StatusPart> = [.episodes, .feeds, .queue, .playlists, .rules, .settings]

    func check(_ body: [UInt8]) throws(WebProblem) {
        if PeerKey.digest(of: body) != digest { throw .badRequest("the body is not the one that was signed") }
    }

    /// Only the URL of a file may be played, on a host that others may name.
    func parameters(_ given: JSONValue?, of command: WebCommand) -> JSONValue? {
        guard command.declaration.name == Play.name else { return given }
        var members: [JSONValue.Member] = []
        if case .object(let all)? = given { members = all.filter { $0.name != "peer" } }
        return .object(members + [JSONValue.Member("peer", true)])
    }

    /// - Parameter body: nil for a stream.
    func headers(status: Int, body: [UInt8]?) -> [HTTPField] {
        let digest = body.flatMap(PeerKey.digest)
        let now = Timestamp.now.milliseconds / 1000
        guard let answer = key.signature(ofAnswer: status, digest: digest, at: now, to: signature) else { return [] }
        return [HTTPField("Signature-Input", answer.input), HTTPField("Signature", answer.value)]
            + (digest.map { [HTTPField("Content-Digest", $0)] } ?? [])
    }
}

/// The podcastds that are paired with this one. One thread.
final class Peers {
    enum Caller {
        /// The request has no signature.
        case other
        case peer(PeerRequest)
        /// The key is right and the time is not: the clocks differ, or somebody sends an old request. The answer is signed, so that
        /// the peer can correct its time.
        case late(PeerRequest)
    }

    /// A request is refused if its time differs by more seconds from the clock here.
    private static let window: Int64 = 300
    /// Requests of a peer within the window, which is a hundred times as many as it needs.
    private static let mostRequests = 30_000

    private let keys: [PeerKey]
    /// Requests from before may have been answered.
    private let start: Instant
    /// Requests of each peer that were answered, with their times, so that nobody can send one again.
    private var answered: [String: [String: Int64]] = [:]

    init(_ keys: [PeerKey], at start: Instant) {
        self.keys = keys
        self.start = start
    }

    func identify(
        _ request: HTTPRequest, at now: Timestamp, _ instant: Instant
    ) throws(WebProblem) -> Caller {
        guard let input = request.header("Signature-Input") else { return .other }
        guard let parameters = PeerRequestParameters(header: input) else {
            throw .unauthorized("the signature cannot be read")
        }
        let signature = PeerKey.Signature(input: input, value: request.header("Signature") ?? "")
        let digest = request.header("Content-Digest") ?? ""
        let name = parameters.key
        guard let key = keys.first(where: { $0.name == name }),
            key.signature(of: request.method, request.path, digest: digest, parameters) == signature
        else { throw .unauthorized("no podcastd '\(name.prefix(60))' with this key is paired") }
        let peer = PeerRequest(key: key, signature: signature, digest: digest)
        let seconds = now.milliseconds / 1000
        // The clock may have been set since the start.
        let start = (now.milliseconds - (instant - self.start).nanoseconds / 1_000_000) / 1000
        let range = min(seconds, max(start, seconds - Self.window))...(seconds + Self.window)
        guard range.contains(parameters.created) else { return .late(peer) }
        var requests = answered[name, default: [:]].filter { range.contains($0.value) }
        guard requests.count < Self.mostRequests else {
            throw .tooManyRequests("too many requests", wait: Int(Self.window))
        }
        guard requests.updateValue(parameters.created, forKey: parameters.nonce) == nil else {
            throw .unauthorized("this request was sent before")
        }
        answered[name] = requests
        return .peer(peer)
    }
}
