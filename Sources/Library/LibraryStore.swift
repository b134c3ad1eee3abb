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
}

/// The library in an SQLite file: a store for each subject, all on one connection and its transaction.
///
/// Belongs to the thread that made it: podcast-refresh uses its only thread, the daemon one thread for each connection. A kill at any instant loses nothing that was committed; what a method's
/// documentation calls committed is also on disk. Others may go with a power cut, positions by `positionSyncInterval`
/// at most.
public final class LibraryStore {
    /// The listening that a power cut may cost.
    static let positionSyncInterval = Duration.seconds(10)

    /// The file with its connection and transactions.
    public let database: LibraryDatabase
    let finder: EpisodeFinder
    /// The file that was opened; nil if it was deleted at once.
    public let file: LibraryFile?
    /// Converts publishers' notes; podcast-refresh sets a reader for HTML.
    public var notesReader: any NotesReader = PlainNotesReader()
    /// Limits of one feed; tests make them small.
    var feedLimit: (episodes: Int, bytes: Int64) = (StoredLimits.episodes, StoredLimits.feedBytes)
    /// Records the document that is being parsed; its file is created on first use.
    public private(set) lazy var attempts: (any AttemptRecorder)? = AttemptFile(path: path + "-attempt")
    /// The act whose commits form one undo step.
    var openAct: OpenAct?
    /// The recorded changes of the present transaction.
    var recording: ActRecording?
    /// The columns of tables, in their order.
    var tableColumns: [String: [String]] = [:]
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
        self.init(try LibraryDatabase(path: path, options: options, clock: clock))
    }

    /// Opens a library for reading, beside a store that has it open: it is never held up by a writer, and sees what was
    /// committed before each of its methods began. It keeps no snapshot between two of them, so the log can be taken into
    /// the file at any time. What it writes are indexes that a question needs; one that finds another process writing for
    /// longer than a moment is asked as far as it is indexed.
    ///
    /// - Throws: as `init(path:options:clock:)`; also for a schema that is not the present one.
    public convenience init(readingBeside path: String) throws(LibraryError) {
        self.init(try LibraryDatabase(readingBeside: path))
    }

    private init(_ database: LibraryDatabase) {
        self.database = database
        finder = EpisodeFinder(database)
        file = LibraryFile(at: database.path)
    }

    var connection: Connection { database.connection }
    var clock: any MonotonicClock { database.clock }

    /// The newest schema this program knows.
    public static var schemaVersion: Int { LibraryDatabase.schemaVersion }

    public var path: String { database.path }

    /// Gives cached pages and prepared statements back, for a process that will be idle.
    public func releaseMemory() {
        finder.releaseMemory()
        database.releaseMemory()
    }

    /// Checkpoints the WAL into the library's file before the process exits, so that the file is complete. Does not wait:
    /// pages that another process still needs stay in the WAL.
    public func checkpoint() throws(LibraryError) { try database.checkpoint() }

    /// Commits what is written so far and begins again, so that another writer gets its turn. For bodies of `write`.
    func commitAndContinue(_ durability: LibraryDatabase.Durability) throws {
        try HistoryStore(library: self).storePart()
        try database.commitAndContinue(durability)
    }
}

extension LibraryStore {
    public var names: NameStore { NameStore(library: self) }
    public var feeds: FeedStore { FeedStore(library: self) }
    public var episodes: EpisodeStore { EpisodeStore(library: self) }
    public var queue: QueueStore { QueueStore(library: self) }
    public var downloads: DownloadStore { DownloadStore(library: self) }
    public var history: HistoryStore { HistoryStore(library: self) }
    public var playlists: SmartPlaylistStore { SmartPlaylistStore(library: self) }
    public var rules: RuleStore { RuleStore(library: self) }
    public var retention: RetentionStore { RetentionStore(library: self) }
    public var refreshes: any RefreshStore { LibraryRefreshStore(library: self) }
    public var texts: EpisodeTextStore { EpisodeTextStore(library: self) }
    public var identity: IdentityStore { IdentityStore(library: self) }
    public var imports: ImportStore { ImportStore(library: self) }
    public var bookmarks: BookmarkStore { BookmarkStore(library: self) }
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
        (device, inode) = (status.device, status.inode)
    }
}
