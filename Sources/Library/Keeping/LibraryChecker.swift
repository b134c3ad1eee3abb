public import LibraryModel
public import PodcastModel
internal import SQLite
internal import SystemCalls

/// Looks a library over, and repairs what can be.
///
/// Whoever calls `run` holds both roles on the library (`LibraryLock`). What was worked out of other rows is made anew in
/// place, after a backup; rows that lost the row they belong to go; a file whose structure is broken is replaced by a new
/// one with every row that can still be read, and kept beside it.
public struct LibraryChecker {
    private let path: String
    private let now: Timestamp
    private let isRepairing: Bool
    private static let repairAdvice = "run 'podcastd check --repair'"

    /// Looks at the library in a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isRepairing: whether to repair what can be.
    ///   - now: the date of the backup.
    public init(path: String, isRepairing: Bool, now: Timestamp) {
        self.path = path
        self.isRepairing = isRepairing
        self.now = now
    }

    /// Looks at everything.
    /// - Throws: `notFound` without a file, `newerSchema`, and whatever keeps it from being read or written but damage.
    public func run() throws(LibraryError) -> [CheckResult] { try telling(look) }

    /// Looks at a library that others use: reads only, in several steps, and holds nobody up. The index of words is left out,
    /// since SQLite looks at it as a writer.
    /// - Throws: as `run` does.
    public func runWhileInUse() throws(LibraryError) -> [CheckResult] {
        precondition(!isRepairing, "a library is repaired while nobody uses it")
        return try telling {
            let structure = try structure()
            guard structure.outcome != .damaged else { return [structure] }
            let connection = try open()
            var keeper = Keeper(folder: BackupFolder(beside: path), now: now)
            return try [structure, references(connection, &keeper)]
                + LibraryRule.all.map { try apply($0, connection, &keeper) }
        }
    }

    /// What keeps a library from being looked at is damage too, or an error.
    private func telling(_ look: () throws -> [CheckResult]) throws(LibraryError) -> [CheckResult] {
        guard FileAccess().isAllowed(path) else { throw .notFound("library \(path)") }
        do {
            return try look()
        } catch {
            let error = LibraryError(storing: error, path: path)
            guard case .damaged(let words) = error else { throw error }
            return [CheckResult("structure", .damaged, words, advice: restoring)]
        }
    }

    private func look() throws -> [CheckResult] {
        var results = [try structure()]
        guard results[0].outcome != .damaged else { return results }
        if isRepairing {
            // Brings an older schema to the present one, which the rules below speak of.
            _ = try LibraryStore(path: path)
        }
        let connection = try open()
        let version = try number("PRAGMA user_version", connection)
        if version > LibraryStore.schemaVersion {
            throw LibraryError.newerSchema(found: version, known: LibraryStore.schemaVersion)
        }
        var keeper = Keeper(folder: BackupFolder(beside: path), now: now)
        results.append(try references(connection, &keeper))
        guard version == LibraryStore.schemaVersion else {
            results.append(
                CheckResult("schema", .fine, "version \(version); the daemon's next start makes it the present one"))
            return results
        }
        for rule in LibraryRule.all { results.append(try apply(rule, connection, &keeper)) }
        results.append(try search(connection, &keeper))
        if let path = keeper.path { results.append(CheckResult("backup", .fine, "as it was before: \(path)")) }
        return results
    }

    private func open() throws -> Connection { try Connection(path: path, busyTimeout: 0, cacheKiB: 8_192) }

    private var restoring: String {
        let newest = BackupFolder(beside: path).all().last
        return newest.map { "it cannot be repaired; copy \($0) over it" }
            ?? "it cannot be repaired; move it away to begin anew, or bring a copy of your own"
    }

    private func number(_ sql: String, _ connection: Connection) throws -> Int {
        let query = try connection.statement(sql)
        defer { query.reset() }
        return try query.step() ? query.int(0) : 0
    }

