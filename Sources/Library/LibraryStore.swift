internal import Glibc
public import LibraryModel
public import PodcastModel
internal import SQLite
public import SystemCalls

/// How one process uses the library.
public struct LibraryOptions: Equatable, Sendable {
    /// Milliseconds to wait for another process's commit before `LibraryError.busy`.
    public var busyTimeout: Int32
    /// Kibibytes of pages to keep in memory.
    public var cacheKiB: Int
    /// Pages of 4 KiB the write-ahead log may grow to before a commit takes it into the file.
    public var checkpointPages: Int

    /// Options made of their parts.
    public init(busyTimeout: Int32, cacheKiB: Int, checkpointPages: Int) {
        self.busyTimeout = busyTimeout
        self.cacheKiB = cacheKiB
        self.checkpointPages = checkpointPages
    }

    /// For the daemon: little memory, since it is idle most of the time.
    public static let daemon = LibraryOptions(busyTimeout: 2_000, cacheKiB: 1_024, checkpointPages: 1_000)
    /// For podcast-refresh: it writes much, waits longer, and its memory goes back to the system soon.
    public static let refresher = LibraryOptions(busyTimeout: 10_000, cacheKiB: 1_024, checkpointPages: 4_000)
}

/// The library in an SQLite file: a connection with its transaction, and a store on it for each port of `LibraryModel`.
///
/// It belongs to the thread that made it. Another process may use the same file at the same time: each transaction
/// takes the write lock at its beginning, waits for the other's commit for a bounded time, and checks that the schema
/// is still the one this program knows. A kill at any instant loses nothing that was committed; what a method's
/// documentation calls committed is also on disk. Others may go with a power cut, positions by `positionSyncInterval`
/// at most.
public final class LibraryStore {
    /// The newest schema this program knows.
    public static let schemaVersion = Migration.all.count
    /// Rows a commit writes at most, so that no other writer waits long.
    static let rowsPerCommit = 200
    /// A transaction in pieces holds the write lock for this time before it commits.
    static let commitInterval = Duration.milliseconds(50)
    /// The listening that a power cut may cost.
    static let positionSyncInterval = Duration.seconds(10)

    /// Milliseconds that a record of a position, or an index that a question needs, waits for another writer, which commits
    /// each `commitInterval`. Another record follows soon, and people may wait behind this one.
    static let recordPatience: Int32 = 200

    /// A transaction that follows within this time after one that waited in vain counts as asked for meanwhile.
    private static let busyInARow = Duration.milliseconds(50)

    let connection: Connection
    /// The file's path.
    public let path: String
    /// The file that was opened; nil when it was gone at once.
    public let file: LibraryFile?
    /// Whether this is `init(readingBeside:)`'s.
    private let isReader: Bool
    /// Milliseconds to wait for another writer.
    private let busyTimeout: Int32
    /// When a transaction last waited as long as it may and did not get the lock.
    private var lastBusy: Instant?
    /// Lets other writers in between two commits of ours.
    private let turnstile: WriterTurnstile
    let clock: any MonotonicClock
    /// Work that bounds searches: processor time of the calling thread, so that a busy machine does not make their pages
    /// short.
    var workTime: () -> Duration = { ProcessFigures.threadTime }
    /// Reads notes as publishers write them; without one they are kept as they are until somebody has one.
    public var notesReader: (any NotesReader)?
    /// What one feed may store; tests make it small.
    var feedLimit: (episodes: Int, bytes: Int64) = (StoredLimits.episodes, StoredLimits.feedBytes)
    /// Which document is being read, for the program that reads documents: the file is made when it is first asked for.
    public private(set) lazy var attempts: (any AttemptRecorder)? = AttemptFile(path: path + "-attempt")
    /// Told how long each commit of changes took.
    public var commitObserver: ((Duration) -> Void)?
    /// The act whose commits are one step of undo.
    var openAct: OpenAct?
    /// What the transaction does that can be undone.
    var recording: ActRecording?
    /// The columns of tables, in their order.
    var tableColumns: [String: [String]] = [:]
    var searches = RecentSearches()
    /// What was counted last.
    var counted: (view: CountedView, count: RowCount)?
    /// When a position was last synced to disk.
    var positionSynced: (episode: EpisodeID, at: Instant)?

    /// Opens the library, makes it when the file is missing, and brings an older schema to the present one, after
    /// writing a backup beside the file (`library.db.v1.backup`).
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - options: how this process uses it.
    ///   - clock: for time limits.
    /// - Throws: `newerSchema` when a newer program made it (the file stays as it is), `damaged`, `readOnly`,
    ///   `diskFull`, `busy` or `storage`.
    public convenience init(
        path: String, options: LibraryOptions = .daemon, clock: any MonotonicClock = SystemClock()
    ) throws(LibraryError) {
        try self.init(path: path, options: options, clock: clock, migrations: Migration.all)
    }

