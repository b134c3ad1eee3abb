public import PodcastModel
internal import SQLite

/// An act of which at least one commit may follow.
struct OpenAct {
    let kind: Act
    let title: String?
    /// Nil for the time of the clock.
    let time: Timestamp?
    /// Nil until something was changed.
    var step: Int64?
}

/// Records the changes of a part of a transaction as a part of an undo step.
struct ActRecording {
    let kind: Act
    let title: String?
    let count: Int
    let feed: FeedID?
    let time: Timestamp?
    let isAutomatic: Bool
    var step: Int64?
    var recorder: ChangeRecorder

    /// A recorder of the tables that undoing an act restores.
    static func recorder(_ connection: Connection, of kind: Act) throws(SQLiteError) -> ChangeRecorder {
        let tables = RecordedTable.allCases.filter { kind == .imported || !$0.isOfImport }
        return try ChangeRecorder(connection, tables: tables.map(\.rawValue))
    }
}

extension LibraryStore {
    /// Runs a part of an act that undo does not reverse.
    func withoutRecording<Result>(_ body: () throws -> Result) throws -> Result {
        guard let recording else { return try body() }
        return try recording.recorder.pausing(body)
    }
}

extension HistoryStore {
    /// Steps of the user's that can be undone.
    static let undoDepth = 50
    /// Steps of rules that can be undone.
    static let undoableRuns = 10
    /// Steps of other devices that can be undone.
    static let undoableReports = 10
    /// Bytes of all steps; an import of 50,000 episodes has 5 MB.
    static let undoBytes = 16 << 20

    /// Groups the actions in `body` into one undo step. Each is committed separately, so a kill may leave a part.
    /// - Parameters:
    ///   - now: nil for the time of the clock.
    ///   - step: the step that the actions continue.
    public func act<Result, Failure: Error>(
        _ kind: Act, title: String?, at now: Timestamp? = nil, continuing step: Int64? = nil,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if library.openAct != nil { return try body() }
        library.openAct = OpenAct(kind: kind, title: title, time: now, step: step)
        defer { library.openAct = nil }
        return try body()
    }

    /// Stores what was recorded since the last part. Called before each commit of an act.
    func storePart() throws {
        guard let recording = library.recording else { return }
        let changes = try recording.recorder.changes()
        let rows = try library.rows(of: changes)
        if !rows.contains(where: \.isOfAct) { return }
        library.recording?.recorder = try ActRecording.recorder(connection, of: recording.kind)
        // Undone steps can be redone only until the user's next act; actions of rules and policies do not count.
        if recording.kind != .ruled, recording.step == nil { try run("DELETE FROM undo_step WHERE undone = 1") }
        var step = recording.step
        if let known = step, try !connection.exists("SELECT 1 FROM undo_step WHERE id = \(known)") { step = nil }
        let stored = try step ?? beginStep(recording)
        library.recording?.step = stored
        library.openAct?.step = stored
        // A step that became too large is not undone.
        if try connection.exists("SELECT 1 FROM undo_step WHERE id = \(stored) AND obstacle IS NOT NULL") { return }
        try add(changes, rows, to: stored, of: recording.kind)
        try limitSteps()
    }

    /// Records that a feed's login, or part of it, was changed. Passwords are not kept for undo.
    public func recordLoginAct(_ part: String, of feed: Feed) throws(LibraryError) {
        try write(.synced) {
            try insertFinalAct(.set, title: "\(part) of \(feed.title)", "former logins are not kept; set it again")
        }
    }

    /// Stores an act that cannot be undone: `turnLast` returns it once, with the reason, instead of undoing an earlier act.
    func insertFinalAct(_ kind: Act, title: String, _ reason: String) throws {
        try run("DELETE FROM undo_step WHERE undone = 1")
        // Of several such acts in a row, undo names only the last.
        try run("DELETE FROM undo_step WHERE id = (SELECT max(id) FROM undo_step) AND obstacle = \(reason)")
        try run(
            """
            INSERT INTO undo_step(kind, title, obstacle, time)
            VALUES (\(kind), \(title), \(reason), \(raw: Self.currentTime))
            """)
        try limitSteps()
    }

