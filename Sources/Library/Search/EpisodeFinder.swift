internal import PodcastModel
internal import SQLite
internal import SystemCalls

/// Finds episodes in a library: by filter, by words, and in transcripts.
///
/// Keeps searches for their next pages, and the last count until the library changes.
final class EpisodeFinder {
    let database: LibraryDatabase
    /// Measures the work of a search: CPU time of the calling thread, so that a busy machine does not make pages short.
    var workTime: () -> Duration = { ProcessFigures.threadTime }
    var searches = RecentSearches()
    var counted: (view: CountedView, count: RowCount)?

    public init(_ database: LibraryDatabase) { self.database = database }

    /// Adds the SQL functions of searches and indexes.
    static func addFunctions(to connection: Connection) throws(SQLiteError) {
        try connection.addFunction("spaced", SpacedText.spaced)
        try connection.addRelevanceFunction("relevance")
    }

    /// Discards searches; their next pages search again.
    public func releaseMemory() { searches.removeAll() }

    var connection: Connection { database.connection }
    var clock: any MonotonicClock { database.clock }

    func read<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result { try database.read(body) }

    func write<Result>(
        _ durability: LibraryDatabase.Durability, _ body: () throws -> Result
    ) throws(LibraryError) -> Result {
        try database.write(durability, body)
    }
}
