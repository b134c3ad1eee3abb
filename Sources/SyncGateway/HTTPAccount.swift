internal import GatewayKit
internal import HTTP
internal import JSON
internal import PodcastModel
internal import SessionBus
internal import SystemCalls

/// Requests to the server of an account, one after another. One thread, which waits for the answers.
final class HTTPAccount {
    private static let limits = HTTPRequest.Timeouts(
        connect: .seconds(15), firstByte: .seconds(60), stall: .seconds(60), total: .seconds(3600))
    /// A clock that is wrong by less is not noticed, in milliseconds.
    private static let tolerance: Int64 = 60_000
    /// Times from a clock that is wrong by more than a year cannot be corrected.
    private static let longestOffset: Int64 = 366 * 86_400_000

    /// A wait for an answer that is longer is reported.
    private static let noticeableWait = Duration.seconds(10)

    let settings: AccountSettings
    let http: HTTPMulti
    /// Nil for a server with passwords.
    private let key: PeerKey?
    private let isStopped: () -> Bool
    /// The URL of a server that is known by its name in the network.
    private var found: String?
    /// Whether to look up the server's IPv6 address; after each failure the other kind.
    private var isIPv6 = false
    /// How far the server's clock is ahead of the one here, in milliseconds; 0 if they differ by little.
    private(set) var clockOffset: Int64 = 0
    /// How far the clock of the podcastd with the same key is ahead of the one here, in seconds.
    private var lead: Int64 = 0

    /// Receives a line about a long wait.
    var reportWait: (String) -> Void = { _ in }

    /// - Parameter isStopped: whether to fail instead of waiting any longer.
    init(_ settings: AccountSettings, _ http: HTTPMulti, isStopped: @escaping () -> Bool) {
        self.settings = settings
        self.http = http
        key = settings.kind == .podcastd ? PeerKey(name: settings.user, secret: settings.password ?? "") : nil
        self.isStopped = isStopped
    }

    /// The user's name in a path.
    var user: String { WebAddress.percentEncoded(settings.user) }

    var unreadable: SyncFailure {
        SyncFailure(message: "the answer of \(settings.address) is not that of a \(settings.kind.rawValue) server")
    }

    private final class Receiver: HTTPTransferDelegate {
        var head: HTTPHead?
        /// Bytes that `receive` has not read yet.
        var bytes: [UInt8] = []
        var result: Result<HTTPSummary, HTTPError>?
        private let takesErrors: Bool

        init(takesErrors: Bool) { self.takesErrors = takesErrors }

        func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) { self.head = head }

