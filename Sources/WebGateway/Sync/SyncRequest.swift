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
        case listActs
        case recordActs
        /// Which devices share their subscriptions: all.
        case listGroups
    }

    let action: Action
    /// The user in the path; nil in Nextcloud's paths, which have none.
    var user: String?
    var device: String?

    private static let nextcloud = "/index.php/apps/gpoddersync/"

    /// Nil for another path.
    /// - Throws: 404 and 405 for what has no answer.
    static func read(_ request: HTTPRequest, _ method: String) throws(WebProblem) -> SyncRequest? {
        if request.path.hasPrefix(nextcloud) {
            let action: Action? =
                switch (method, request.path.dropFirst(nextcloud.count)) {
                case ("GET", "subscriptions"): .listChanges
                case ("POST", "subscription_change/create"): .changeSubscriptions
                case ("GET", "episode_action"): .listActs
                case ("POST", "episode_action/create"): .recordActs
                default: nil
                }
            guard let action else { throw .notFound }
            return SyncRequest(action: action, device: "nextcloud")
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
        return try action(method, section, rest).map { SyncRequest(action: $0, user: user, device: rest.first) }
    }

    private static func action(_ method: String, _ section: String, _ rest: [String]) throws(WebProblem) -> Action? {
        switch (method, section, rest.count) {
        case ("POST", "auth", 1) where rest == ["login"]: .logIn
        case ("POST", "auth", 1) where rest == ["logout"]: .logOut
        case ("GET", "devices", 0): .listDevices
        case ("POST", "devices", 1), ("PUT", "devices", 1): .setDevice(rest[0])
        case ("GET", "subscriptions", 1): .listChanges
        case ("POST", "subscriptions", 1): .changeSubscriptions
        case ("GET", "episodes", 0): .listActs
        case ("POST", "episodes", 0): .recordActs
        case ("GET", "sync-devices", 0), ("POST", "sync-devices", 0): .listGroups
        default: throw .notFound
        }
    }
}

/// The documents of the interface.
enum SyncText {
    /// What a client sends of an act; nil for one without an address or a kind that is known.
    static func act(_ json: JSONValue, at now: Timestamp) -> DeviceAct? {
        guard let url = json["episode"]?.stringValue, let word = json["action"]?.stringValue?.lowercased(),
            let kind = DeviceAct.Kind(rawValue: word)
        else { return nil }
        var act = DeviceAct()
        (act.kind, act.url, act.feed) = (kind, url, json["podcast"]?.stringValue ?? "")
        act.guid = json["guid"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        act.time = json["timestamp"]?.stringValue.flatMap(time) ?? now
        (act.position, act.total) = (seconds(json["position"]), seconds(json["total"]))
        return act
    }

    /// Nextcloud's clients send -1 for what they do not know.
    private static func seconds(_ json: JSONValue?) -> MediaTime? {
        json?.numberValue.flatMap { (0...31_622_400).contains($0) ? MediaTime(seconds: $0) : nil }
    }

    /// `2026-11-28T09:00:00`, without a zone: UTC.
    private static func time(_ text: String) -> Timestamp? {
        Timestamp(parsing: text) ?? Timestamp(parsing: text + "Z")
    }

    /// The state of an episode as an act.
    static func json(_ change: EpisodeChange) -> JSONValue {
        let time = max(change.lastPlayed ?? Timestamp(seconds: 0), change.marked ?? Timestamp(seconds: 0))
        // An undo leaves neither time: then the listener changed the episode when its revision says.
        let known = time.milliseconds == 0 ? Timestamp(seconds: change.revision) : time
        var members: [JSONValue.Member] = [
            .init("podcast", .string(change.feed ?? "")), .init("episode", .string(change.url)),
            .init("guid", JSONValue(change.guid)), .init("timestamp", .string(String(known.description.prefix(19)))),
        ]
        if !change.isPlayed, change.position == .zero {
            return .object(members + [.init("action", "new")])
        }
        // Clients ignore an act without a total, and take one whose position is the total for the end.
        let here = Int64(change.position.seconds)
        let total = change.duration.map { max(1, Int64($0.seconds)) } ?? here + 60
        let position = change.isPlayed ? total : here
        members += [
            .init("action", "play"), .init("started", 0), .init("position", .integer(position)),
            .init("total", .integer(total)),
        ]
        return .object(members)
    }

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

    static func opml(_ urls: [String]) -> String {
        let outlines = urls.filter(WebAddress.isFetchable).map { "<outline type=\"rss\" xmlUrl=\"\(escaped($0))\"/>" }
        return "<?xml version=\"1.0\"?><opml version=\"2.0\"><head/><body>\(outlines.joined())</body></opml>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
