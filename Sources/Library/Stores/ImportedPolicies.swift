internal import PodcastModel
internal import SQLite

/// A rule, retention policy or playlist for export and import. Feeds are named by URL, because ids are local.
public struct PortablePolicy: Equatable, Sendable {
    public enum Kind: Sendable, CaseIterable {
        case rule, retention, playlist
    }

    public var kind: Kind
    /// In the language of rules, in the syntax of retention policies, or the content of a playlist.
    public var text: String
    /// The URL of its feed, nil for all feeds; or the name of a playlist.
    public var name: String?

    public init(_ kind: Kind, _ text: String, of name: String? = nil) {
        self.kind = kind
        self.text = text
        self.name = name
    }

    /// For messages.
    fileprivate var label: String {
        switch kind {
        case .rule: "rule '\(text)'"
        case .retention: "retention" + (name.map { " of \($0)" } ?? "")
        case .playlist: "playlist '\(name ?? "")'"
        }
    }
}

/// The result of importing policies.
public struct PolicyImportCounts: Equatable, Sendable {
    public var added: [PortablePolicy.Kind: Int] = [:]
    /// Number already present: the same rule, or a policy or playlist of the same name, which stays.
    public var known = 0
    public var refused: [String] = []

    public init() {}
}

extension ImportStore {
    /// Rules, retention policies and smart playlists, each kind in its order, with feeds by URL.
    /// - Parameter shown: converts a URL for output.
    public func exportedPolicies(shown: (String) -> String) throws(LibraryError) -> [PortablePolicy] {
        try read {
            let addresses: [FeedID: String] = try connection.dictionary(
                "SELECT id, url FROM feed WHERE kind = \(literal: FeedKind.subscribed)")
            // The other library reports that it cannot find this feed.
            func name(_ id: FeedID) -> String { addresses[id].map(shown) ?? "feed \(id), which was removed" }
            let rules = try library.rules.rules(for: nil).map { rule in
                var text = rule.text
                text.condition = text.condition.naming(feeds: name)
                return PortablePolicy(.rule, text.description, of: rule.feed.map(name))
            }
            let retention = try library.retention.retention().map { feed, policy in
                PortablePolicy(.retention, policy.description, of: feed.map(name))
            }
            let playlists = try library.playlists.all().map { playlist in
                PortablePolicy(
                    .playlist, playlist.content.map { $0.naming(feeds: name) }.description, of: playlist.name)
            }
            return rules + retention + playlists
        }
    }

    /// Adds missing policies: rules after the existing rules, in their order; retention for feeds that have none;
    /// playlists with unused names. Skips policies that cannot be parsed or name a feed that is not subscribed. One
    /// commit, on disk before it returns.
    public func importPolicies(_ policies: [PortablePolicy]) throws(LibraryError) -> PolicyImportCounts {
        try write(.synced) {
            try library.history.recordingPart {
                var counts = PolicyImportCounts()
                for policy in policies {
                    func refuse(_ reason: String) { counts.refused.append("\(policy.label): \(reason)") }
                    do {
                        if try add(policy) { counts.added[policy.kind, default: 0] += 1 } else { counts.known += 1 }
                    } catch let error as ExpressionError {
                        refuse(error.what)
                    } catch LibraryError.notFound(let feed, _) {
                        refuse("not subscribed to '\(feed)'")
                    } catch LibraryError.refused(let why) {
                        refuse(why)
                    }
                }
                if counts.added[.retention] != nil { try library.retention.scheduleRound() }
                return counts
            }
        }
    }

    /// - Returns: true if the policy is new, and its feed or name had none.
    private func add(_ portable: PortablePolicy) throws -> Bool {
        switch portable.kind {
        case .rule:
            var text = try RuleText(parsing: portable.text)
            text.condition = try text.condition.lookingUp(feeds: subscription)
            let feed = try portable.name.map(subscription)
            if try library.rules.rules(for: nil).contains(where: { $0.isSame(as: text, feed) }) { return false }
            try library.rules.insert(text, feed: feed)
        case .retention:
            let policy = try RetentionPolicy(parsing: portable.text)
            let feed = try portable.name.map(subscription)
            if try library.retention.retention().contains(where: { $0.feed == feed }) { return false }
            try library.retention.insert(policy, of: feed)
        case .playlist: return try library.playlists.insert(playlist(named: portable.name ?? "", portable.text))
        }
        return true
    }

    /// - Parameter filter: the content; feeds are named by URL.
    func playlist(named name: String, _ filter: String) throws -> Playlist {
        guard Playlist.isName(name) else { throw LibraryError.refused("invalid playlist name") }
        let content = try PlaylistContent(parsing: filter)
        return Playlist(name: name, try content.map { try $0.lookingUp(feeds: subscription) })
    }

    /// The feed with exactly that address, now or formerly.
    func subscription(_ url: String) throws -> FeedID {
        guard let id = try library.feeds.id(url: url) else { throw LibraryError.notFound(url) }
        return id
    }
}
