public import PodcastModel
public import SQLite

/// The column `feed.kind`.
public enum FeedKind: Int, SQLBindable {
    case subscribed = 0
    /// The feed of single files, which were played by URL or from local files.
    case loose = 1
    /// A removed feed, or the feed of episodes that were merged into others.
    case hidden = 2
}

/// The column `episode.section`.
public enum Section: Int, SQLBindable, SQLReadable, CaseIterable {
    case new = 0
    case inProgress = 1
    case played = 2

    /// All values, for `IN (…)`: lets SQLite use an index that starts with this column.
    static let all = allCases.map { String($0.rawValue) }.joinedText(", ")

    /// SQL for the section of an unplayed `episode e`; must match `EpisodeState.isInProgress` and the triggers.
    public static let unplayed = isProgress("coalesce((SELECT p.position FROM playback p WHERE p.episode = e.id), 0)")

    /// SQL: true if `episode e` would be in progress at a position.
    static func isProgress(_ position: String) -> String {
        """
        (\(position) * 100 >= iif(coalesce(measured_duration, duration) BETWEEN 1 AND 3000000,
                coalesce(measured_duration, duration), 3000000))
        """
    }
}

/// The column `episode.visibility`.
public enum Visibility: Int, SQLBindable, CaseIterable {
    case visible = 0
    case skipped = 1
    case archived = 2

    static let all = allCases.map { String($0.rawValue) }.joinedText(", ")
}

extension HiddenReason: SQLReadable {
    /// Reads `episode.visibility`; nil for a visible episode.
    public static func read(_ statement: Statement, _ column: Int32) -> HiddenReason? {
        HiddenReason(stored: statement.int(column))
    }

    init?(stored: Int) {
        switch Visibility(rawValue: stored) {
        case .skipped: self = .skipped
        case .archived: self = .archived
        case .visible, nil: return nil
        }
    }
}

typealias StoredCode = SQLBindable & SQLReadable

extension Timestamp: SQLInteger {
    public var stored: Int64 { milliseconds }
    public init(stored: Int64) { self.init(milliseconds: stored) }
}

extension MediaTime: SQLInteger {
    public var stored: Int64 { milliseconds }
    public init(stored: Int64) { self.init(milliseconds: stored) }
}

protocol StoredID: SQLInteger, LibraryID {}

extension StoredID {
    public var stored: Int64 { rawValue }
    public init(stored: Int64) { self.init(stored) }
}

extension FeedID: StoredID {}
extension EpisodeID: StoredID {}
extension EntryID: StoredID {}
extension RuleID: StoredID {}
extension BookmarkID: StoredID {}

extension EpisodeTextKind: StoredCode {}
extension HistoryRecord.Event: StoredCode {}
extension Act: StoredCode {}
extension IdentityDecision.Kind: StoredCode {}
extension DueReason: StoredCode {}
extension FeedMove.Reason: StoredCode {}
extension PageWalk.Reason: StoredCode {}
extension PageWalk.End: StoredCode {}
extension SyncDevice.Kind: StoredCode {}

extension Row {
    /// Texts that were joined by line breaks; none for NULL.
    func lines(_ name: StaticString) -> [String] {
        let text: String? = self[name]
        return text?.split(separator: "\n").map(String.init) ?? []
    }
}
