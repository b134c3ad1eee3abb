public import PodcastModel

/// The history of playback and marks, and how to undo it.
public protocol HistoryStore {
    /// A page of the history, newest first, from the line after a key on; nil for the first page.
    /// - Parameter heardOnly: whether marks, seeks and what rules did are left out.
    func history(after key: HistoryKey?, limit: Int, heardOnly: Bool) throws(LibraryError) -> [HistoryRecord]
    /// Remembers where a seek left from, so that it can be undone. Seeks that follow one another closely count as one.
    func recordSeek(of id: EpisodeID, from position: MediaTime, at now: Timestamp) throws(LibraryError)
    /// Undoes the last act that was not undone yet, or does the act again that was undone last, if there was no other since.
    /// One of which nothing is left is skipped. Committed before it returns.
    /// - Parameter step: the step to take instead, by its id.
    /// - Returns: nil if there is none.
    func turnLast(_ direction: UndoDirection, step: Int64?, at now: Timestamp) throws(LibraryError) -> UndoneStep?
    /// Notes an act that cannot be undone: `turnLast` returns it once, with the reason, instead of undoing an earlier act.
    func recordFinalAct(_ kind: UndoneStep.Kind, title: String, _ reason: String) throws(LibraryError)
    /// Records changes of the daemon's settings, so that they can be undone. If no value differs, nothing is recorded. Changes of
    /// the volume within a minute are one act. So are an import and the settings of the imported document. Committed before the
    /// function returns.
    ///
    /// - Parameters:
    ///   - kind: `set`, `speed` or `imported`.
    ///   - title: what it was done to.
    func recordSettings(
        _ changes: [SettingChange], as kind: UndoneStep.Kind, title: String, at now: Timestamp
    ) throws(LibraryError)
    /// Makes all acts in `body` one. Each is still committed by itself, so a killed process leaves the first of them.
    func act<Result, Failure: Error>(
        _ kind: UndoneStep.Kind, title: String?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result
    /// The steps that `turnLast` would take, in its order.
    func steps(_ direction: UndoDirection, at now: Timestamp) throws(LibraryError) -> [UndoableStep]
}

extension HistoryStore {
    /// Notes that the login of a feed was changed, or a part of the login. Passwords are not kept for undo.
    public func recordLoginAct(_ part: String, of feed: Feed) throws(LibraryError) {
        try recordFinalAct(.set, title: "\(part) of \(feed.title)", "former logins are not kept; set it again")
    }
}

/// One line of the listening history.
public struct HistoryRecord: Equatable, Sendable {
    public enum Event: Int, Sendable, CaseIterable {
        /// Listening came to rest at the position: a pause, a stop, another episode.
        case heard
        /// A seek left the position.
        case left
        /// It was heard to its end; the position is where it was until then. Lines of older libraries also have it for `marked`.
        case played
        /// It was marked unplayed; the position is where it was until then.
        case unplayed
        /// It was marked as played; the position is where it was until then.
        case marked
        /// A rule put it into the queue; no line is stored.
        case queued
    }

    /// When, by the calendar.
    public var time: Timestamp
    public var event: Event
    public var episode: EpisodeID
    public var title: String
    public var position: MediaTime
    /// Of a rule: which one, as it is written.
    public var reason: String?
    /// Its number among the lines of the user; 0 for one of a rule.
    public var number: Int64

    /// A line made of its parts.
    public init(
        time: Timestamp, event: Event, episode: EpisodeID, title: String, position: MediaTime, reason: String? = nil,
        number: Int64 = 0
    ) {
        self.time = time
        self.event = event
        self.number = number
        self.episode = episode
        self.title = title
        self.position = position
        self.reason = reason
    }
}

/// The place of a line in the history: the latest first, what the user did before what rules did at the same time.
public struct HistoryKey: Equatable, Sendable {
    public var time: Timestamp
    public var isOfRule: Bool
    /// Number of a line of the user, episode of a line of a rule.
    public var id: Int64

    public init(time: Timestamp, isOfRule: Bool, id: Int64) {
        (self.time, self.isOfRule, self.id) = (time, isOfRule, id)
    }

    public init(_ record: HistoryRecord) {
        let isOfRule = record.event == .queued
        self.init(time: record.time, isOfRule: isOfRule, id: isOfRule ? record.episode.rawValue : record.number)
    }
}

extension HistoryStore {
    /// The last entries of the history, newest first.
    public func history(limit: Int) throws(LibraryError) -> [HistoryRecord] {
        try history(after: nil, limit: limit, heardOnly: false)
    }
}

/// Which way an act is taken.
public enum UndoDirection: Sendable {
    case undo
    /// Takes an undo back.
    case redo

