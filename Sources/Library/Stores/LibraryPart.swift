internal import SQLite

/// A part of the library. All parts share the library's connection and its transaction.
///
/// Only the public methods of stores open transactions, unless they are called within one; other methods run within one.
protocol LibraryPart {
    var library: LibraryStore { get }
}

/// A public type that is read from a row; `FetchableRecord` itself is not visible outside of this module.
protocol Record: FetchableRecord {}

extension LibraryPart {
    var connection: Connection { library.connection }
    var refreshStore: LibraryRefreshStore { LibraryRefreshStore(library: library) }
    var maintenance: Maintenance { Maintenance(library: library) }

    func read<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result { try library.read(body) }

    func write<Result>(
        _ durability: LibraryStore.Durability, maximumWait: Duration? = nil, _ body: () throws -> Result
    ) throws(LibraryError) -> Result {
        try library.write(durability, maximumWait: maximumWait, body)
    }

    func run(_ sql: SQL) throws { try connection.run(sql) }
}
