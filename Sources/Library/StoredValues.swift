internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// What a feed is: `feed.kind`.
enum FeedKind: Int, SQLBindable {
    case subscribed = 0
    /// The feed of single files, which were played by URL or handed over.
    case loose = 1
    /// A feed that was removed, or the one that holds episodes that were merged into others.
    case hidden = 2
}

/// How far an episode was heard: `episode.section`.
enum Section: Int, SQLBindable, SQLReadable {
    case new = 0
    case inProgress = 1
    case played = 2

    init(of state: EpisodeState) { self = state.isPlayed ? .played : state.position > .zero ? .inProgress : .new }
}

/// Whether views hide an episode: `episode.aside`.
enum Aside: Int, SQLBindable {
    case none = 0
    case skipped = 1
    case archived = 2
}

extension SetAside: StoredCode {
    var sqlValue: SQLValue {
        switch self {
        case .skipped: .integer(1)
        case .archived: .integer(2)
        }
    }

    /// Reads `episode.aside`; nil for an episode that is not hidden.
    static func read(_ statement: Statement, _ column: Int32) -> SetAside? { SetAside(stored: statement.int(column)) }

    init?(stored: Int) {
        switch Aside(rawValue: stored) {
        case .skipped: self = .skipped
        case .archived: self = .archived
        case .some(.none), nil: return nil
        }
    }
}

/// A public type that can be bound and read; the protocols themselves are not visible outside of this module.
protocol StoredCode: SQLBindable, SQLReadable {}

/// A public type that is read from a row.
protocol Record: FetchableRecord {}

/// A value that is stored as one integer.
protocol StoredInteger: SQLBindable, SQLDefaulting {
    var stored: Int64 { get }
    init(stored: Int64)
}

extension StoredInteger {
    var sqlValue: SQLValue { .integer(stored) }
    static func read(_ statement: Statement, _ column: Int32) -> Self? {
        statement.optionalInt64(column).map(Self.init(stored:))
    }
    static var sqlDefault: Self { Self(stored: 0) }
}

extension Timestamp: StoredInteger {
    var stored: Int64 { milliseconds }
    init(stored: Int64) { self.init(milliseconds: stored) }
}

extension MediaTime: StoredInteger {
    var stored: Int64 { milliseconds }
    init(stored: Int64) { self.init(milliseconds: stored) }
}

extension FeedID: StoredInteger {
    var stored: Int64 { rawValue }
    init(stored: Int64) { self.init(stored) }
}

extension EpisodeID: StoredInteger {
    var stored: Int64 { rawValue }
    init(stored: Int64) { self.init(stored) }
}

extension EntryID: StoredInteger {
    var stored: Int64 { rawValue }
    init(stored: Int64) { self.init(stored) }
}

extension RuleID: StoredInteger {
    var stored: Int64 { rawValue }
    init(stored: Int64) { self.init(stored) }
}

extension DecisionID: StoredInteger {
    var stored: Int64 { rawValue }
    init(stored: Int64) { self.init(stored) }
}

extension EpisodeKind: StoredCode {}
extension EpisodeTextKind: StoredCode {}
extension HistoryRecord.Event: StoredCode {}
extension UndoneStep.Kind: StoredCode {}
extension IdentityDecision.Kind: StoredCode {}
extension DueReason: StoredCode {}
extension FeedMove.Reason: StoredCode {}
extension PageWalk.Reason: StoredCode {}
extension PageWalk.End: StoredCode {}

extension Row {
    /// Texts that were joined by line breaks; none for NULL.
    func lines(_ name: StaticString) -> [String] {
        let text: String? = self[name]
        return text?.split(separator: "\n").map(String.init) ?? []
    }
}
