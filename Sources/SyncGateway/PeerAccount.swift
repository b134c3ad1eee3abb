internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTP
internal import JSON
internal import PodcastModel
internal import SessionBus
internal import SystemCalls

/// Requests to a paired podcastd. Both sign their messages.
final class PeerAccount: ChangeLibrary {
    /// The year 10000, in seconds since 1970.
    private static let latestTime: Int64 = 253_402_300_800

    let server: ServerConnection
    /// The account's name in sync.conf.
    var name: String { server.settings.name }
    private let key: PeerKey
    /// The URL of a podcastd that is known by its name in the network.
    private var found: String?
    /// How far the clock of the podcastd is ahead of the one here, in seconds.
    private var lead: Int64 = 0

    init(_ server: ServerConnection) {
        self.server = server
        key = PeerKey(name: server.settings.user, secret: server.settings.password ?? "")
    }

    func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage { try call(command) }
    func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges { try call(command) }

    func call<Called: Command>(_ command: Called) throws(SyncFailure) -> Called.Reply {
        let path = "/api/v1/" + Called.name.split(separator: ".").joined(separator: "/")
        guard let reply = Called.Reply(json: try send(path, (command.params ?? [:]).text)) else {
            throw server.unreadable
        }
        return reply
    }

    private func send(_ path: String, _ body: String) throws(SyncFailure) -> JSONValue {
        let settings = server.settings
        var (head, text, isSigned) = try attempt(path, body)
        // The answer to a request with a wrong time has the right one.
        if isSigned, head.status == 401 { (head, text, isSigned) = try attempt(path, body) }
        // Perhaps another machine has answered to the name.
        if !isSigned || !(200..<300).contains(head.status) { found = nil }
        let unauthorized =
            isSigned
            ? SyncFailure(message: "the clocks of \(settings.address) and of this machine differ")
            : SyncFailure(
                message:
                    "\(settings.address) does not know the key of '\(settings.user)': run there podcast-web --pair \(settings.user), and write its lines to web.conf there and to sync.conf here",
                retryAfter: head.retryAfter, kind: settings.networkName == nil ? .refused : .failed)
        try server.check(head, path, unauthorized: unauthorized)
        if !isSigned {
            throw SyncFailure(
                message: "\(settings.address) is not the podcastd that was paired: nothing was taken from it")
        }
        return try server.json(text)
    }

    private func attempt(
        _ path: String, _ body: String
    ) throws(SyncFailure) -> (HTTPHead, [UInt8], isSigned: Bool) {
        let (request, signature) = try request("POST", path, body)
        do throws(SyncFailure) {
            let answer = try server.answer(to: request, takesErrors: true)
            return (answer.head, answer.body, isSigned(answer.head, answer.body, by: signature))
        } catch {
            found = nil
            throw error
        }
    }

    /// Whether the podcastd with the same key has answered a request. The time of the next request is that of its clock.
    /// - Parameter body: nil for a stream.
    func isSigned(_ head: HTTPHead, _ body: [UInt8]?, by request: PeerKey.Signature) -> Bool {
        let given = PeerKey.Signature(
            input: head.headers["signature-input"] ?? "", value: head.headers["signature"] ?? "")
        let digest = body.flatMap(PeerKey.digest)
        guard let time = key.time(ofAnswer: head.status, digest: digest, to: request, given), time < Self.latestTime
        else { return false }
        lead = time - Timestamp.now.milliseconds / 1000
        return true
    }

    func request(
        _ method: String, _ path: String, _ body: String? = nil
    ) throws(SyncFailure) -> (HTTPRequest, PeerKey.Signature) {
        var request = server.request(method, try address() + path, body)
        guard let digest = PeerKey.digest(of: Array((body ?? "").utf8)),
            let signature = key.signature(
                of: method, String(path.prefix { $0 != "?" }), digest: digest,
                PeerRequestParameters(key: key.name, created: Timestamp.now.milliseconds / 1000 + lead))
        else { throw SyncFailure(message: "OpenSSL is missing: install the package libssl3") }
        request.headers += [
            ("Content-Digest", digest), ("Signature-Input", signature.input), ("Signature", signature.value),
        ]
        return (request, signature)
    }

    /// The podcastd's URL. One that is found by its name is looked up again after a failure.
    private func address() throws(SyncFailure) -> String {
        guard let name = server.settings.networkName else { return server.settings.address }
        if let found { return found }
        do throws(SystemError) {
            let (host, port) = try Avahi().find(name, type: "_podcastd._tcp")
            let url = "http://\(host):\(port)"
            found = url
            return url
        } catch {
            throw SyncFailure(
                message: "no podcastd '\(name)' is found in the network: \(SafeText.line(error.description))")
        }
    }
}
