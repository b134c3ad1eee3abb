internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import HTTP
internal import JSON
internal import PodcastModel
internal import SessionBus
internal import SystemCalls

/// Why a synchronization failed.
struct SyncFailure: Error, Equatable {
    /// One line for people.
    var message: String
    /// Seconds.
    var retryAfter: Int?
    /// Whether the server refuses the login.
    var isRefused = false
    /// Whether the connection with the daemon here has ended.
    var isDaemonLost = false
}

extension SyncFailure {
    init(_ failure: ClientFailure) {
        switch failure {
        case .refused(let refusal): self.init(message: "podcastd refuses: \(refusal.what)")
        default: self.init(message: failure.message, isDaemonLost: true)
        }
    }
}

/// Requests to the server of an account, one after another. One thread, which waits for the answers.
final class SyncServer: SyncPeer {
    private static let limits = HTTPRequest.Timeouts(
        connect: .seconds(15), firstByte: .seconds(60), stall: .seconds(60), total: .seconds(3600))
    /// A clock that is wrong by less is not noticed, in milliseconds.
    private static let tolerance: Int64 = 60_000
    /// Times from a clock that is wrong by more than a year cannot be corrected.
    private static let longestOffset: Int64 = 366 * 86_400_000

    let account: AccountSettings
    /// The name of this machine among the devices of the account.
    let device: String
    private let password: String
    let http: HTTPMulti
    private let isStopped: () -> Bool
    /// The URL of a server that is known by its name in the network.
    private var found: String?
    /// Whether to look up the server's IPv6 address; after each failure the other kind.
    private var isIPv6 = false
    private(set) var clockOffset: Int64 = 0

    /// - Parameter isStopped: whether to fail instead of waiting any longer.
    init(
        _ account: AccountSettings, password: String, device: String, _ http: HTTPMulti, isStopped: @escaping () -> Bool
    ) {
        (self.account, self.password, self.device) = (account, password, device)
        (self.http, self.isStopped) = (http, isStopped)
    }

    // MARK: interface

    func introduce() throws(SyncFailure) {
        if account.kind == .nextcloud { return }
        let body: JSONValue = ["caption": .string(device), "type": "server"]
        _ = try send("POST", "/api/2/devices/\(user)/\(device).json", body)
    }