        func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
            if let head, takesErrors || (200..<300).contains(head.status) { unsafe self.bytes += bytes }
            // A compressed answer may become a thousand times as long.
            return self.bytes.count < HTTPAccount.mostWaiting ? .proceed : .pause
        }

        func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
            self.result = result
        }
    }

    /// Most bytes of an answer that are buffered before they are read.
    private static let mostWaiting = 1 << 20
    /// Answers of one piece, in bytes.
    private static let longestAnswer = 32 << 20

    func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws(SyncFailure) -> JSONValue {
        var text: [UInt8] = []
        func attempt() throws(SyncFailure) -> (HTTPHead, isSigned: Bool) {
            text = []
            let (head, signature) = try transfer(method, path, body) { bytes throws(SyncFailure) in
                text += bytes
                if text.count > Self.longestAnswer { throw unreadable }
            }
            return (head, signature.map { self.isSigned(head, text, by: $0) } ?? false)
        }
        var (head, isSigned) = try attempt()
        // The answer to a request with a wrong time has the right one.
        if isSigned, head.status == 401 { (head, isSigned) = try attempt() }
        try check(head, path, isSigned: isSigned)
        if key != nil, !isSigned {
            found = nil
            throw SyncFailure(
                message: "\(settings.address) is not the podcastd that was paired: nothing was taken from it")
        }
        if text.isEmpty { return .null }
        guard let json = text.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { throw unreadable }
        return json
    }

    /// Whether the podcastd with the same key has answered a request. The time of the next request is that of its clock.
    /// - Parameter body: nil for a stream.
    func isSigned(_ head: HTTPHead, _ body: [UInt8]?, by request: PeerKey.Signature) -> Bool {
        let given = PeerKey.Signature(
            input: head.headers["signature-input"] ?? "", value: head.headers["signature"] ?? "")
        let digest = body.flatMap(PeerKey.digest)
        guard let time = key?.time(ofAnswer: head.status, digest: digest, to: request, given),
            time < Self.latestTime
        else { return false }
        lead = time - Timestamp.now.milliseconds / 1000
        return true
    }

    /// The year 10000, in seconds since 1970.
    private static let latestTime: Int64 = 253_402_300_800

    /// - Parameter take: receives the answer piece by piece, if its status is good.
    func receive(
        _ method: String, _ path: String, take: ([UInt8]) throws(SyncFailure) -> Void
    ) throws(SyncFailure) {
        try check(try transfer(method, path, nil, take: take).0, path)
    }

    private func check(_ head: HTTPHead, _ path: String, isSigned: Bool = false) throws(SyncFailure) {
        if (200..<300).contains(head.status) { return }
        // Perhaps another machine has answered to the name.
        found = nil
        throw failure(head, path, isSigned: isSigned)
    }

    /// - Parameter take: receives the answer piece by piece: of a server with passwords, only one with a good status.
    /// - Returns: also the request's signature, if it is signed.
    private func transfer(
        _ method: String, _ path: String, _ body: JSONValue?, take: ([UInt8]) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> (HTTPHead, PeerKey.Signature?) {
        var (request, signature) = try request(method, path, body?.text)
        request.timeouts = Self.limits
        let receiver = Receiver(takesErrors: key != nil)
        let sent = Timestamp.now
        var deadline = Instant.now + Self.noticeableWait
        let transfer = http.add(request, delegate: receiver)
        do throws(SyncFailure) {
            while receiver.result == nil {
                if isStopped() { throw SyncFailure(message: "podcast-sync ends") }
                do throws(HTTPError) {
                    try http.poll(timeout: deadline == .distantFuture ? nil : max(.zero, deadline - .now))
                } catch { throw SyncFailure(message: error.message) }
                if !receiver.bytes.isEmpty {
                    try take(exchange(&receiver.bytes, with: []))
                    transfer.resume()
                    deadline = .now + Self.noticeableWait
                } else if deadline <= .now {
                    deadline = .distantFuture
                    reportWait("\(settings.address) has not answered for 10 s")
                }
            }
        } catch {
            transfer.cancel()
            throw error
        }
        if case .failure = receiver.result, found != nil { (found, isIPv6) = (nil, !isIPv6) }
        if case .failure(let error)? = receiver.result {
            let hint = "; to trust it, name its certificate in sync.conf: ca_file = FILE below [sync]"
            throw SyncFailure(
                message: "\(settings.address): \(error.message)\(error.kind == .certificate ? hint : "")")
        }
        guard let head = receiver.head else { throw unreadable }
        if let date = head.date {
            // The date is that of a moment between the request and now, without its milliseconds.
            let ahead = date.milliseconds - sent.milliseconds
            if abs(ahead) > Self.longestOffset {
                throw SyncFailure(
                    message:
                        "the clocks of \(settings.address) and of this machine differ by years: correct the wrong one")
            }
            clockOffset = abs(ahead) < Self.tolerance ? 0 : ahead
        }
        return (head, signature)
    }

    /// - Returns: also the request's signature, if it is signed.
    func request(
        _ method: String, _ path: String, _ body: String? = nil
    ) throws(SyncFailure) -> (HTTPRequest, PeerKey.Signature?) {
        var request = HTTPRequest(try address() + path)
        request.method = method == "GET" ? .get : .other(method)
        request.body = body
        // A password is not sent anywhere else.
        request.maximumRedirects = 0
        request.headers = [("Accept", "application/json")]
        if body != nil { request.headers.append(("Content-Type", "application/json")) }
        if let key {
            let parameters = PeerRequestParameters(created: Timestamp.now.milliseconds / 1000 + lead)
            guard let digest = PeerKey.digest(of: Array((body ?? "").utf8)),
                let signature = key.signature(
                    of: method, String(path.prefix { $0 != "?" }), digest: digest, parameters)
            else { throw SyncFailure(message: "OpenSSL is missing: install the package libssl3") }
            request.headers += [
                ("Content-Digest", digest), ("Signature-Input", signature.input), ("Signature", signature.value),
            ]
            return (request, signature)
        }
        let host = HTTPURL.host(of: request.url) ?? ""
        let login = HTTPLogin(
            .init(username: settings.user, password: settings.password ?? ""), hosts: [host], needsTLS: false)
        HTTPAccess(login: login, namedHosts: [host]).apply(to: &request)
        return (request, nil)
    }

    /// The server's URL. One that is found by its name is looked up again after a failure.
    private func address() throws(SyncFailure) -> String {
        guard let name = settings.networkName else { return settings.address }
        if let found { return found }
        do throws(SystemError) {
            let (host, port) = try Avahi().find(name, type: "_podcastd._tcp", isIPv6: isIPv6)
            found = "http://\(host):\(port)"
            return "http://\(host):\(port)"
        } catch {
            isIPv6.toggle()
            throw SyncFailure(
                message: "no podcastd '\(name)' is found in the network: \(SafeText.line(error.description))")
        }
    }

    private func failure(_ head: HTTPHead, _ path: String, isSigned: Bool) -> SyncFailure {
        let message =
            switch head.status {
            case 300..<400:
                "\(settings.address) has moved to \(SafeText.line(head.headers["location"] ?? "")): write the new address to sync.conf"
            case 401 where isSigned: "the clocks of \(settings.address) and of this machine differ"
            case 401 where key != nil:
                "\(settings.address) does not know the key of '\(settings.user)': run there podcast-web --pair \(settings.user), and write its lines to web.conf there and to sync.conf here"
            case 401:
                "\(settings.address) refuses the user's name or password: correct sync.conf, then: systemctl --user reload podcast-sync"
            case 403: "\(settings.address) does not permit this to '\(settings.user)'"
            case 404, 405:
                "\(settings.address) is not a \(settings.kind.rawValue) server: it has no \(path.prefix { $0 != "?" })"
            case 429: "\(settings.address) refuses more requests for now, as after wrong passwords"
            case 503: "\(settings.address) is not available; with podcast-web, podcastd does not run there"
            case let status: "\(settings.address) answers with status \(status)"
            }
        return SyncFailure(
            message: message, retryAfter: head.retryAfter,
            isRefused: head.status == 401 && !isSigned && settings.networkName == nil)
    }
}