    init(
        path: String, options: LibraryOptions, clock: any MonotonicClock, migrations: [Migration]
    ) throws(LibraryError) {
        self.path = path
        self.clock = clock
        isReader = false
        busyTimeout = options.busyTimeout
        turnstile = WriterTurnstile(path: path + "-turn")
        do {
            connection = try Connection(path: path, busyTimeout: options.busyTimeout, cacheKiB: options.cacheKiB)
            try Self.addFunctions(to: connection)
            try Migrator(connection: connection, path: path, migrations: migrations).run()
            try connection.execute(
                "PRAGMA wal_autocheckpoint=\(options.checkpointPages); PRAGMA journal_size_limit=8388608")
        } catch {
            throw LibraryError(storing: error, path: path)
        }
        file = LibraryFile(at: path)
    }

    /// Opens a library for reading, beside a store that has it open: it is never held up by a writer, and sees what was
    /// committed before each of its methods began. It keeps no snapshot between two of them, so the log can be taken into
    /// the file at any time. What it writes are indexes that a question needs; one that finds somebody
    /// else writing for longer than a moment is asked as far as it is indexed.
    ///
    /// - Throws: as `init(path:options:clock:)`; also for a schema that is not the present one.
    public init(readingBeside path: String) throws(LibraryError) {
        self.path = path
        clock = SystemClock()
        isReader = true
        busyTimeout = Self.recordPatience
        turnstile = WriterTurnstile(path: path + "-turn")
        do {
            connection = try Connection(path: path, busyTimeout: busyTimeout, cacheKiB: Self.readerCacheKiB)
            try Self.addFunctions(to: connection)
        } catch {
            throw LibraryError(storing: error, path: path)
        }
        file = LibraryFile(at: path)
        try read {}
    }

    /// Kibibytes of pages that a reader keeps: pages of lists are read once.
    private static let readerCacheKiB = 256

    /// Adds what SQL of the stores calls.
    private static func addFunctions(to connection: Connection) throws(SQLiteError) {
        try connection.addFunction("spaced", SpacedText.spaced)
        try connection.addRelevanceFunction("relevance")
    }

    /// Gives cached pages and prepared statements back, for a process that will be idle.
    public func releaseMemory() {
        searches.removeAll()
        connection.forgetStatements()
        connection.releaseMemory()
    }

