import Library
import PodcastModel
import Reporting
internal import SQLite
internal import SystemCalls

/// Checks and repairs a library.
///
/// The caller of `run` must hold both locks on the library (`LibraryLock`). After a backup, derived data is rebuilt in
/// place, and rows whose parent row is missing are deleted. A file with a damaged structure is kept under another name,
/// and replaced by a new file with every row that can still be read.
struct LibraryChecker {
    let path: String
    let isRepairing: Bool
    /// True if the file or its directory cannot be written. Then no process has the file open, a WAL beside it is not read,
    /// and the full-text indexes are not checked, because SQLite checks them as a writer.
    var isReadOnly = false
    /// The date of the backup.
    let now: Timestamp
    private static let repairAdvice = "run 'podcastd check --repair'"

    /// - Throws: `notFound` without a file, `newerSchema`, and errors of reading and writing other than damage.
    func run() throws(LibraryError) -> [Finding] {
        precondition(!isRepairing || !isReadOnly, "cannot repair a library that cannot be written")
        return try reporting(check)
    }

    /// Checks a library that is in use: reads only, in several steps, without blocking writers. Skips the full-text
    /// indexes, because SQLite checks them as a writer.
    /// - Throws: the errors of `run`.
    func runWhileInUse() throws(LibraryError) -> [Finding] {
        precondition(!isRepairing, "cannot repair a library that is in use")
        return try reporting {
            let structure = try structure()[0]
            guard structure.severity != .problem else { return [structure] }
            let connection = try open()
            var backup: String?
            return try [structure, references(connection, &backup)]
                + LibraryRule.all.map { try apply($0, connection, &backup) }
        }
    }

    /// Reports damage that prevents a check as a finding.
    private func reporting(_ body: () throws -> [Finding]) throws(LibraryError) -> [Finding] {
        guard FileAccess().isAllowed(path) else { throw .notFound("library \(path)") }
        do {
            return try body()
        } catch {
            let error = LibraryError(storing: error, path: path)
            guard case .damaged(let words) = error else { throw error }
            return [Finding("structure", .problem, words, fix: restoring)]
        }
    }

    private func check() throws -> [Finding] {
        if try FileStatus(path: path).size == 0, ((try? FileStatus(path: path + "-wal"))?.size ?? 0) == 0 {
            return [Finding("structure", .problem, "the file is empty (0 bytes)", fix: restoring)]
        }
        var results = try structure()
        guard results[0].severity != .problem else { return results }
        if isRepairing {
            // Upgrades an older schema, because the rules below are for the current one.
            _ = try LibraryStore(path: path)
        }
        let connection = try open()
        let version = try number("PRAGMA user_version", connection)
        if version > LibraryStore.schemaVersion {
            throw LibraryError.newerSchema(found: version, known: LibraryStore.schemaVersion)
        }
        if version < 1 { throw LibraryError.damaged("its schema version is \(version)") }
        var backup: String?
        results.append(try references(connection, &backup))
        if version < LibraryStore.schemaVersion {
            return results + [Finding("schema", .ok, "version \(version); the next start of the daemon upgrades it")]
        }
        for rule in LibraryRule.all { results.append(try apply(rule, connection, &backup)) }
        results.append(
            isReadOnly
                ? Finding("search", .ok, "not checked, because the library is read-only")
                : try search(connection, &backup))
        if let backup { results.append(Finding("backup", .ok, "of the library before the repair: \(backup)")) }
        return results
    }

    private func open() throws -> Connection {
        if isReadOnly { return try Connection(foreign: path, isOverdue: { false }) }
        // A process that is ending may hold the lock for a moment.
        return try Connection(path: path, busyTimeout: .seconds(2), cacheKiB: 8_192)
    }

    private var restoring: String {
        let newest = BackupFolder(beside: path).all().last
        return newest.map { "cannot be repaired; copy \($0) over it" }
            ?? "cannot be repaired; move it away to start with an empty library, or restore your own backup"
    }

    private func number(_ sql: String, _ connection: Connection) throws -> Int {
        try connection.value(SQL(raw: sql)) ?? 0
    }

    private func transaction(_ connection: Connection, _ body: () throws -> Void) throws {
        try connection.setSynchronous(.full)
        try connection.beginImmediate()
        try connection.committing(body)
    }

