public import EpisodeRules
public import PodcastModel

/// Rules for new episodes.
public protocol RuleStore {
    /// All rules, or the rules that apply to one feed, in order.
    func rules(for feed: FeedID?) throws(LibraryError) -> [EpisodeRule]
    /// Adds a rule at the end. Stored episodes stay unchanged. Committed before it returns.
    func addRule(_ text: RuleText, feed: FeedID?) throws(LibraryError) -> EpisodeRule
    /// Replaces the text of a rule, which keeps place and feed. Earlier actions stay. Committed before it returns.
    func changeRule(_ id: RuleID, to text: RuleText) throws(LibraryError)
    /// Removes a rule; its earlier actions stay. Committed before it returns.
    func removeRule(_ id: RuleID) throws(LibraryError)
    /// Moves a rule to `index`, from 0. Committed before it returns.
    func moveRule(_ id: RuleID, to index: Int) throws(LibraryError)
    /// The actions that the rules would take on stored episodes, newest first; changes nothing.
    func tryRules(
        feed: FeedID?, at now: Timestamp, page anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> (trials: [RuleTrial], hasAfter: Bool)
    /// Applies the rules once to the episodes that arrived since there are rules. One short commit.
    /// - Parameter nextIndex: queue index, from 0, for episodes to play next; nil: after the current entry.
    func judgeNewEpisodes(nextIndex: Int?, at now: Timestamp) throws(LibraryError) -> RuleOutcome
    /// Applies the rules to new stored episodes on which no rule has acted, oldest first. One short commit.
    /// - Parameters:
    ///   - place: where to continue; nil for the start.
    ///   - nextIndex: queue index, from 0, for episodes to play next; nil: after the current entry.
    func judgeStoredEpisodes(
        feed: FeedID?, after place: EpisodeKey?, nextIndex: Int?, at now: Timestamp
    ) throws(LibraryError) -> (outcome: RuleOutcome, next: EpisodeKey?)
    /// The action of a rule on an episode; nil if there was none.
    func ruleAct(on id: EpisodeID) throws(LibraryError) -> RuleAct?
}

/// The actions that the rules would take on an episode, with their reasons.
public struct RuleTrial: Equatable, Sendable {
    public var episode: Episode
    public var decision: RuleDecision
    public init(episode: Episode, decision: RuleDecision) {
        self.episode = episode
        self.decision = decision
    }
}

/// Result of applying the rules to some episodes.
public struct RuleOutcome: Equatable, Sendable {
    /// Number of episodes to which the rules were applied.
    public var judged = 0
    public var changed: [EpisodeID] = []
    public var isQueueChanged = false
    public var hasMore = false
    public init() {}
}

/// The action of a rule on an episode.
public struct RuleAct: Equatable, Sendable {
    /// The rule's id; the rule may have been removed.
    public var rule: RuleID
    /// The action in the rule language.
    public var action: String
    public var time: Timestamp
    public init(rule: RuleID, action: String, time: Timestamp) {
        self.rule = rule
        self.action = action
        self.time = time
    }
}

/// Retention: how many episodes of a feed stay in lists.
public protocol RetentionStore {
    /// The default policy (feed nil) and the policies of single feeds, which take precedence.
    func retention() throws(LibraryError) -> [(feed: FeedID?, policy: RetentionPolicy)]
    /// Sets the policy of a feed, or the default policy; nil removes the policy. Committed before it returns.
    /// `restoreKept` brings back episodes that only the former policy hid.
    func setRetention(_ policy: RetentionPolicy?, of feed: FeedID?) throws(LibraryError)
    /// Feeds with episodes that their policy may drop now. A returned feed is not returned again for an hour, so that
    /// calling this at every refresh costs nothing; a changed policy is due at once.
    func feedsUnderRetention(at now: Timestamp) throws(LibraryError) -> [FeedID]
    /// Hides episodes of a feed that its policy drops. One short commit.
    /// - Returns: the hidden episodes; if not empty, there may be more.
    func archiveDropped(of feed: FeedID, at now: Timestamp) throws(LibraryError) -> [EpisodeID]
    /// Brings back hidden episodes that the changed policies keep. One short commit.
    /// - Returns: the episodes, and whether more may come.
    func restoreKept(at now: Timestamp) throws(LibraryError) -> (episodes: [EpisodeID], hasMore: Bool)
    /// The episodes that the policies would drop now, by feed; changes nothing.
    /// - Parameters:
    ///   - policies: policies to apply, as in `retention()`; nil for the stored policies.
    ///   - episode: the last episode of the previous page; nil for the first page.
    /// - Returns: at most `limit` episodes, and the total number.
    /// - Throws: `refused` if `episode` would not be dropped any more.
    func tryRetention(
        feed: FeedID?, policies: [(feed: FeedID?, policy: RetentionPolicy)]?, at now: Timestamp,
        after episode: EpisodeID?, limit: Int
    ) throws(LibraryError) -> (episodes: [(episode: Episode, reason: RetentionReason)], count: Int)
}

/// Smart playlists: named filters.
public protocol SmartPlaylistStore {
    /// All smart playlists, ordered by name.
    func smartPlaylists() throws(LibraryError) -> [SmartPlaylist]
    /// The playlist with this name, ignoring case; nil if there is none.
    func smartPlaylist(named name: String) throws(LibraryError) -> SmartPlaylist?
    /// Saves a playlist; replaces a playlist of the same name. Committed before it returns.
    func savePlaylist(_ playlist: SmartPlaylist) throws(LibraryError)
    /// Removes a playlist. Committed before it returns.
    func removePlaylist(named name: String) throws(LibraryError)
    /// The feeds in a filter that are not subscribed any more. Conditions with such feeds match nothing.
    func missingFeeds(in filter: EpisodeExpression) throws(LibraryError) -> [MissingFeed]
}

/// A feed that a filter names and that does not exist any more.
public struct MissingFeed: Equatable, Sendable {
    public var id: FeedID
    /// The feed's last title; nil if the feed was deleted before titles were kept.
    public var title: String?

    public init(id: FeedID, title: String?) { (self.id, self.title) = (id, title) }
}

/// A named filter; the episodes are looked up on each use.
public struct SmartPlaylist: Equatable, Sendable {
    /// Maximum length of a name in bytes.
    public static let maximumNameLength = 100

    /// True if a playlist may have this name: one line of limited length.
    public static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= maximumNameLength
            && SafeText.isOneLine(name)
    }

    public var name: String
    /// The filter, with feeds by id.
    public var filter: EpisodeExpression
    public var order: EpisodeOrder
    public init(name: String, filter: EpisodeExpression, order: EpisodeOrder = .newestFirst) {
        self.name = name
        self.filter = filter
        self.order = order
    }
}
