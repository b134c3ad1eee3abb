internal import LibraryModel
internal import PodcastModel
internal import SQLite

/// Another program's database, read and never written.
///
/// Its file is a stranger's: only plain tables that are known by name are read, every statement together may take a
/// bounded number of steps, and texts are bounded. One thread.
public final class ForeignDatabase {
    /// Thousands of steps of SQLite's machine for all statements: some 20 s.
    private static let thousandSteps: Int32 = 2_000_000
    /// Feeds that are read.
    static let maximumFeeds = 20_000
    /// Episodes that are read.
    static let maximumEpisodes = 2_000_000

    /// Whose it is.
    public let program: ForeignProgram
    let connection: Connection
    private let tables: Set<String>
    private var columnNames: [String: Set<String>] = [:]

    /// Opens a database and finds out whose it is.
    ///
    /// - Parameter path: a file that nobody changes meanwhile; a log beside it is not read.
    public init(path: String) throws(MovingError) {
        let found: Set<String>
        do throws(SQLiteError) {
            connection = try Connection(foreign: path, thousandSteps: Self.thousandSteps)
            found = try Self.plainTables(of: connection)
        } catch {
            throw MovingError(error)
        }
        guard let program = ForeignProgram.allCases.first(where: { found.isSuperset(of: $0.tables) }) else {
            throw .notRecognized(reason: "a database of a program that is not known here")
        }
        tables = found
        self.program = program
    }

    /// Names of tables in lower case. A view or a virtual table could stand for anything.
    private static func plainTables(of connection: Connection) throws(SQLiteError) -> Set<String> {
        let query = try connection.statement(
            "SELECT lower(name) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' LIMIT 200")
        defer { query.reset() }
        var names: Set<String> = []
        while try query.step() { names.insert(query.text(0)) }
        return names
    }

    /// Reads everything: all feeds first, then episodes with something to keep, feed by feed.
    ///
    /// - Parameter take: returns whether more records are wanted.
    public func read(_ take: (CarriedRecord) -> Bool) throws(MovingError) {
        let isWhole: Bool
        do throws(SQLiteError) {
            isWhole =
                switch program {
                case .gpodder: try readGPodder(take)
                case .castero: try readCastero(take)
                case .newsboat: try readNewsboat(take)
                case .antennapod: try readAntennaPod(take)
                }
        } catch {
            throw MovingError(error)
        }
        if !isWhole { throw .stopped }
    }

    // MARK: for the programs

    /// Whether there is a plain table of that name.
    func has(_ table: String) -> Bool { tables.contains(table.lowercased()) }

    /// A column, or NULL where this version of the program has none of that name.
    func column(_ name: String, of table: String, prefix: String = "") throws(SQLiteError) -> String {
        if columnNames[table] == nil {
            let query = try connection.statement("SELECT lower(name) FROM pragma_table_info(?)")
            defer { query.reset() }
            try query.bind(1, table)
            var names: Set<String> = []
            while try query.step() { names.insert(query.text(0)) }
            columnNames[table] = names
        }
        return columnNames[table]?.contains(name.lowercased()) == true ? prefix + "\"\(name)\"" : "NULL"
    }

    /// Hands on what the rows of a statement are, until there are no more or no more are wanted.
    func hand(
        _ sql: String, to take: (CarriedRecord) -> Bool, _ record: (Statement) -> CarriedRecord?
    ) throws(SQLiteError) -> Bool {
        let query = try connection.statement(sql)
        defer { query.reset() }
        while try query.step() {
            if let record = record(query), !take(record) { return false }
        }
        return true
    }
}

extension MovingError {
    /// What an error of SQLite means for an import.
    init(_ error: SQLiteError) {
        switch error.code {
        case .notADatabase: self = .notRecognized(reason: "no database")
        default: self = .damaged(error.message)
        }
    }
}

extension Statement {
    /// An instant of whole seconds; nil for NULL and 0, with which these programs say "never".
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
    func span(milliseconds column: Int32) -> MediaTime {
        MediaTime(milliseconds: min(max(int64(column), 0), 1 << 40))
    }

    /// A text that is not empty.
    func word(_ column: Int32) -> String? { optionalText(column).flatMap { $0.isEmpty ? nil : $0 } }
}

extension ForeignDatabase {
    /// Takes the log beside a copy of a database into it, so that the copy is whole by itself.
    ///
    /// - Parameter path: a file that is nobody else's, with its log beside it as `PATH-wal`.
    public static func foldLog(intoCopy path: String) throws(MovingError) {
        do throws(SQLiteError) {
            let copy = try Connection(path: path, busyTimeout: 0, cacheKiB: 2048)
            try copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            throw MovingError(error)
        }
    }
}