    public var opposite: UndoDirection {
        switch self {
        case .undo: .redo
        case .redo: .undo
        }
    }
}

/// A step that was undone, or done again.
public struct UndoneStep: Equatable, Sendable {
    /// What had been done.
    public enum Kind: Int, Sendable, CaseIterable {
        /// Moved within an episode.
        case seek
        /// Marked as played, or heard to the end.
        case markedPlayed
        case markedUnplayed
        /// Took entries out of the queue.
        case removed
        case cleared
        /// Moved an entry of the queue.
        case moved
        case shuffled
        /// Rules queued, marked or hid what came, within about a minute.
        case ruled
        /// Put entries into the queue.
        case added
        case starred
        case unstarred
        /// Wrote, changed or removed a note.
        case noted
        case unsubscribed
        /// Deleted downloaded files, or withdrew requests.
        case deleted
        case subscribed
        /// Changed a setting, of a feed or of the daemon.
        case set
        /// Added, removed or moved a rule.
        case rule
        /// Changed how much is kept in lists.
        case retention
        /// Saved or removed a playlist.
        case playlist
        case downloaded
        /// Made two subscriptions one.
        case feedsMerged
        case imported
        /// Added, changed or removed a bookmark.
        case bookmarked
        /// Changed the playback speed, of a feed or of all.
        case speed

        /// Whether it was the queue that changed.
        public var isOfQueue: Bool {
            switch self {
            case .seek, .markedPlayed, .markedUnplayed, .starred, .unstarred, .noted, .unsubscribed, .deleted,
                .subscribed,
                .set, .rule, .retention, .playlist, .downloaded, .feedsMerged, .imported, .bookmarked, .speed:
                false
            case .removed, .cleared, .moved, .shuffled, .ruled, .added: true
            }
        }
    }

    /// What had been done.
    public var kind: Kind
    /// What it was done to, unless episodes say it: a feed, a rule, a playlist, a file.
    public var title: String?
    /// The episodes whose rows changed now, as they are now.
    public var episodes: [Episode]
    /// The feeds that changed now.
    public var feeds: [FeedID] = []
    /// Whether the queue changed now, and how many of its entries.
    public var isQueueChanged = false
    public var entries = 0
    /// What became of a playlist, rule or bookmark; nil for an act on other things, or on several of these.
    public var outcome: Outcome?
    /// The daemon's settings that changed now.
    public var settings: [ClientSetting] = []
    /// Episodes whose files are to be fetched again, and those whose files are to be deleted now.
    public var requested: [EpisodeID] = []
    public var dropped: [EpisodeID] = []
    /// Why it cannot be undone, in one sentence; then nothing was changed.
    public var obstacle: String?

    public enum Outcome: Sendable { case removed, restored, changed }

    /// A step with its episodes.
    public init(kind: Kind, title: String? = nil, episodes: [Episode] = [], obstacle: String? = nil) {
        self.kind = kind
        self.title = title
        self.episodes = episodes
        self.obstacle = obstacle
    }
}

/// A setting of the daemon, with the value that clients gave it; nil if they gave none.
public struct ClientSetting: Equatable, Sendable {
    /// The name of the volume, which the configuration does not have.
    public static let volume = "volume"

    public var name: String
    public var value: String?

    public init(name: String, value: String?) { (self.name, self.value) = (name, value) }
}

/// The values of a setting before and after a change; nil where clients set none.
public struct SettingChange: Equatable, Sendable {
    public var name: String
    public var old: String?
    public var new: String?

    public init(_ name: String, from old: String?, to new: String?) {
        (self.name, self.old, self.new) = (name, old, new)
    }
}

/// A step that can be undone.
public struct UndoableStep: Equatable, Sendable {
    public var kind: UndoneStep.Kind
    /// Number of its episodes, queue entries or feeds.
    public var count: Int
    /// What it was done to: the title of the first of them, a rule, the name of a playlist or file.
    public var title: String
    /// Why it cannot be undone.
    public var obstacle: String?
    public var id: Int64
    /// Nil for steps of earlier versions.
    public var time: Timestamp?

    public init(
        kind: UndoneStep.Kind, count: Int, title: String, obstacle: String? = nil, id: Int64 = 0, time: Timestamp? = nil
    ) {
        (self.kind, self.count, self.title, self.obstacle) = (kind, count, title, obstacle)
        (self.id, self.time) = (id, time)
    }
}
