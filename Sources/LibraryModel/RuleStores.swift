public import EpisodeRules
public import PodcastModel

/// Rules: what happens by itself to new episodes.
public protocol RuleStore {
    /// All rules, or those that look at one feed, in their order.
    func rules(for feed: FeedID?) throws(LibraryError) -> [EpisodeRule]
    /// Adds a rule behind all others. Committed before it returns. What is in the library already stays as it is.
    func addRule(_ text: RuleText, feed: FeedID?) throws(LibraryError) -> EpisodeRule
    /// Replaces the text of a rule, which keeps its place and its feed; what it did stays. Committed before it returns.
    func changeRule(_ id: RuleID, to text: RuleText) throws(LibraryError)
    /// Takes a rule away; what it did stays. Committed before it returns.
    func removeRule(_ id: RuleID) throws(LibraryError)
    /// Moves a rule to `index`, from 0. Committed before it returns.
    func moveRule(_ id: RuleID, to index: Int) throws(LibraryError)
    /// What the rules would do with stored episodes, the newest first; nothing is changed.
    func tryRules(
        feed: FeedID?, at now: Timestamp, page anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> (trials: [RuleTrial], hasAfter: Bool)
    /// Judges episodes that came since there are rules, each once. One short commit.
    ///
    /// - Parameter nextIndex: the place in the queue, from 0, of what is played next; nil: after the current entry.
    func judgeNewEpisodes(nextIndex: Int?, at now: Timestamp) throws(LibraryError) -> RuleOutcome
    /// Judges stored episodes that are new and that no rule has done anything with, oldest first. One short commit.
    ///
    /// - Parameters:
    ///   - place: where to continue; nil for the start.
    ///   - nextIndex: as for new ones.
    func judgeStoredEpisodes(
        feed: FeedID?, after place: EpisodeKey?, nextIndex: Int?, at now: Timestamp
    ) throws(LibraryError) -> (outcome: RuleOutcome, next: EpisodeKey?)
    /// What a rule did with an episode; nil when none did anything.
    func ruleAct(on id: EpisodeID) throws(LibraryError) -> RuleAct?
}

/// What rules would do with an episode, and why.
public struct RuleTrial: Equatable, Sendable {
    public var episode: Episode
    public var decision: RuleDecision
    /// A trial with its outcome.
    public init(episode: Episode, decision: RuleDecision) {
        self.episode = episode
        self.decision = decision
    }
}

/// What judging some episodes did.
public struct RuleOutcome: Equatable, Sendable {
    /// Episodes that were judged.
    public var judged = 0
    /// Episodes with which a rule did something.
    public var changed: [EpisodeID] = []
    /// Whether the queue is another one now.
    public var isQueueChanged = false
    /// Whether more wait for being judged.
    public var hasMore = false
    public init() {}
}

/// What a rule did with an episode when it was new.
public struct RuleAct: Equatable, Sendable {
    /// The rule's number; it may be gone by now.
    public var rule: RuleID
    /// What it did, as rules are written.
    public var action: String
    public var time: Timestamp
    /// An act of its parts.
    public init(rule: RuleID, action: String, time: Timestamp) {
        self.rule = rule
        self.action = action
        self.time = time
    }
}

/// Retention: how much of a feed stays in the views.
public protocol RetentionStore {
    /// What is kept of all feeds (nil), and of single ones, which goes before.
    func retention() throws(LibraryError) -> [(feed: FeedID?, policy: RetentionPolicy)]
    /// Says what is kept of a feed, or of all without their own; nil takes the word back. Committed before it returns.
    /// What only the former word kept out of the views comes back by `restoreKept`.
    func setRetention(_ policy: RetentionPolicy?, of feed: FeedID?) throws(LibraryError)
    /// Feeds of which something may be dropped now. That they were asked for is remembered for an hour, so that asking
    /// at every refresh costs nothing; a changed policy is due at once.
    func feedsUnderRetention(at now: Timestamp) throws(LibraryError) -> [FeedID]
    /// Hides episodes of a feed that its policy drops. One short commit.
    /// - Returns: them; there may be more when the list is not empty.
    func archiveDropped(of feed: FeedID, at now: Timestamp) throws(LibraryError) -> [EpisodeID]
    /// Brings back what was dropped and is kept by the policies as they are now, after they were changed. One short commit.
    /// - Returns: the episodes, and whether more may come.
    func restoreKept(at now: Timestamp) throws(LibraryError) -> (episodes: [EpisodeID], hasMore: Bool)
    /// What the policies would drop now, feed by feed; nothing is changed.
    /// - Parameters:
    ///   - feed: only of this feed.
    ///   - policies: those to apply, in the form of `retention()`; nil for those that are set.
    ///   - episode: the one before the page; nil for the first page.
    /// - Returns: at most `limit` episodes, and how many there are.
    /// - Throws: `refused` if `episode` would not be dropped any more.
    func tryRetention(
        feed: FeedID?, policies: [(feed: FeedID?, policy: RetentionPolicy)]?, at now: Timestamp,
        after episode: EpisodeID?, limit: Int
    ) throws(LibraryError) -> (episodes: [(episode: Episode, reason: RetentionReason)], count: Int)
}

/// Smart playlists: filters by name.
public protocol SmartPlaylistStore {
    /// All of them by name.
    func smartPlaylists() throws(LibraryError) -> [SmartPlaylist]
    /// The one of that name without regard to case; nil when there is none.
    func smartPlaylist(named name: String) throws(LibraryError) -> SmartPlaylist?
    /// Saves one; it takes the place of another of that name. Committed before it returns.
    func savePlaylist(_ playlist: SmartPlaylist) throws(LibraryError)
    /// Removes one. Committed before it returns.
    func removePlaylist(named name: String) throws(LibraryError)
    /// The feeds that a filter names and that are not subscribed to any more: nothing matches their conditions.
    func missingFeeds(in filter: EpisodeExpression) throws(LibraryError) -> [MissingFeed]
}

/// A feed that a filter names and that is gone.
public struct MissingFeed: Equatable, Sendable {
    public var id: FeedID
    /// Its last title; nil if it was deleted before titles were kept.
    public var title: String?

    public init(id: FeedID, title: String?) { (self.id, self.title) = (id, title) }
}

/// A filter that was saved by name; its episodes are looked up each time.
public struct SmartPlaylist: Equatable, Sendable {
    /// Bytes that a name may have.
    public static let maximumNameLength = 100

    /// Whether a playlist may be called so: one line, and not a long one.
    public static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= maximumNameLength
            && SafeText.isOneLine(name)
    }

    /// By what it is called.
    public var name: String
    /// Which episodes it has, with feeds by their numbers.
    public var filter: EpisodeExpression
    /// Which of them come first.
    public var order: EpisodeOrder
    /// A playlist of its parts.
    public init(name: String, filter: EpisodeExpression, order: EpisodeOrder = .newestFirst) {
        self.name = name
        self.filter = filter
        self.order = order
    }
}