    // MARK: The file

    private func structure() throws -> [Finding] {
        let complaints = try complaints()
        guard let first = complaints.first else { return [Finding("structure", .ok, "")] }
        let found = complaints.count == 1 ? first : "\(first), and \(complaints.count - 1) more errors"
        guard isRepairing else { return [Finding("structure", .problem, found, fix: Self.repairAdvice)] }
        // Try to rebuild the indexes first, because that loses nothing.
        if (try? open().execute("REINDEX")) != nil, try self.complaints().isEmpty {
            return [Finding("structure", .repaired, "indexes rebuilt: \(found)")]
        }
        let outcome: LibrarySalvage.Outcome
        do {
            outcome = try LibrarySalvage(path: path).run()
        } catch LibraryError.damaged(let reason) {
            return [Finding("structure", .problem, "\(found); \(reason)", fix: restoring)]
        }
        let structure = Finding(
            "structure", .repaired,
            "readable rows copied to a new file (\(LibrarySalvage.summary(outcome.saved))): \(found)",
            fix: "the damaged file is \(outcome.keptAside); remove it when nothing is missing")
        return [structure] + loss(saved: outcome.saved)
    }

    /// Row counts of the newest readable backup. A backup with more rows than were saved means that rows were lost.
    private func loss(saved: [Int]) -> [Finding] {
        for backup in BackupFolder(beside: path).all().reversed() {
            guard let connection = try? Connection(foreign: backup, isOverdue: { false }),
                let counts = try? LibrarySalvage.countedTables.map({
                    try number("SELECT count(*) FROM \($0.0)", connection)
                })
            else { continue }
            let has = "\(backup) has \(LibrarySalvage.summary(counts))"
            guard zip(saved, counts).contains(where: <) else { return [Finding("backups", .ok, has)] }
            return [
                Finding(
                    "backups", .problem, "the newest has more than could be saved: \(has)",
                    fix: "to restore it, copy it over \(path)")
            ]
        }
        return []
    }

    /// Of SQLite's integrity check.
    private func complaints() throws -> [String] {
        do {
            let lines: [String] = try open().column("PRAGMA integrity_check(20)")
            return lines == ["ok"] ? [] : lines.map { $0.split(separator: "\n").joined(separator: "; ") }
        } catch let error as SQLiteError where [.corrupt, .notADatabase].contains(error.code) {
            return [error.message]
        }
    }

    // MARK: The rows

    private func references(_ connection: Connection, _ backup: inout String?) throws -> Finding {
        let count = try number("SELECT count(*) FROM pragma_foreign_key_check", connection)
        let found = count == 1 ? "1 row refers to a missing row" : "\(count) rows refer to missing rows"
        return try result("references", count == 0 ? nil : found, connection, &backup) {
            try OrphanedRows(connection: connection).remove()
        }
    }

    private func apply(_ rule: LibraryRule, _ connection: Connection, _ backup: inout String?) throws -> Finding {
        let count = try number(rule.violations, connection)
        return try result(rule.name, count == 0 ? nil : "\(count) \(rule.meaning)", connection, &backup) {
            try connection.execute(rule.repair)
        }
    }

    private func search(_ connection: Connection, _ backup: inout String?) throws -> Finding {
        var found: String?
        do {
            try transaction(connection) {
                for index in WordIndex.allCases { try connection.execute(index.checkSQL) }
            }
        } catch let error as SQLiteError where error.code == .corrupt {
            found = (isRepairing ? "full-text indexes will be rebuilt: " : "") + error.message
        }
        return try result("search", found, connection, &backup) { try connection.execute(LibraryRule.searchRepair) }
    }

    /// Repairs what a check found, after a backup before the first repair in place.
    /// - Parameters:
    ///   - found: what is damaged; nil if nothing is.
    ///   - backup: path of the backup that was written already.
    private func result(
        _ name: String, _ found: String?, _ connection: Connection, _ backup: inout String?, repair: () throws -> Void
    ) throws -> Finding {
        guard let found else { return Finding(name, .ok, "") }
        guard isRepairing else { return Finding(name, .problem, found, fix: Self.repairAdvice) }
        if backup == nil { backup = try BackupFolder(beside: path).write(at: now).path }
        try transaction(connection, repair)
        return Finding(name, .repaired, found)
    }
}