    private func transaction(_ connection: Connection, _ body: () throws -> Void) throws {
        try connection.setSynchronous(.full)
        try connection.beginImmediate()
        do {
            try body()
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    // MARK: The file

    private func structure() throws -> CheckResult {
        let complaints = try complaints()
        guard let first = complaints.first else { return CheckResult("structure", .fine, "every page is sound") }
        let found = complaints.count == 1 ? first : "\(first), and \(complaints.count - 1) faults more"
        guard isRepairing else {
            return CheckResult("structure", .damaged, found, advice: Self.repairAdvice)
        }
        // Indexes can be made anew from their tables; that is tried first, since it loses nothing.
        if (try? open().execute("REINDEX")) != nil, try self.complaints().isEmpty {
            return CheckResult("structure", .repaired, "indexes were made anew: \(found)")
        }
        let outcome: LibrarySalvage.Outcome
        do {
            outcome = try LibrarySalvage(path: path).run()
        } catch LibraryError.damaged(let reason) {
            return CheckResult("structure", .damaged, "\(found); \(reason)", advice: restoring)
        }
        return CheckResult(
            "structure", .repaired, "a new file has what could be read (\(outcome.summary)): \(found)",
            advice: "the damaged file is \(outcome.keptAside); look at what is missing, then remove it")
    }

    /// SQLite's own words on the file, none when it is sound.
    private func complaints() throws -> [String] {
        do {
            let connection = try open()
            let query = try connection.statement("PRAGMA integrity_check(20)")
            var lines: [String] = []
            while try query.step() { lines.append(query.text(0)) }
            return lines == ["ok"] ? [] : lines.map { $0.split(separator: "\n").joined(separator: "; ") }
        } catch let error as SQLiteError where [.corrupt, .notADatabase].contains(error.code) {
            return [error.message]
        }
    }

    // MARK: The rows

    private func references(_ connection: Connection, _ keeper: inout Keeper) throws -> CheckResult {
        let count = try number("SELECT count(*) FROM pragma_foreign_key_check", connection)
        if count == 0 { return CheckResult("references", .fine, "every row has what it belongs to") }
        let found = "\(count) rows lost what they belong to"
        guard isRepairing else {
            return CheckResult("references", .damaged, found, advice: Self.repairAdvice)
        }
        try keeper.keep()
        try transaction(connection) { try OrphanedRows(connection: connection).remove() }
        return CheckResult("references", .repaired, found)
    }

    private func apply(_ rule: LibraryRule, _ connection: Connection, _ keeper: inout Keeper) throws -> CheckResult {
        let count = try number(rule.violations, connection)
        if count == 0 { return CheckResult(rule.name, .fine, "as they should be") }
        let found = "\(count) \(rule.meaning)"
        guard isRepairing else { return CheckResult(rule.name, .damaged, found, advice: Self.repairAdvice) }
        try keeper.keep()
        try transaction(connection) { try connection.execute(rule.repair) }
        return CheckResult(rule.name, .repaired, found)
    }

    private func search(_ connection: Connection, _ keeper: inout Keeper) throws -> CheckResult {
        do {
            try transaction(connection) {
                for index in WordIndex.allCases { try connection.execute(index.checkSQL) }
            }
            return CheckResult("search", .fine, "the indexes of words are sound")
        } catch let error as SQLiteError where error.code == .corrupt {
            guard isRepairing else {
                return CheckResult("search", .damaged, error.message, advice: Self.repairAdvice)
            }
            try keeper.keep()
            try transaction(connection) { try connection.execute(LibraryRule.searchRepair) }
            return CheckResult("search", .repaired, "the indexes of words will be made anew: \(error.message)")
        }
    }

    /// Writes a backup before the first repair in place.
    private struct Keeper {
        let folder: BackupFolder
        let now: Timestamp
        var path: String?

        mutating func keep() throws {
            if path == nil { path = try folder.write(at: now).path }
        }
    }
}
