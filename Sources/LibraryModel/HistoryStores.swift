public import PodcastModel

/// The history of playback and marks, and undo.
public protocol HistoryStore {
    /// A page of the history, newest first, starting after `key`; nil for the first page.
    /// - Parameter heardOnly: true to omit marks, seeks and the actions of rules.
    func history(after key: HistoryKey?, limit: Int, heardOnly: Bool) throws(LibraryError) -> [HistoryRecord]
    /// Records where a seek started, for undo. Seeks in quick succession count as one.
    func recordSeek(of id: EpisodeID, from position: MediaTime, at now: Timestamp) throws(LibraryError)
    /// Undoes the newest action that is not undone yet; or redoes the last undone action, if no other action followed.
    /// Skips actions with no remaining effect. Committed before it returns.
    /// - Parameter step: id of another step to undo or redo.
    /// - Returns: nil if there is no step.
    func turnLast(_ direction: UndoDirection, step: Int64?, at now: Timestamp) throws(LibraryError) -> UndoneStep?
    /// Notes an act that cannot be undone: `turnLast` returns it once, with the reason, instead of undoing an earlier act.
    func recordFinalAct(_ kind: Act, title: String, _ reason: String) throws(LibraryError)
    /// Records changes of the daemon's settings, so that they can be undone. If no value differs, nothing is recorded. Changes of
    /// the volume within a minute are one act. So are an import and the settings of the imported document. Committed before the
    /// function returns.
    ///
    /// - Parameters:
    ///   - kind: `set`, `speed` or `imported`.
    ///   - title: the changed object, for people.
    func recordSettings(
        _ changes: [SettingChange], as kind: Act, title: String, at now: Timestamp
    ) throws(LibraryError)
    /// Groups the actions in `body` into one undo step. Each is committed separately, so a kill may leave a part.
    func act<Result, Failure: Error>(
        _ kind: Act, title: String?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result
    /// The steps that `turnLast` would take, in its order.
    func steps(_ direction: UndoDirection, at now: Timestamp) throws(LibraryError) -> [UndoableAct]
}

extension HistoryStore {
    /// Records that a feed's login, or part of it, was changed. Passwords are not kept for undo.
    public func recordLoginAct(_ part: String, of feed: Feed) throws(LibraryError) {
        try recordFinalAct(.set, title: "\(part) of \(feed.title)", "former logins are not kept; set it again")
    }
}

/// The place of a line in the history: the latest first, what the user did before what rules did at the same time.
public struct HistoryKey: Equatable, Sendable {
    public var time: Timestamp
    public var isOfRule: Bool
    /// The number of a user's line, or the episode of a rule's line.
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
    public func history(limit: Int) throws(LibraryError) -> [HistoryRecord] {
        try history(after: nil, limit: limit, heardOnly: false)
    }
}

/// Undo or redo.
public enum UndoDirection: Sendable {
    case undo
    case redo

    public var opposite: UndoDirection {
        switch self {
        case .undo: .redo
        case .redo: .undo
        }
    }
}

/// A step that was undone or redone.
public struct UndoneStep: Equatable, Sendable {
    public var kind: Act
    /// What it was done to, unless episodes say it: a feed, a rule, a playlist, a file.
    public var title: String?
    public var episodes: [Episode]
    public var feeds: [FeedID] = []
    /// True if this step changed the queue; `entries` is the number of changed entries.
    public var isQueueChanged = false
    public var entries = 0
    /// What became of a playlist, rule or bookmark; nil for an act on other things, or on several of these.
    public var outcome: Act.Outcome?
    /// The daemon's settings that changed now.
    public var settings: [ClientSetting] = []
    /// Episodes to download again, and episodes whose files must be deleted.
    public var requested: [EpisodeID] = []
    public var dropped: [EpisodeID] = []
    /// Why the action cannot be undone, in one sentence; nothing was changed then.
    public var obstacle: String?

    /// A step with its episodes.
    public init(kind: Act, title: String? = nil, episodes: [Episode] = [], obstacle: String? = nil) {
        self.kind = kind
        self.title = title
        self.episodes = episodes
        self.obstacle = obstacle
    }
}

/// A setting of the daemon with the value that clients set; nil if they set none.
public struct ClientSetting: Equatable, Sendable {
    /// Name for the volume, which is not in the configuration.
    public static let volume = "volume"

    public var name: String
    public var value: String?

    public init(name: String, value: String?) { (self.name, self.value) = (name, value) }
}

/// The values of a setting before and after a change; nil if clients set none.
public struct SettingChange: Equatable, Sendable {
    public var name: String
    public var old: String?
    public var new: String?

    public init(_ name: String, from old: String?, to new: String?) {
        (self.name, self.old, self.new) = (name, old, new)
    }
}
