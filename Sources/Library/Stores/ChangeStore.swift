public import PodcastModel
internal import SQLite

/// The log of the user's changes, for the user's other podcastds and devices.
public struct ChangeStore: LibraryPart {
    let library: LibraryStore

    /// A page ends after this many bytes of text.
    private static let pageBytes = 300_000

    /// Returns the last change of each subject that changed after a revision.
    /// - Parameters:
    ///   - last: the last revision to include.
    ///   - kinds: the kinds of changes to include; nil for all.
    ///   - limit: maximum number of changes.
    public func page(
        since: Int64, through last: Int64 = .max, kinds: [LibraryChange.Kind]? = nil, limit: Int
    ) throws(LibraryError) -> ChangePage {
        try read {
            var page = ChangePage()
            page.latest = try revision()
            page.revision = min(last, page.latest)
            let names = kinds.map { " \($0.map(\.rawValue).joined(separator: " ")) " }
            let rows = try connection.all(
                """
                SELECT * FROM library_change WHERE revision > \(since) AND revision <= \(last)
                  AND (\(names) IS NULL OR instr(\(names), ' ' || kind || ' ')) ORDER BY revision LIMIT \(limit + 1)
                """
            ) { (subject: ChangedSubject(row: $0), logged: LoggedChange(row: $0)) }
            var bytes = 0
            for (index, row) in rows.enumerated() {
                if index == limit || bytes > Self.pageBytes {
                    page.revision = rows[index - 1].logged.revision
                    page.hasMore = true
                    break
                }
                guard let change = try row.subject.flatMap({ try change(of: $0, row.logged) }) else { continue }
                bytes += change.textBytes
                page.changes.append(change)
            }
            return page
        }
    }

    /// Maximum number of readers. The reader with the lowest revision is removed first.
    private static let mostReaders = 100

    /// A reader's revision, compared with the one recorded for it.
    public enum ReaderPosition: Sendable {
        case known
        /// The revision is beyond the recorded one, because this library was restored from a backup.
        case restored
        /// Removals that the reader has not read are forgotten.
        case forgotten
    }

    /// The recorded revision of a reader that has not read forgotten removals.
    private static let forgotten: Int64 = -1

    /// Records the last revision that another library has received.
    public func recordReader(
        _ reader: String, since: Int64, through revision: Int64
    ) throws(LibraryError) -> ReaderPosition {
        let told: Int64? = try read {
            try connection.value("SELECT revision FROM change_reader WHERE name = \(reader)")
        }
        if since > 0, told == Self.forgotten { return .forgotten }
        if since > max(0, told ?? 0) { return .restored }
        if let told, told >= revision { return .known }
        try write(.relaxed) {
            try run(
                """
                INSERT INTO change_reader VALUES (\(reader), \(revision))
                ON CONFLICT DO UPDATE SET revision = max(revision, excluded.revision)
                """)
            try run(
                """
                DELETE FROM change_reader WHERE name IN (SELECT name FROM change_reader
                  ORDER BY revision DESC LIMIT -1 OFFSET \(Self.mostReaders))
                """)
        }
        return .known
    }

    /// Records that a reader has made the last changes itself; another device is not recorded.
    public func advanceReader(_ reader: String, through revision: Int64) throws(LibraryError) {
        try write(.relaxed) {
            try run("UPDATE change_reader SET revision = max(revision, \(revision)) WHERE name = \(reader)")
        }
    }

    /// Removals stay in the log for this time, in milliseconds. The first synchronization of a library that was away for longer asks the user.
    static let removalTime: Int64 = 180 * 86_400_000
    /// A removal is forgotten at most this long after its time, in milliseconds, or stays for ever if podcastd did not run then.
    private static let pruningTime: Int64 = 30 * 86_400_000

