public import PodcastModel
internal import SQLite
public import SystemCalls

/// A process's use of the library.
public struct LibraryOptions: Equatable, Sendable {
    /// Maximum time to wait for another process's commit before `LibraryError.busy`.
    var busyTimeout: Duration
    /// Size of the page cache in KiB.
    var cacheKiB: Int
    /// Size of the WAL, in pages of 4 KiB, at which a commit checkpoints it into the file.
    var checkpointPages: Int

    /// For the daemon: little memory, since it is idle most of the time.
    public static let daemon = LibraryOptions(busyTimeout: .seconds(2), cacheKiB: 1_024, checkpointPages: 1_000)
    /// For podcast-refresh: it writes much, waits longer, and its memory goes back to the system soon.
    public static let refresher = LibraryOptions(busyTimeout: .seconds(10), cacheKiB: 1_024, checkpointPages: 4_000)
    /// For a reader: a small cache, because pages of lists are read once.
    static let reader = LibraryOptions(busyTimeout: LibraryStore.shortWait, cacheKiB: 256, checkpointPages: 1_000)
}

/// The library in an SQLite file: a store for each subject, all on one connection and its transaction.
///
/// Belongs to the thread that made it: podcast-refresh uses its only thread, the daemon one thread for each connection. A
/// kill at any instant loses nothing that was committed; what a method's documentation calls committed is also on disk.
/// Other changes may be lost in a power failure, positions of `positionSyncInterval` at most.
public final class LibraryStore {
    public static let schemaVersion = Migration.all.count
    /// The listening that a power cut may cost.
    static let positionSyncInterval = Duration.seconds(10)

    let connection: Connection
    public let path: String
    let clock: any MonotonicClock
    /// The file that was opened; nil if it was deleted at once.
    public let file: LibraryFile?
    /// Called after each commit of changes, for tests.
    var commitObserver: (() -> Void)?
    /// True for `init(readingBeside:)`.
    let isReader: Bool
    let busyTimeout: Duration
    /// Time of the last timeout for the write lock.
    var lastBusy: Instant?
    let writerLock: FairWriterLock
    /// Converts publishers' notes, HTML or plain text of any length; podcast-refresh sets a parser for this untrusted text.
    public var readNotes: (String) -> MarkedText = { MarkedText($0) }
    /// Limits of one feed; tests make them small.
    var feedLimit: (episodes: Int, bytes: Int64) = (StoredLimits.episodes, StoredLimits.feedBytes)
    /// Records the document that is being parsed; its file is created on first use.
    public private(set) lazy var attempts: (any AttemptRecorder)? = AttemptFile(path: path + "-attempt")
    /// The act whose commits form one undo step.
    var openAct: OpenAct?
    var recording: ActRecording?
    /// True within `trying`.
    var isTrial = false
    /// The columns of tables, in their order.
    var tableColumns: [String: [String]] = [:]
    var positionSynced: (episode: EpisodeID, at: Instant)?
    var searches = RecentSearches()
    /// The last count, until the library changes.
    var counted: (view: CountedView, count: RowCount)?
    /// Measures the work of a search: CPU time of the calling thread, so that a busy machine does not make pages short.
    var workTime: () -> Duration = { ProcessFigures.threadTime }

    /// Opens a library; creates a missing file, and upgrades an older schema after writing a backup beside the file
    /// (`library.db.v1.backup`).
    ///
    /// - Parameter path: the file; its folder must exist.
    /// - Throws: `newerSchema` when a newer program made it (the file stays as it is), `damaged`, `readOnly`,
    ///   `diskFull`, `busy` or `storage`.
    public convenience init(
        path: String, options: LibraryOptions = .daemon, clock: any MonotonicClock = SystemClock()
    ) throws(LibraryError) {
        try self.init(path: path, options: options, clock: clock, migrations: Migration.all)
    }

