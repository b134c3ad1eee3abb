internal import LibraryDatabase
internal import LibraryModel
internal import SQLite

/// The rows behind one port of the library. All stores share the library's connection and its transaction.
///
/// Only the methods of the port open transactions. All others are parts of one, and are also called by other stores.
protocol StoreRows {
    var library: LibraryStore { get }
}

/// A public type that is read from a row; `FetchableRecord` itself is not visible outside of this module.
protocol Record: FetchableRecord {}

extension StoreRows {
    var connection: Connection { library.connection }
    var feedRows: FeedRows { FeedRows(library: library) }
    var episodeRows: EpisodeRows { EpisodeRows(library: library) }
    var queueRows: QueueRows { QueueRows(library: library) }
    var downloadRows: DownloadRows { DownloadRows(library: library) }
    var historyRows: HistoryRows { HistoryRows(library: library) }
    var ruleRows: RuleRows { RuleRows(library: library) }
    var retentionRows: RetentionRows { RetentionRows(library: library) }
    var bookmarkRows: BookmarkRows { BookmarkRows(library: library) }
    var playlistRows: PlaylistRows { PlaylistRows(library: library) }
    var refreshRows: RefreshRows { RefreshRows(library: library) }
    var importRows: ImportRows { ImportRows(library: library) }
    var maintenance: Maintenance { Maintenance(library: library) }

    func read<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result { try library.read(body) }

    func write<Result>(
        _ durability: LibraryDatabase.Durability, maximumWait: Duration? = nil, _ body: () throws -> Result
    ) throws(LibraryError) -> Result {
        try library.write(durability, maximumWait: maximumWait, body)
    }

    func run(_ sql: SQL) throws { try connection.run(sql) }
}
