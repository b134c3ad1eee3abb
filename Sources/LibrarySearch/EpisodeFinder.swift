public import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
public import SQLite
internal import SystemCalls

/// Finds episodes in a library: by filter, by words, and by what is said in them.
///
/// Searches are kept for their next pages, and the last count until the library changes.
public final class EpisodeFinder {
    let database: LibraryDatabase
    /// Work that bounds searches: processor time of the calling thread, so that a busy machine does not make their pages
    /// short.
    var workTime: () -> Duration = { ProcessFigures.threadTime }
    var searches = RecentSearches()
    /// What was counted last.
    var counted: (view: CountedView, count: RowCount)?

    public init(_ database: LibraryDatabase) { self.database = database }

    /// Adds what SQL of searches and indexes calls.
    public static func addFunctions(to connection: Connection) throws(SQLiteError) {
        try connection.addFunction("spaced", SpacedText.spaced)
        try connection.addRelevanceFunction("relevance")
    }

    /// Forgets searches; their next pages search again.
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
