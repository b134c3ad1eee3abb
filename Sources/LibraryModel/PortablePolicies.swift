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

    /// How many episodes of a feed stay in lists.
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
        /// In the filter syntax.
        public var filter: String
        public var isOldestFirst: Bool
        public init(name: String, filter: String, isOldestFirst: Bool = false) {
            self.name = name
            self.filter = filter
            self.isOldestFirst = isOldestFirst
        }
    }

    /// In order; the first matching rule decides.
    public var rules: [Rule]
    /// Policies of single feeds, and the policy of all other feeds.
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
        public init() {}
    }

    public var rules = Count()
    public var retention = Count()
    public var playlists = Count()
    public var refused: [String] = []
    public init() {}

    public var added: Int { rules.added + retention.added + playlists.added }
    public var known: Int { rules.known + retention.known + playlists.known }
}
