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
    func recordFinalAct(_ kind: Act, title: String, _ reason: String) throws(LibraryError)
    /// Records changes of the daemon's settings, so that they can be undone. If no value differs, nothing is recorded. Changes of
    /// the volume within a minute are one act. So are an import and the settings of the imported document. Committed before the
    /// function returns.
    ///
    /// - Parameters:
    ///   - kind: `set`, `speed` or `imported`.
    ///   - title: what it was done to.
    func recordSettings(
        _ changes: [SettingChange], as kind: Act, title: String, at now: Timestamp
    ) throws(LibraryError)
    /// Makes all acts in `body` one. Each is still committed by itself, so a killed process leaves the first of them.
    func act<Result, Failure: Error>(
        _ kind: Act, title: String?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result
    /// The steps that `turnLast` would take, in its order.
    func steps(_ direction: UndoDirection, at now: Timestamp) throws(LibraryError) -> [UndoableAct]
}

extension HistoryStore {
    /// Notes that the login of a feed was changed, or a part of the login. Passwords are not kept for undo.
    public func recordLoginAct(_ part: String, of feed: Feed) throws(LibraryError) {
        try recordFinalAct(.set, title: "\(part) of \(feed.title)", "former logins are not kept; set it again")
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
    public var kind: Act
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
    public var outcome: Act.Outcome?
    /// The daemon's settings that changed now.
    public var settings: [ClientSetting] = []
    /// Episodes whose files are to be fetched again, and those whose files are to be deleted now.
    public var requested: [EpisodeID] = []
    public var dropped: [EpisodeID] = []
    /// Why it cannot be undone, in one sentence; then nothing was changed.
    public var obstacle: String?

    /// A step with its episodes.
    public init(kind: Act, title: String? = nil, episodes: [Episode] = [], obstacle: String? = nil) {
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