    /// - Parameter migrations: nil for a reader.
    init(
        path: String, options: LibraryOptions, clock: any MonotonicClock, migrations: [Migration]?
    ) throws(LibraryError) {
        self.path = path
        self.clock = clock
        busyTimeout = options.busyTimeout
        isReader = migrations == nil
        writerLock = FairWriterLock(path: path + "-turn")
        do {
            connection = try Connection(path: path, busyTimeout: busyTimeout, cacheKiB: options.cacheKiB)
            try Self.addFunctions(to: connection)
            if let migrations {
                try Migrator(connection, path: path, migrations: migrations).run()
                try connection.execute(
                    "PRAGMA wal_autocheckpoint=\(options.checkpointPages); PRAGMA journal_size_limit=8388608")
            }
        } catch {
            throw LibraryError(storing: error, path: path)
        }
        file = LibraryFile(at: path)
    }

    /// Opens a library for reading, beside a store that has it open. Writers do not block it, and it keeps no snapshot
    /// between two calls. Writes only indexes that a query needs; while another process writes, the query uses the indexed
    /// rows only.
    /// - Throws: as `init(path:options:clock:)`; also for a schema that is not the present one.
    public convenience init(readingBeside path: String) throws(LibraryError) {
        try self.init(path: path, options: .reader, clock: SystemClock(), migrations: nil)
        try read {}
    }

    private static func addFunctions(to connection: Connection) throws(SQLiteError) {
        try connection.addFunction("spaced") { SpacedText.indexed($0) }
        try connection.addFunction("separated") { SpacedText.spaced($0, isFolded: false) }
        try connection.addCondition("title_has") { FoldedText.letters($0).contains($1) }
        var patterns: [String: TitlePattern] = [:]
        try connection.addCondition("title_fits") { title, text in
            if let known = patterns[text] { return known.fits(title) }
            if patterns.count == 256 { patterns = [:] }
            patterns[text] = TitlePattern(text)
            return patterns[text]?.fits(title) ?? false
        }
        try connection.addRelevanceFunction("relevance")
    }

    /// Releases cached pages, prepared statements and searches, for a process that becomes idle.
    public func releaseMemory() {
        searches.removeAll()
        connection.forgetStatements()
        connection.releaseMemory()
    }

    /// Checkpoints the WAL into the library's file before the process exits, so that the file is complete. Does not wait:
    /// pages that another process still needs stay in the WAL.
    public func checkpoint() throws(LibraryError) {
        try mapError(of: connection.execute("PRAGMA wal_checkpoint(PASSIVE)")) { LibraryError(storing: $0, path: path) }
    }

    public var names: NameStore { NameStore(library: self) }
    public var feeds: FeedStore { FeedStore(library: self) }
    public var episodes: EpisodeStore { EpisodeStore(library: self) }
    public var queue: QueueStore { QueueStore(library: self) }
    public var downloads: DownloadStore { DownloadStore(library: self) }
    public var history: HistoryStore { HistoryStore(library: self) }
    public var playlists: PlaylistStore { PlaylistStore(library: self) }
    public var rules: RuleStore { RuleStore(library: self) }
    public var retention: RetentionStore { RetentionStore(library: self) }
    public var refreshes: any RefreshStore { LibraryRefreshStore(library: self) }
    public var texts: EpisodeTextStore { EpisodeTextStore(library: self) }
    public var identity: IdentityStore { IdentityStore(library: self) }
    public var imports: ImportStore { ImportStore(library: self) }
    public var bookmarks: BookmarkStore { BookmarkStore(library: self) }
    public var sync: SyncStore { SyncStore(library: self) }
    public var changes: ChangeStore { ChangeStore(library: self) }
    public var listening: ListeningStore { ListeningStore(library: self) }

    /// Does a small piece of the work that can wait, in one short commit. The daemon calls this when it is idle after a
    /// refresh or an unsubscription, until it returns false.
    /// - Returns: whether there is more to do.
    public func performMaintenance() throws(LibraryError) -> Bool { try Maintenance(library: self).perform() }
}

/// The file at a path, by device and inode. Two values differ if the file was replaced.
public struct LibraryFile: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil if the file does not exist; see stat(2).
    public init?(at path: String) {
        guard let status = try? FileStatus(path: path) else { return nil }
        device = status.device
        inode = status.inode
    }
}
