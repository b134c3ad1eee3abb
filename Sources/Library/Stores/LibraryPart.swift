internal import SQLite

/// The rows behind one port of the library. All stores share the library's connection and its transaction.
///
/// Only the methods of the port open transactions. All others are parts of one, and are also called by other stores.
protocol LibraryPart {
    var library: LibraryStore { get }
}

/// A public type that is read from a row; `FetchableRecord` itself is not visible outside of this module.
protocol Record: FetchableRecord {}

extension LibraryPart {
    var connection: Connection { library.connection }
    var feedStore: FeedStore { FeedStore(library: library) }
    var episodeStore: EpisodeStore { EpisodeStore(library: library) }
    var queueStore: QueueStore { QueueStore(library: library) }
    var downloadStore: DownloadStore { DownloadStore(library: library) }
    var historyStore: HistoryStore { HistoryStore(library: library) }
    var ruleStore: RuleStore { RuleStore(library: library) }
    var retentionStore: RetentionStore { RetentionStore(library: library) }
    var bookmarkStore: BookmarkStore { BookmarkStore(library: library) }
    var playlistStore: SmartPlaylistStore { SmartPlaylistStore(library: library) }
    var refreshStore: LibraryRefreshStore { LibraryRefreshStore(library: library) }
    var importStore: ImportStore { ImportStore(library: library) }
    var maintenance: Maintenance { Maintenance(library: library) }

    func read<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result { try library.read(body) }

    func write<Result>(
        _ durability: LibraryDatabase.Durability, maximumWait: Duration? = nil, _ body: () throws -> Result
    ) throws(LibraryError) -> Result {
        try library.write(durability, maximumWait: maximumWait, body)
    }

    func run(_ sql: SQL) throws { try connection.run(sql) }
}
