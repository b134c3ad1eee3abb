internal import Library
internal import PodcastModel
internal import SQLite

/// Another program's database, read and never written.
///
/// The file is untrusted: only plain tables with known names are read; the time of all statements, the number of rows and the
/// length of texts are limited. One thread.
final class ForeignDatabase {
    /// Maximum time of all statements together, without the time to process their rows. A phone's library of a million
    /// episodes takes a few seconds.
    static let readingLimit = Duration.seconds(20)
    /// Bytes of a text; a longer one is cut.
    static let maximumTextBytes = 16 << 10
    static let maximumFeeds = 20_000
    static let maximumEpisodes = 2_000_000

    let program: ForeignProgram
    /// podboat's queue, whose episodes are imported even if newsboat knows nothing else of them.
    var queue: PodboatQueue?
    private let connection: Connection
    private let readingTime: ReadingTime
    private let tables: Set<String>
    private var columnNames: [String: Set<String>] = [:]

    /// Opens a database and detects the program that wrote it.
    ///
    /// - Parameters:
    ///   - path: a file that does not change meanwhile; a write-ahead log beside it is not read.
    ///   - clock: monotonic time since any instant.
    init(path: String, clock: (() -> Duration)? = nil) throws(MovingError) {
        let start = ContinuousClock.now
        let readingTime = ReadingTime(clock ?? { ContinuousClock.now - start })
        self.readingTime = readingTime
        let found: Set<String>
        do throws(SQLiteError) {
            connection = try Connection(foreign: path, isOverdue: { readingTime.isOver })
            found = try Self.names(Self.plainTables, in: connection, readingTime)
        } catch {
            throw MovingError(error, readingTime)
        }
        if found.isSuperset(of: ["episode", "feed", "queue_entry", "queue_state"]) {
            throw .notRecognized(
                reason: "it is a library of podcastd; to restore it: 'podcastctl help backup'; to add what is in it, "
                    + "import the output of 'podcast-refresh --data-dir FOLDER export --state'")
        }
        guard let program = ForeignProgram.allCases.first(where: { found.isSuperset(of: $0.tables) }) else {
            throw .notRecognized(reason: "the database of an unknown program")
        }
        tables = found
        self.program = program
    }

    /// Names of tables, without views and virtual tables, which could run code.
    private static let plainTables =
        "SELECT lower(name) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 200"

    private static func names(
        _ sql: String, in connection: Connection, _ readingTime: ReadingTime
    ) throws(SQLiteError) -> Set<String> {
        let query = try connection.statement(sql)
        defer { query.reset() }
        var names: Set<String> = []
        while try readingTime.step(query) { names.insert(query.text(0)) }
        return names
    }

    /// Reads all feeds, then the episodes with a state, feed by feed.
    ///
    /// - Parameter take: returns whether more records are wanted.
    func read(_ take: (PortableRecord) -> Bool) throws(MovingError) {
        do throws(SQLiteError) {
            let queries =
                switch program {
                case .gpodder: try gPodderQueries()
                case .castero: try casteroQueries()
                case .newsboat: try newsboatQueries()
                case .antennapod: try antennaPodQueries()
                }
            let isWhole = try readRows(queries.feeds) { take(.feed(queries.feed($0))) }
            if !isWhole { return }
            _ = try readRows(queries.episodes) { row in
                guard let (episode, feed) = queries.episode(row) else { return true }
                return take(.episode(episode, feed: feed))
            }
        } catch {
            throw MovingError(error, readingTime)
        }
    }

    // MARK: for the formats

    func has(_ table: String) -> Bool { tables.contains(table.lowercased()) }

    /// A column, or NULL if this version of the program does not have it.
    func column(_ name: String, of table: String, prefix: String = "") throws(SQLiteError) -> String {
        if columnNames[table] == nil {
            let columns = "SELECT lower(name) FROM pragma_table_info('\(table)')"
            columnNames[table] = try Self.names(columns, in: connection, readingTime)
        }
        return columnNames[table]?.contains(name.lowercased()) == true ? prefix + "\"\(name)\"" : "NULL"
    }

