internal import SQLite
internal import SystemCalls

/// A step of the schema from `version - 1` to `version`. Published steps never change: add another one.
struct Migration: Sendable {
    /// The `user_version` of a file after this step.
    let version: Int
    /// SQL, run in one transaction.
    let script: String

    init(version: Int, script: String) { (self.version, self.script) = (version, script) }

    /// All steps, in order and without gaps.
    static let all = [Migration(version: 1, script: Schema.script)]
}

/// Upgrades a library's schema to the present version, step by step.
struct Migrator {
    private let connection: Connection
    /// The library's file; the backup is written to the same directory.
    private let path: String
    private let migrations: [Migration]

    init(_ connection: Connection, path: String, migrations: [Migration]) {
        (self.connection, self.path, self.migrations) = (connection, path, migrations)
    }

    /// Runs the missing steps. If two processes try at once, the second finds nothing to do.
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
            do {
                version = try storedVersion()
                if version < known {
                    if !isFresh { try writeBackup(of: version) }
                    try apply(migrations[version])
                }
                try connection.commit()
            } catch {
                connection.rollback()
                throw error
            }
            version = try storedVersion()
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
    /// SQLite cannot copy from a connection that holds the write lock, as ours does to keep the file unchanged
    /// meanwhile; so another connection reads it.
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

    /// Refuses a database that has tables but not our version: it belongs to another program.
    private func refuseForeignFile() throws {
        if try connection.exists("SELECT 1 FROM sqlite_schema") {
            throw LibraryError.damaged("a database, but not a podcastd library")
        }
    }
}