    /// The time of the clock, in milliseconds.
    static let currentTime = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    private func beginStep(_ recording: ActRecording) throws -> Int64 {
        try run(
            """
            INSERT INTO undo_step(kind, time, feed, title, is_automatic, count)
            VALUES (\(recording.kind), coalesce(\(recording.time), \(raw: Self.currentTime)), \(recording.feed),
              \(recording.title), \(recording.isAutomatic), \(recording.count))
            """)
        return connection.lastInsertedRow
    }

    /// Adds changes to a step, with the step's episodes, count and title for lists.
    @discardableResult
    func add(_ changes: Changeset, _ rows: [RecordedRow], to step: Int64, of kind: Act) throws -> TouchedRows {
        try run(
            """
            INSERT INTO undo_change(step, checksum, changes) VALUES (\(step), \(changes.checksum), \(changes.bytes))
            """)
        let touched = try TouchedRows(rows, library)
        for episode in touched.episodes {
            try run(
                """
                INSERT OR IGNORE INTO undo_episode(step, episode)
                SELECT \(step), id FROM episode WHERE id = \(episode)
                """)
        }
        let title = try touched.episodes.first.flatMap { try library.episodes.stored($0)?.title }
        // A device reports the same episodes again and again.
        try run(
            """
            UPDATE undo_step SET title = coalesce(title, \(title)),
              count = iif(kind = \(Act.synced), (SELECT count(*) FROM undo_episode WHERE step = id), count + \(touched.count(of: kind)))
            WHERE id = \(step)
            """)
        return touched
    }

    /// Deletes the oldest steps beyond the limits. A step that is too large alone stays, but cannot be undone.
    func limitSteps() throws {
        // Counted apart, so that what rules and other devices do does not replace what the user did here.
        let kinds: [(SQL, Int)] = [
            ("NOT IN (\(literal: Act.ruled), \(literal: Act.synced))", Self.undoDepth),
            ("= \(literal: Act.ruled)", Self.undoableRuns), ("= \(literal: Act.synced)", Self.undoableReports),
        ]
        for (condition, kept) in kinds {
            try run(
                """
                DELETE FROM undo_step WHERE id IN (SELECT id FROM undo_step
                  WHERE kind \(condition) ORDER BY id DESC LIMIT -1 OFFSET \(kept))
                """)
        }
        let tooLarge: SQL = "SELECT step FROM undo_change GROUP BY step HAVING sum(length(changes)) > \(Self.undoBytes)"
        try run("UPDATE undo_step SET obstacle = 'it changed too much' WHERE id IN (\(tooLarge))")
        try run("DELETE FROM undo_change WHERE step IN (\(tooLarge))")
        try run(
            """
            DELETE FROM undo_step WHERE id IN (SELECT step FROM (
              SELECT step, sum(sum(length(changes))) OVER (ORDER BY step DESC) AS total FROM undo_change GROUP BY step)
              WHERE total > \(Self.undoBytes))
            """)
    }
}

extension Changeset {
    /// Of the bytes and their number.
    var checksum: Int64 {
        var hash = StableHash()
        bytes.withUnsafeBytes { hash.add(bytes: $0) }
        return hash.value
    }
}

extension LibraryPart {
    /// Runs a part of a transaction as a step that can be undone, or as a part of the open act. Without changes there is
    /// no step.
    /// - Parameters:
    ///   - count: number of entries whose order the act changes.
    ///   - now: nil for the time of the clock.
    ///   - isAutomatic: whether playback changed the rows without a command: an episode ended or followed the queue.
    func recording<Result>(
        _ kind: Act, title: String? = nil, count: Int = 0, feed: FeedID? = nil, at now: Timestamp? = nil,
        isAutomatic: Bool = false, continuing step: Int64? = nil, _ body: () throws -> Result
    ) throws -> Result {
        if library.recording != nil { return try body() }
        let act = library.openAct
        library.recording = ActRecording(
            kind: act?.kind ?? kind, title: act?.title ?? title, count: count, feed: feed, time: act?.time ?? now,
            isAutomatic: isAutomatic,
            step: act?.step ?? step, recorder: try ActRecording.recorder(connection, of: act?.kind ?? kind))
        defer { library.recording = nil }
        let result = try body()
        try library.history.storePart()
        return result
    }

    /// Records a part of a transaction only within an act, because refreshes do the same without one.
    func recordingPart<Result>(_ body: () throws -> Result) throws -> Result {
        guard let act = library.openAct else { return try body() }
        return try recording(act.kind, body)
    }
}
