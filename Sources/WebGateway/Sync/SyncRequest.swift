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
        case logIn, logOut
        case listDevices, setDevice
        case listSubscriptions
        /// A complete list; what is missing in it stays subscribed.
        case uploadSubscriptions
        case listChanges, changeSubscriptions
        case listActions, recordActions
        /// Which devices share their subscriptions: all.
        case listGroups
        /// Settings that a client keeps here: of the account, a device, a feed or an episode.
        case settings
        /// Nextcloud's login flow, by which a client gets an app password.
        case loginFlow(LoginFlowStep)
    }

    enum LoginFlowStep: Equatable, Sendable {
        case begin, poll
        /// In a browser, with the token of the address.
        case open
    }

    static let loginFlow = "/index.php/login/v2"
    private static let nextcloud = "/index.php/apps/gpoddersync/"

    /// `{name}` is a value. The last part of a path may have an extension.
    private static let routes: [(method: String, path: String, action: Action)] = [
        ("POST", "/api/2/auth/{user}/login.json", .logIn), ("POST", "/api/2/auth/{user}/logout.json", .logOut),
        ("GET", "/api/2/devices/{user}.json", .listDevices),
        ("POST", "/api/2/devices/{user}/{device}.json", .setDevice),
        ("PUT", "/api/2/devices/{user}/{device}.json", .setDevice),
        ("GET", "/api/2/subscriptions/{user}/{device}.json", .listChanges),
        ("POST", "/api/2/subscriptions/{user}/{device}.json", .changeSubscriptions),
        ("GET", "/api/2/episodes/{user}.json", .listActions), ("POST", "/api/2/episodes/{user}.json", .recordActions),
        ("GET", "/api/2/settings/{user}/{scope}.json", .settings),
        ("POST", "/api/2/settings/{user}/{scope}.json", .settings),
        ("GET", "/api/2/sync-devices/{user}.json", .listGroups),
        ("POST", "/api/2/sync-devices/{user}.json", .listGroups),
        ("GET", "/subscriptions/{user}.{format}", .listSubscriptions),
        ("GET", "/subscriptions/{user}/{device}.{format}", .listSubscriptions),
        ("PUT", "/subscriptions/{user}/{device}.{format}", .uploadSubscriptions),
        ("GET", nextcloud + "subscriptions", .listChanges),
        ("POST", nextcloud + "subscription_change/create", .changeSubscriptions),
        ("GET", nextcloud + "episode_action", .listActions),
        ("POST", nextcloud + "episode_action/create", .recordActions),
        ("POST", loginFlow, .loginFlow(.begin)), ("POST", loginFlow + "/poll", .loginFlow(.poll)),
        ("GET", loginFlow + "/flow/{token}", .loginFlow(.open)),
    ]

    let action: Action
    private let values: [String: String]
    let format: Format

    /// The user in the path; nil in Nextcloud's paths, which have none.
    var user: String? { values["user"] }
    var device: String? { user == nil ? "nextcloud" : values["device"] }
    var scope: String { values["scope"] ?? "" }
    var token: String { values["token"] ?? "" }

    /// False for what a client asks to get a login.
    var needsLogin: Bool { if case .loginFlow = action { false } else { true } }

    /// Nil for another path.
    /// - Throws: 404 for what has no answer.
    static func read(_ request: HTTPRequest, _ method: String) throws(WebProblem) -> SyncRequest? {
        let roots = ["/api/2/", "/subscriptions/", nextcloud, loginFlow]
        guard roots.contains(where: request.path.hasPrefix) else { return nil }
        for route in routes where route.method == method {
            if let values = values(of: request.path, in: route.path),
                let format = Format(rawValue: values["format"] ?? "json")
            {
                return SyncRequest(action: route.action, values: values, format: format)
            }
        }
        throw .notFound
    }

    private static func values(of path: String, in route: String) -> [String: String]? {
        let (given, wanted) = (parts(of: path), parts(of: route))
        guard given.count == wanted.count else { return nil }
        var values: [String: String] = [:]
        for (one, other) in zip(given, wanted) {
            if other.first == "{" {
                values[String(other.dropFirst().dropLast())] = String(one)
            } else if one != other {
                return nil
            }
        }
        return values
    }

    /// The names between slashes; the extension of the last one is a part also.
    private static func parts(of path: String) -> [Substring] {
        var parts = path.split(separator: "/")
        if let last = parts.last, let point = last.lastIndex(of: ".") {
            parts[parts.endIndex - 1] = last[..<point]
            parts.append(last[last.index(after: point)...])
        }
        return parts
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