    /// Forgets old removals. Readers and accounts that do not have them must begin from nothing, so that nothing comes back unasked.
    public func prune(at now: Timestamp) throws(LibraryError) {
        let end = now.milliseconds - Self.removalTime
        let removals = try read {
            try connection.all(
                "SELECT * FROM library_change WHERE revision > \(end - Self.pruningTime) AND revision <= \(end) ORDER BY revision"
            ) { (subject: ChangedSubject(row: $0), revision: $0["revision"] as Int64) }
            .filter { row in try row.subject.map { try value(of: $0) == nil } ?? false }.map(\.revision)
        }
        var rest = removals[...]
        while !rest.isEmpty {
            let piece = rest.prefix(LibraryStore.rowsPerCommit)
            rest = rest.dropFirst(piece.count)
            try write(.relaxed) {
                for revision in piece { try run("DELETE FROM library_change WHERE revision = \(revision)") }
                let last = piece[piece.endIndex - 1]
                try run("UPDATE change_log SET removals = max(0, removals - \(piece.count))")
                try run("UPDATE change_reader SET revision = \(Self.forgotten) WHERE revision < \(last)")
                try run("UPDATE sync_account SET server_revision = 0, sent_revision = 0 WHERE sent_revision < \(last)")
            }
        }
    }

    func revision() throws -> Int64 { try connection.value("SELECT revision FROM change_log") ?? 0 }

    /// A row of the log.
    struct LoggedChange {
        var revision: Int64 = 0
        var time: Timestamp
        var device = ""
    }

    func row(of subject: ChangedSubject) throws -> LoggedChange? {
        try connection.first(
            """
            SELECT revision, time, device FROM library_change
            WHERE owner = \(subject.owner) AND kind = \(subject.kind.rawValue) AND name = \(subject.name)
            """, LoggedChange.init(row:))
    }

    /// Writes a row of the log.
    /// - Parameters:
    ///   - time: time of the change; nil for a change made now.
    ///   - device: the library of the change; nil for this one.
    func log(_ subject: ChangedSubject, at time: Timestamp?, in device: String?) throws {
        try run("UPDATE change_log SET revision = max(revision + 1, \(raw: HistoryStore.currentTime))")
        try run(
            """
            INSERT INTO library_change
            SELECT \(subject.owner), \(subject.kind.rawValue), \(subject.name), revision,
              coalesce(\(time), revision), coalesce(\(device), device) FROM change_log WHERE true
            ON CONFLICT DO UPDATE SET revision = excluded.revision, time = excluded.time, device = excluded.device
            """)
    }

    private static let kindsOfEpisodes = LibraryChange.Kind.allCases
        .filter { $0.form.owner == .episode && $0 != .playback }.map { "'\($0.rawValue)'" }.joinedText(", ")

    /// Runs a part of a transaction that changes episodes for a rule or for an earlier act. All changes of users win over it, such as
    /// the removal of a queue entry in another library.
    func withoutTime<Result>(_ episodes: [EpisodeID], _ body: () throws -> Result) throws -> Result {
        func isOf(_ episode: EpisodeID) -> SQL { "owner = \(episode) AND kind IN (\(raw: Self.kindsOfEpisodes))" }
        // The user may have changed others of them here.
        let untouched = try episodes.filter { episode in
            try !connection.exists("SELECT 1 FROM library_change WHERE \(isOf(episode))")
        }
        let result = try body()
        for episode in untouched { try run("UPDATE library_change SET time = 0 WHERE \(isOf(episode))") }
        return result
    }
}

extension ChangeStore.LoggedChange {
    fileprivate init(row: Row) { self.init(revision: row["revision"], time: row["time"], device: row["device"]) }
}

extension LibraryChange {
    /// Whether a change wins over the logged one of its subject.
    /// - Parameter own: the present value.
    func isLater(than known: ChangeStore.LoggedChange?, _ own: Value?) -> Bool {
        known.map { isLater(than: LibraryChange(subject, own, at: $0.time, in: $0.device)) } ?? true
    }
}
