internal import GatewayKit
internal import HTTPServing
internal import JSON
internal import PodcastModel

/// A request of gPodder's interface, version 2 (gpoddernet.readthedocs.io), or of Nextcloud's gPodder Sync, which has the same
/// documents under other paths. All devices of the listener share one list of subscriptions.
struct SyncRequest: Equatable, Sendable {
    enum Format: String, Sendable {
        case json, opml, txt
    }

    enum Action: Equatable, Sendable {
        case logIn
        case logOut
        case listDevices
        case setDevice(String)
        case listSubscriptions(Format)
        /// A complete list; what is missing in it stays subscribed.
        case uploadSubscriptions(Format)
        case listChanges
        case changeSubscriptions
        case listActions
        case recordActions
        /// Which devices share their subscriptions: all.
        case listGroups
        /// Settings that a client keeps here: of the account, a device, a feed or an episode.
        case settings(String)
        /// Nextcloud's login flow, by which a client gets an app password.
        case loginFlow(LoginFlowStep)
    }

    enum LoginFlowStep: Equatable, Sendable {
        case begin
        case poll
        /// With the token of the address that the browser opens.
        case open(String)
    }

    let action: Action
    /// The user in the path; nil in Nextcloud's paths, which have none.
    var user: String?
    var device: String?

    private static let nextcloud = "/index.php/apps/gpoddersync/"
    static let loginFlow = "/index.php/login/v2"

    /// False for what a client asks to get a login.
    var needsLogin: Bool { if case .loginFlow = action { false } else { true } }

    /// Nil for another path.
    /// - Throws: 404 and 405 for what has no answer.
    static func read(_ request: HTTPRequest, _ method: String) throws(WebProblem) -> SyncRequest? {
        if request.path.hasPrefix(nextcloud) {
            let action: Action? =
                switch (method, request.path.dropFirst(nextcloud.count)) {
                case ("GET", "subscriptions"): .listChanges
                case ("POST", "subscription_change/create"): .changeSubscriptions
                case ("GET", "episode_action"): .listActions
                case ("POST", "episode_action/create"): .recordActions
                default: nil
                }
            guard let action else { throw .notFound }
            return SyncRequest(action: action, device: "nextcloud")
        }
        if request.path.hasPrefix(loginFlow) {
            let parts = request.path.dropFirst(loginFlow.count).split(separator: "/")
            switch (method, parts.count, parts.first) {
            case ("POST", 0, nil): return SyncRequest(action: .loginFlow(.begin))
            case ("POST", 1, "poll"): return SyncRequest(action: .loginFlow(.poll))
            case ("GET", 2, "flow"): return SyncRequest(action: .loginFlow(.open(String(parts[1]))))
            default: throw .notFound
            }
        }
        let isSimple = request.path.hasPrefix("/subscriptions/")
        guard isSimple || request.path.hasPrefix("/api/2/") else { return nil }
        var parts = request.path.split(separator: "/").map(String.init)
        guard let last = parts.popLast(), let point = last.lastIndex(of: "."),
            let format = Format(rawValue: String(last[last.index(after: point)...]))
        else { throw .notFound }
        parts.append(String(last[..<point]))
        if isSimple {
            guard (2...3).contains(parts.count) else { throw .notFound }
            let device = parts.count > 2 ? parts[2] : nil
            switch method {
            case "GET": return SyncRequest(action: .listSubscriptions(format), user: parts[1], device: device)
            case "PUT" where device != nil:
                return SyncRequest(action: .uploadSubscriptions(format), user: parts[1], device: device)
            default: throw WebProblem(405, "Method not allowed", "use GET or PUT")
            }
        }
        guard format == .json, parts.count >= 4 else { throw .notFound }
        let (section, user, rest) = (parts[2], parts[3], Array(parts[4...]))
        let isOfDevice = section != "settings"
        return try action(method, section, rest).map {
            SyncRequest(action: $0, user: user, device: isOfDevice ? rest.first : nil)
        }
    }

    private static func action(_ method: String, _ section: String, _ rest: [String]) throws(WebProblem) -> Action? {
        switch (method, section, rest.count) {
        case ("POST", "auth", 1) where rest == ["login"]: .logIn
        case ("POST", "auth", 1) where rest == ["logout"]: .logOut
        case ("GET", "devices", 0): .listDevices
        case ("POST", "devices", 1), ("PUT", "devices", 1): .setDevice(rest[0])
        case ("GET", "subscriptions", 1): .listChanges
        case ("POST", "subscriptions", 1): .changeSubscriptions
        case ("GET", "episodes", 0): .listActions
        case ("POST", "episodes", 0): .recordActions
        case ("GET", "settings", 1), ("POST", "settings", 1): .settings(rest[0])
        case ("GET", "sync-devices", 0), ("POST", "sync-devices", 0): .listGroups
        default: throw .notFound
        }
    }
}

extension GPodderText {
    /// A list of subscriptions for `feeds.import`; nil for any other body.
    static func list(_ body: [UInt8], _ format: SyncRequest.Format) -> String? {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        switch format {
        case .opml: return text
        case .txt: return opml(text.split(whereSeparator: \.isNewline).map(String.init))
        case .json:
            let rows = (try? JSONValue(parsing: text))?.arrayValue
            return rows.map { opml($0.compactMap { $0.stringValue ?? $0["url"]?.stringValue }) }
        }
    }
}
