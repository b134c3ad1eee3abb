/// Rules, retention policies and smart playlists, in the form in which libraries export and import them: feeds by their URLs, because
/// ids are valid in one library only.
public struct PortablePolicies: Equatable, Sendable {
    public struct Rule: Equatable, Sendable {
        /// As rules are written.
        public var text: String
        /// The address of the one feed it is for; all of them when nil.
        public var feed: String?
        public init(text: String, feed: String? = nil) {
            self.text = text
            self.feed = feed
        }
    }

    /// How much of a feed stays in the views.
    public struct Retention: Equatable, Sendable {
        /// As policies are written.
        public var keep: String
        /// The feed's URL; nil for all feeds without a separate policy.
        public var feed: String?
        /// A policy of its parts.
        public init(keep: String, feed: String? = nil) {
            self.keep = keep
            self.feed = feed
        }
    }

    public struct Playlist: Equatable, Sendable {
        /// By what it is called.
        public var name: String
        /// Which episodes it has, as filters are written.
        public var filter: String
        /// Whether the oldest come first.
        public var isOldestFirst: Bool
        public init(name: String, filter: String, isOldestFirst: Bool = false) {
            self.name = name
            self.filter = filter
            self.isOldestFirst = isOldestFirst
        }
    }

    /// In their order: the first that fits decides.
    public var rules: [Rule]
    /// One for each feed with a separate policy, and one for all others.
    public var retention: [Retention]
    public var playlists: [Playlist]

    public init(rules: [Rule] = [], retention: [Retention] = [], playlists: [Playlist] = []) {
        self.rules = rules
        self.retention = retention
        self.playlists = playlists
    }

    /// Whether nothing was decided.
    public var isEmpty: Bool { rules.isEmpty && retention.isEmpty && playlists.isEmpty }
}

/// The result of importing policies.
public struct PolicyImportCounts: Equatable, Sendable {
    /// Counts of one kind.
    public struct Count: Equatable, Sendable {
        public var added = 0
        /// Number already present: the same rule, or another policy or playlist of the same name, which stays.
        public var known = 0
        public init() {}
    }

    public var rules = Count()
    public var retention = Count()
    public var playlists = Count()
    /// What was left out, and why.
    public var refused: [String] = []
    /// Nothing was brought in.
    public init() {}

    public var added: Int { rules.added + retention.added + playlists.added }
    public var known: Int { rules.known + retention.known + playlists.known }
}
