internal import PodcastModel
internal import SQLite

/// Rules, retention and smart playlists for export and import. Feeds are named by URL, because ids are local.
public struct PortablePolicies: Equatable, Sendable {
    public struct Rule: Equatable, Sendable {
        /// In the rule language.
        public var text: String
        /// URL of the rule's feed; nil for all feeds.
        public var feed: String?
        public init(text: String, feed: String? = nil) {
            self.text = text
            self.feed = feed
        }
    }

    public struct Retention: Equatable, Sendable {
        /// In the syntax of retention policies.
        public var keep: String
        /// URL of the feed; nil for all feeds without their own policy.
        public var feed: String?
        public init(keep: String, feed: String? = nil) {
            self.keep = keep
            self.feed = feed
        }
    }

    public struct Playlist: Equatable, Sendable {
        public var name: String
        /// The content, in the filter syntax.
        public var filter: String
        public init(name: String, filter: String) {
            self.name = name
            self.filter = filter
        }
    }

    /// In order; the first matching rule decides.
    public var rules: [Rule]
    public var retention: [Retention]
    public var playlists: [Playlist]

    public init(rules: [Rule] = [], retention: [Retention] = [], playlists: [Playlist] = []) {
        self.rules = rules
        self.retention = retention
        self.playlists = playlists
    }

    public var isEmpty: Bool { rules.isEmpty && retention.isEmpty && playlists.isEmpty }
}

/// The result of importing policies.
public struct PolicyImportCounts: Equatable, Sendable {
    public struct Count: Equatable, Sendable {
        public var added = 0
        /// Number already present: the same rule, or a policy or playlist of the same name, which stays.
        public var known = 0
    }

    public var rules = Count()
    public var retention = Count()
    public var playlists = Count()
    public var refused: [String] = []
    public init() {}

    public var known: Int { rules.known + retention.known + playlists.known }
}

extension ImportStore {
    /// Rules, retention policies and smart playlists, with feeds by URL.
    /// - Parameter shown: converts a URL for output.
    public func exportedPolicies(shown: (String) -> String) throws(LibraryError) -> PortablePolicies {
        try read {
            let addresses: [FeedID: String] = try connection.dictionary(
                "SELECT id, url FROM feed WHERE kind = \(literal: FeedKind.subscribed)")
            // The other library reports that it cannot find this feed.
            func name(_ id: FeedID) -> String { addresses[id].map(shown) ?? "feed \(id), which was removed" }
            var decisions = PortablePolicies()
            decisions.rules = try library.rules.stored(for: nil).map { rule in
                var text = rule.text
                text.condition = text.condition.naming(feeds: name)
                return PortablePolicies.Rule(text: text.description, feed: rule.feed.map(name))
            }
            decisions.retention = try library.retention.stored().map { feed, policy in
                PortablePolicies.Retention(keep: policy.description, feed: feed.map(name))
            }
            decisions.playlists = try library.playlists.stored().map { playlist in
                PortablePolicies.Playlist(
                    name: playlist.name, filter: playlist.content.map { $0.naming(feeds: name) }.description)
            }
            return decisions
        }
    }

    /// Adds missing policies: rules after the existing rules, in their order; retention for feeds that have none;
    /// playlists with unused names. Skips policies that cannot be parsed or name a feed that is not subscribed. One
    /// commit, on disk before it returns.
    public func importPolicies(_ decisions: PortablePolicies) throws(LibraryError) -> PolicyImportCounts {
        try write(.synced) { try library.history.recordingPart { try add(decisions) } }
    }

    private func add(_ decisions: PortablePolicies) throws -> PolicyImportCounts {
        var taken = PolicyImportCounts()
        for rule in decisions.rules {
            try count(&taken.rules, &taken.refused, "rule '\(rule.text)'") { try add(rule) }
        }
        for retention in decisions.retention {
            let whose = retention.feed.map { " of \($0)" } ?? ""
            try count(&taken.retention, &taken.refused, "retention\(whose)") { try add(retention) }
        }
        for playlist in decisions.playlists {
            try count(&taken.playlists, &taken.refused, "playlist '\(playlist.name)'") { try add(playlist) }
        }
        if taken.retention.added > 0 { try library.retention.scheduleRound() }
        return taken
    }

    /// Counts a decision as added, known or refused; rethrows only errors of the store.
    private func count(
        _ count: inout PolicyImportCounts.Count, _ refused: inout [String], _ what: String, _ take: () throws -> Bool
    ) throws {
        do {
            if try take() { count.added += 1 } else { count.known += 1 }
        } catch let error as ExpressionError {
            refused.append("\(what): \(error.what)")
        } catch LibraryError.notFound(let feed, _) {
            refused.append("\(what): not subscribed to '\(feed)'")
        } catch LibraryError.refused(let why) {
            refused.append("\(what): \(why)")
        }
    }

    /// - Returns: true if the rule is new.
    private func add(_ portable: PortablePolicies.Rule) throws -> Bool {
        var text = try RuleText(parsing: portable.text)
        text.condition = try text.condition.lookingUp(feeds: subscription)
        let feed = try portable.feed.map(subscription)
        if try library.rules.stored(for: nil).contains(where: { $0.isSame(as: text, feed) }) { return false }
        try library.rules.insert(text, feed: feed)
        return true
    }

    /// - Returns: true if the feed had no policy.
    private func add(_ portable: PortablePolicies.Retention) throws -> Bool {
        let policy = try RetentionPolicy(parsing: portable.keep)
        let feed = try portable.feed.map(subscription)
        if try library.retention.stored().contains(where: { $0.feed == feed }) { return false }
        try library.retention.insert(policy, of: feed)
        return true
    }

    /// - Returns: true if the name was free.
    private func add(_ portable: PortablePolicies.Playlist) throws -> Bool {
        try library.playlists.insert(try playlist(portable))
    }

    func playlist(_ portable: PortablePolicies.Playlist) throws -> Playlist {
        guard Playlist.isName(portable.name) else { throw LibraryError.refused("invalid playlist name") }
        let content = try PlaylistContent(parsing: portable.filter)
        return Playlist(name: portable.name, try content.map { try $0.lookingUp(feeds: subscription) })
    }

    /// The feed with exactly that address, now or formerly.
    func subscription(_ url: String) throws -> FeedID {
        guard let id = try library.feeds.id(url: url) else { throw LibraryError.notFound(url) }
        return id
    }
}
