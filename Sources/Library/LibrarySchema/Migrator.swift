internal import SQLite
internal import SystemCalls

/// A step of the schema from `version - 1` to `version`. Published steps never change: add another one.
struct Migration: Sendable {
    /// The `user_version` of a file after this step.
    let version: Int
    let script: String

    /// All steps, in order and without gaps.
    static let all = [
        Migration(version: 1, script: Schema.script), Migration(version: 2, script: Schema.sync),
        Migration(version: 3, script: Schema.syncAccounts), Migration(version: 4, script: Schema.undoneStates),
        Migration(version: 5, script: Schema.orderedDates), Migration(version: 6, script: Schema.foldedSearch),
        Migration(version: 7, script: Schema.freshEpisodes + Schema.emptySearch),
        Migration(version: 8, script: Schema.changes), Migration(version: 9, script: Schema.emptySearch),
        Migration(version: 10, script: Schema.lists),
    ]
}

struct Migrator {
    private let connection: Connection
    /// The library's file; the backup is written to the same directory.
    private let path: String
    private let migrations: [Migration]

    init(_ connection: Connection, path: String, migrations: [Migration]) {
        (self.connection, self.path, self.migrations) = (connection, path, migrations)
    }

    /// Runs the missing steps, also if two processes try at once.
    func run() throws {
        // A refused file must not change, so closing must not checkpoint its WAL.
        try connection.setLeavesLogOnClose(true)
        var version = try storedVersion()
        let known = migrations.count
        if version > known { throw LibraryError.newerSchema(found: version, known: known) }
        if version == 0 { try refuseForeignFile() }
        try connection.setLeavesLogOnClose(false)
        try connection.execute("PRAGMA journal_mode=WAL")
        try connection.setSynchronous(.full)
        let isFresh = version == 0
        while version < known {
            try connection.beginImmediate()
            version = try connection.committing {
                let found = try storedVersion()
                if found < known {
                    if !isFresh { try writeBackup(of: found) }
                    try apply(migrations[found])
                }
                return try storedVersion()
            }
        }
        if version > known { throw LibraryError.newerSchema(found: version, known: known) }
    }

    private func apply(_ step: Migration) throws {
        do {
            try connection.execute(step.script)
            try connection.execute("PRAGMA user_version=\(step.version)")
        } catch {
            guard error.code == .error || error.code == .constraint else { throw error }
            // The full description would contain the whole script.
            throw LibraryError.damaged("it cannot be upgraded to version \(step.version): \(error.message)")
        }
    }

    /// Writes `library.db.v1.backup` under another name first, so that an incomplete file is never used.
    ///
    /// Another connection reads the file, because SQLite cannot copy from ours, which holds the write lock.
    private func writeBackup(of version: Int) throws {
        let final = "\(path).v\(version).backup"
        let partial = final + ".partial"
        try StoredFile.remove(partial)
        try Connection(path: path, busyTimeout: .zero, cacheKiB: 256).backup(to: partial)
        try StoredFile.rename(partial, to: final)
    }

    private func storedVersion() throws -> Int {
        let version: Int = try connection.value("PRAGMA user_version") ?? 0
        if version < 0 { throw LibraryError.damaged("its schema version is \(version)") }
        return version
    }

    private func refuseForeignFile() throws {
        if try connection.exists("SELECT 1 FROM sqlite_schema") {
            throw LibraryError.damaged("a database, but not a podcastd library")
        }
    }
}