    /// Reads the rows of a statement. Returns false if no more were wanted.
    private func readRows(_ sql: String, _ take: (Statement) -> Bool) throws(SQLiteError) -> Bool {
        let query = try connection.statement(sql)
        defer { query.reset() }
        while try readingTime.step(query) {
            if !take(query) { return false }
        }
        return true
    }

    /// The statements for a program's feeds and for its episodes with a state, and the meaning of their rows.
    struct Queries {
        let feeds: String
        let episodes: String
        let feed: (Statement) -> PortableFeed
        /// The episode and its feed's URL; nil for an episode without a state.
        let episode: (Statement) -> (PortableEpisode, feed: String)?
    }

    /// Moves the rows of the write-ahead log beside a copy of a database into the copy.
    ///
    /// - Parameter path: a file that no other program uses, with its log beside it as `PATH-wal`.
    static func checkpointLog(ofCopy path: String) throws(MovingError) {
        let copy = try mapError(of: Connection(path: path, busyTimeout: .zero, cacheKiB: 2048)) { MovingError($0) }
        try mapError(of: copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")) { MovingError($0) }
    }
}

/// The time that a database's statements have taken together.
private final class ReadingTime {
    private let clock: () -> Duration
    private var spent = Duration.zero
    private var stepBegan: Duration?

    init(_ clock: @escaping () -> Duration) { self.clock = clock }

    /// Whether the limit is exceeded; also checked within a step.
    var isOver: Bool {
        let now = stepBegan.map { clock() - $0 } ?? .zero
        return spent + now > ForeignDatabase.readingLimit
    }

    /// Moves to the next row of a statement and adds the time it takes.
    func step(_ query: Statement) throws(SQLiteError) -> Bool {
        let began = clock()
        stepBegan = began
        defer {
            spent += clock() - began
            stepBegan = nil
        }
        return try query.step()
    }
}

extension MovingError {
    fileprivate init(_ error: SQLiteError, _ time: ReadingTime? = nil) {
        if time?.isOver ?? false {
            self = .damaged("reading it takes longer than \(ForeignDatabase.readingLimit.components.seconds) seconds")
            return
        }
        switch error.code {
        case .notADatabase: self = .notRecognized(reason: "no database")
        default: self = .damaged(error.message)
        }
    }
}

extension Statement {
    /// An instant of whole seconds; nil for NULL and 0, which mean "never".
    func instant(seconds column: Int32) -> Timestamp? {
        let value = int64(column)
        return value > 0 && value < 1 << 40 ? Timestamp(seconds: value) : nil
    }

    /// An instant of milliseconds; nil for NULL and 0.
    func instant(milliseconds column: Int32) -> Timestamp? {
        let value = int64(column)
        return value > 0 && value < 1 << 50 ? Timestamp(milliseconds: value) : nil
    }

    /// A time of whole seconds, at least 0.
    func span(seconds column: Int32) -> MediaTime {
        MediaTime(milliseconds: min(max(int64(column), 0), 1 << 30) * 1000)
    }

    /// A time of milliseconds, at least 0.
    func span(milliseconds column: Int32) -> MediaTime { MediaTime(milliseconds: min(max(int64(column), 0), 1 << 40)) }

    /// A text that is not empty, cut to what a record may hold.
    func word(_ column: Int32) -> String? {
        guard let text = optionalText(column), !text.isEmpty else { return nil }
        if text.utf8.count <= ForeignDatabase.maximumTextBytes { return text }
        return String(utf8: text.utf8.prefix(ForeignDatabase.maximumTextBytes))
    }

    /// A text that names something, such as a URL; empty if it is longer than a record may hold, because a part of it would
    /// name something else.
    func name(_ column: Int32) -> String {
        let text = text(column)
        return text.utf8.count <= ForeignDatabase.maximumTextBytes ? text : ""
    }

    /// As `name`; nil if there is none.
    func identifier(_ column: Int32) -> String? {
        let name = name(column)
        return name.nonEmpty
    }
}