    /// Checkpoints the WAL into the library's file before the process exits, so that the file is complete. Does not wait:
    /// pages that another process still needs stay in the WAL.
    public func foldLog() throws(LibraryError) {
        do throws(SQLiteError) {
            try connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// How long a transaction waits for the disk.
    enum Durability {
        /// Acknowledged to a person: on disk before it returns.
        case synced
        /// Survives a killed process, not surely a power cut.
        case relaxed
    }

    /// Runs a body that only reads, on one snapshot of the library.
    func read<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        do {
            try connection.beginReading()
            let result: Result
            do {
                try checkSchema()
                result = try body()
            } catch {
                connection.rollback()
                throw error
            }
            try connection.commit()
            endStatements()
            return result
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// A statement that is left in the middle is a mistake, and never a reason not to save what comes next.
    private func endStatements() {
        let forgotten = connection.endStatements()
        assert(forgotten.isEmpty, "left in the middle: \(forgotten)")
    }

    /// Runs a body as one transaction; an error takes all of it back.
    ///
    /// - Parameter patience: milliseconds to wait for another writer at most; nil waits as long as the options say.
    func write<Result>(
        _ durability: Durability, patience: Int32? = nil, _ body: () throws -> Result
    ) throws(LibraryError) -> Result {
        do {
            try begin(durability, patience: patience ?? busyTimeout)
            let result: Result
            do {
                result = try body()
                try commit()
            } catch {
                connection.rollback()
                throw error
            }
            endStatements()
            return result
        } catch {
            throw LibraryError(storing: error, path: path)
        }
    }

    /// Commits what is written so far and begins again, so that another writer gets its turn. For bodies of `write`.
    func commitAndContinue(_ durability: Durability) throws {
        try HistoryRows(library: self).storePart()
        try commit()
        try begin(durability, patience: busyTimeout)
    }

    private func commit() throws {
        guard let commitObserver else { return try connection.commit() }
        let begin = clock.now
        try connection.commit()
        commitObserver(clock.now - begin)
    }

    private func begin(_ durability: Durability, patience: Int32) throws {
        try connection.setSynchronous(durability == .synced ? .full : .normal)
        // A reader writes little, so other processes do not wait for it long.
        if !isReader { turnstile.letOthersPass() }
        if try !connection.tryBeginImmediate() {
            // One that was asked for while another waited in vain has waited as well: a row of them does not add up.
            let hasWaited = lastBusy.map { clock.now - $0 < Self.busyInARow } ?? false
            let isBegun = try turnstile.wait(milliseconds: hasWaited ? 1 : patience) {
                try connection.tryBeginImmediate()
            }
            if !isBegun {
                if patience == busyTimeout { lastBusy = clock.now }
                throw LibraryError.busy
            }
        }
        do {
            try checkSchema()
        } catch {
            connection.rollback()
            throw error
        }
    }

    private func checkSchema() throws {
        let found: Int = try connection.value("PRAGMA user_version") ?? 0
        if found > Self.schemaVersion { throw LibraryError.newerSchema(found: found, known: Self.schemaVersion) }
        if found < Self.schemaVersion { throw LibraryError.damaged("the schema version decreased to \(found)") }
    }
}

extension LibraryStore: LibraryStores {
    /// What users name.
    public var names: any NameStore { NameRows(library: self) }
    /// Feeds and their settings.
    public var feeds: any FeedStore { FeedRows(library: self) }
    /// Episodes.
    public var episodes: any EpisodeStore { rows }
    /// The queue.
    public var queue: any QueueStore { QueueRows(library: self) }
    /// Downloads.
    public var downloads: any DownloadStore { DownloadRows(library: self) }
    /// Listening history and undo.
    public var history: any HistoryStore { HistoryRows(library: self) }
    /// Smart playlists.
    public var playlists: any SmartPlaylistStore { PlaylistRows(library: self) }
    /// Rules for new episodes.
    public var rules: any RuleStore { RuleRows(library: self) }
    /// Retention policies.
    public var retention: any RetentionStore { RetentionRows(library: self) }
    /// What a refresh reads and writes.
    public var refreshes: any RefreshStore { RefreshRows(library: self) }
    /// Chapters and transcripts that were fetched.
    public var texts: any EpisodeTextStore { EpisodeTextRows(library: self) }
    /// Which items are which episodes.
    public var identity: any IdentityStore { IdentityRows(library: self) }
    /// Import and export.
    public var imports: any MovingStore { ImportRows(library: self) }

    var rows: EpisodeRows { EpisodeRows(library: self) }

    /// Does a small piece of the work that can wait, in one short commit. The daemon calls this when it is idle after a
    /// refresh or an unsubscription, until it returns false.
    /// - Returns: whether there is more to do.
    public func performMaintenance() throws(LibraryError) -> Bool { try Maintenance(library: self).perform() }

    /// Changes with what other processes commit. Call it in a transaction.
    func dataVersion() throws -> Int { try connection.value("PRAGMA data_version") ?? 0 }
}

extension LibraryError {
    /// The one place where SQLite's codes become the library's errors.
    init(storing error: any Error, path: String) {
        switch error {
        case let error as LibraryError: self = error
        case let error as SystemError: self.init(error, path: path)
        case SQLiteError.Code.full: self = .diskFull
        case SQLiteError.Code.busy, SQLiteError.Code.locked: self = .busy
        case SQLiteError.Code.readOnly, SQLiteError.Code.permission: self = .readOnly(path)
        case let error as SQLiteError where error.code == .corrupt || error.code == .notADatabase:
            self = .damaged(error.message)
        case SQLiteError.Code.cannotOpen where Self.isClosed(path): self = .readOnly(path)
        // A disk with a fault is often made read-only by the system while files on it are open.
        case SQLiteError.Code.inputOutput where Self.isFrozen(path): self = .readOnly(path)
        default: self = .storage("\(error)")
        }
    }

    /// Whether the file's disk takes no change of anything, whatever it was mounted for: its times are set to now.
    private static func isFrozen(_ path: String) -> Bool {
        do throws(SystemError) {
            try StoredFile.touch(path)
            return false
        } catch {
            return error.code == EROFS
        }
    }

    /// Whether the file is there and may not be written, or its folder is and it may not be made.
    private static func isClosed(_ path: String) -> Bool {
        let place = FileAccess().isAllowed(path) ? path : StoredFile.folder(of: path)
        return FileAccess().isAllowed(place) && !FileAccess.write.isAllowed(place)
    }
}