    func subscriptions(since: Int64) throws(SyncFailure) -> (changes: [SubscriptionChange], revision: Int64) {
        let path = account.kind == .nextcloud ? "\(Self.nextcloud)subscriptions" : subscriptionPath
        let answer = try send("GET", "\(path)?since=\(since)\(exact)")
        guard let revision = answer["timestamp"]?.integerValue, revision >= 0 else { throw unreadable }
        func list(_ name: String) -> [String] { answer[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        var added = list("add")
        if since == 0, account.kind != .nextcloud {
            let all = try send("GET", "/subscriptions/\(user).json").arrayValue ?? []
            added += all.compactMap { $0.stringValue ?? ($0["url"] ?? $0["feed"])?.stringValue }
        }
        var known = Set<String>()
        func change(_ url: String, _ isSubscribed: Bool) -> SubscriptionChange {
            let time = answer["times"]?[url]?.integerValue.map {
                Timestamp(seconds: $0).adding(milliseconds: -clockOffset)
            }
            return SubscriptionChange {
                ($0.url, $0.isSubscribed, $0.revision) = (url, isSubscribed, max(0, time?.seconds ?? 0))
            }
        }
        let changes = added.map { change($0, true) } + list("remove").map { change($0, false) }
        return (changes.filter { WebAddress.isFetchable($0.url) && known.insert($0.url).inserted }, revision)
    }

    func change(_ subscriptions: [SubscriptionChange]) throws(SyncFailure) {
        let path = account.kind == .nextcloud ? "\(Self.nextcloud)subscription_change/create" : subscriptionPath
        func list(_ isSubscribed: Bool) -> JSONValue {
            .array(subscriptions.filter { $0.isSubscribed == isSubscribed }.map { .string($0.url) })
        }
        _ = try send("POST", path, ["add": list(true), "remove": list(false)])
    }

    func acts(
        since: Int64, take: ([(device: String, act: DeviceAct)]) throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> Int64 {
        let list = ActList(name: "actions")
        let now = Timestamp.now
        var waiting: [(device: String, act: DeviceAct)] = []
        try receive("GET", "\(actPath(isSending: false))?since=\(since)\(exact)") {
            bytes throws(SyncFailure) in
            let rows = try list.take(bytes, else: unreadable)
            for row in rows {
                guard var act = GPodderText.act(row, at: now) else { continue }
                act.time = act.time.adding(milliseconds: -clockOffset)
                waiting.append((row["device"]?.stringValue ?? account.name, act))
            }
            if waiting.count >= Self.pieces { try take(exchange(&waiting, with: [])) }
        }
        if !waiting.isEmpty { try take(waiting) }
        guard let revision = list.members["timestamp"]?.integerValue, revision >= 0, list.isWhole else {
            throw unreadable
        }
        return revision
    }

    func send(_ acts: [EpisodeChange]) throws(SyncFailure) {
        let rows = acts.map { change in
            GPodderText.json(
                change, of: device, clockOffset: clockOffset, isExact: isExact)
        }
        _ = try send("POST", actPath(isSending: true), .array(rows))
    }

    /// Calls a command of another podcastd.
    func call<Called: Command>(_ command: Called) throws(SyncFailure) -> Called.Reply {
        let path = "/api/v1/" + Called.name.split(separator: ".").joined(separator: "/")
        guard let reply = Called.Reply(json: try send("POST", path, command.params ?? [:])) else { throw unreadable }
        return reply
    }

    /// Another podcastd reads and writes positions with milliseconds, and says when feeds were added and removed.
    var isExact: Bool { account.kind == .podcastd }
    private var exact: String { isExact ? "&exact=1" : "" }
    /// Acts that are passed on at a time.
    private static let pieces = 500
    private static let nextcloud = "/index.php/apps/gpoddersync/"
    private var user: String { WebAddress.percentEncoded(account.user) }
    private var subscriptionPath: String { "/api/2/subscriptions/\(user)/\(device).json" }
    private func actPath(isSending: Bool) -> String {
        account.kind == .nextcloud
            ? "\(Self.nextcloud)episode_action\(isSending ? "/create" : "")" : "/api/2/episodes/\(user).json"
    }

    private var unreadable: SyncFailure {
        SyncFailure(message: "the answer of \(account.address) is not that of a \(account.kind.rawValue) server")
    }

    // MARK: HTTP

    private final class Receiver: HTTPTransferDelegate {
        var head: HTTPHead?
        /// What came since it was looked at.
        var bytes: [UInt8] = []
        var result: Result<HTTPSummary, HTTPError>?

        func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) { self.head = head }

        func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
            if let head, (200..<300).contains(head.status) { unsafe self.bytes += bytes }
            // A compressed answer may become a thousand times as long.
            return self.bytes.count < SyncServer.mostWaiting ? .proceed : .pause
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
        try receive(method, path, body) { bytes throws(SyncFailure) in
            text += bytes
            if text.count > Self.longestAnswer { throw unreadable }
        }
        if text.isEmpty { return .null }
        guard let json = text.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { throw unreadable }
        return json
    }

    /// - Parameter take: receives the answer piece by piece, if its status is good.
    private func receive(
        _ method: String, _ path: String, _ body: JSONValue? = nil, take: ([UInt8]) throws(SyncFailure) -> Void
    ) throws(SyncFailure) {
        var request = try request(path)
        request.method = method == "GET" ? .get : .other(method)
        request.body = body?.text
        if body != nil { request.headers.append(("Content-Type", "application/json")) }
        request.timeouts = Self.limits
        let receiver = Receiver()
        let sent = Timestamp.now
        let transfer = http.add(request, delegate: receiver)
        do throws(SyncFailure) {
            while receiver.result == nil {
                if isStopped() { throw SyncFailure(message: "podcast-sync ends") }
                do throws(HTTPError) { try http.poll() } catch { throw SyncFailure(message: error.message) }
                if !receiver.bytes.isEmpty {
                    try take(exchange(&receiver.bytes, with: []))
                    transfer.resume()
                }
            }
        } catch {
            transfer.cancel()
            throw error
        }
        if case .failure = receiver.result, found != nil { (found, isIPv6) = (nil, !isIPv6) }
        if case .failure(let error)? = receiver.result { throw SyncFailure(message: error.message) }
        guard let head = receiver.head else { throw unreadable }
        if let date = head.date {
            // The date is that of a moment between the request and now, without its milliseconds.
            let ahead = date.milliseconds - sent.milliseconds
            if abs(ahead) > Self.longestOffset {
                throw SyncFailure(
                    message:
                        "the clocks of \(account.address) and of this machine differ by years: correct the wrong one")
            }
            clockOffset = abs(ahead) < Self.tolerance ? 0 : ahead
        }
        if !(200..<300).contains(head.status) { throw failure(head, path) }
    }

    func request(_ path: String) throws(SyncFailure) -> HTTPRequest {
        var request = HTTPRequest(try address() + path)
        // A password is not sent anywhere else.
        request.maximumRedirects = 0
        request.headers = [("Accept", "application/json")]
        let host = HTTPURL.host(of: request.url) ?? ""
        let login = HTTPLogin(.init(username: account.user, password: password), hosts: [host], needsTLS: false)
        HTTPAccess(login: login, namedHosts: [host]).apply(to: &request)
        return request
    }

    /// The server's URL. One that is found by its name is looked up again after a failure.
    private func address() throws(SyncFailure) -> String {
        guard let name = account.networkName else { return account.address }
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

    private func failure(_ head: HTTPHead, _ path: String) -> SyncFailure {
        let message =
            switch head.status {
            case 300..<400:
                "\(account.address) has moved to \(SafeText.line(head.headers["location"] ?? "")): write the new address to sync.conf"
            case 401:
                "\(account.address) refuses the user's name or password: correct sync.conf, then restart podcast-sync"
            case 403: "\(account.address) does not permit this to '\(account.user)'"
            case 404, 405:
                "\(account.address) is not a \(account.kind.rawValue) server: it has no \(path.prefix { $0 != "?" })"
            case 429: "\(account.address) refuses more requests for now, as after wrong passwords"
            case 503: "\(account.address) is not available; with podcast-web, podcastd does not run there"
            case let status: "\(account.address) answers with status \(status)"
            }
        return SyncFailure(message: message, retryAfter: head.retryAfter, isRefused: head.status == 401)
    }
}
