public import PodcastModel
internal import SQLite

/// Undo or redo.
public enum UndoDirection: Sendable {
    case undo, redo

    public var opposite: UndoDirection { self == .undo ? .redo : .undo }
}

/// A step that was undone or redone.
public struct UndoneStep: Equatable, Sendable {
    public var kind: Act
    /// The changed object, if it is not an episode: a feed, a rule, a playlist, a file.
    public var title: String?
    public var episodes: [Episode] = []
    public var feeds: [FeedID] = []
    /// True if this step changed the queue; `entries` is the number of changed entries.
    public var isQueueChanged = false
    public var entries = 0
    /// The change of a playlist, rule or bookmark; nil for other objects, or for different changes.
    public var outcome: Act.Outcome?
    /// The daemon's settings that changed now.
    public var settings: [ClientSetting] = []
    /// Episodes to download again, and episodes whose files must be deleted.
    public var requested: [EpisodeID] = []
    public var dropped: [EpisodeID] = []
    /// The id of the step that reverses this one; nil if nothing was changed.
    public var reversal: Int64?
    /// Why the action cannot be undone, in one sentence; nothing was changed then.
    public var obstacle: String?
}

extension HistoryStore {
    /// Milliseconds within which an act of the user is undone before later steps that are automatic.
    private static let userActGap: Int64 = 600_000

    /// The steps that `turnLast` would take, in its order.
    public func steps(_ direction: UndoDirection, at now: Timestamp) throws(LibraryError) -> [UndoableAct] {
        try read {
            var steps = try connection.all(
                """
                SELECT id, kind, count, coalesce(title, '') AS title, obstacle, time FROM undo_step
                WHERE undone = \(direction == .redo) ORDER BY id DESC
                """
            ) { row in
                var step = UndoableAct()
                step.act = row["kind"] ?? .seek
                step.count = row["count"]
                step.title = row["title"]
                step.obstacle = row["obstacle"]
                step.id = row["id"]
                step.time = row["time"]
                return step
            }
            if direction == .undo, let id = try lastUserAct(at: now),
                let place = steps.firstIndex(where: { $0.id == id })
            {
                steps.insert(steps.remove(at: place), at: 0)
            }
            return steps
        }
    }

    /// The last act of the user, if the act is recent, all later steps are automatic, and none of them concerns an episode of the act.
    private func lastUserAct(at now: Timestamp) throws -> Int64? {
        let isUsers: SQL = """
            s.id = (SELECT max(id) FROM undo_step WHERE undone = 0 AND is_automatic = 0)
              AND s.id < (SELECT max(id) FROM undo_step WHERE undone = 0)
              AND NOT EXISTS (SELECT 1 FROM undo_episode u JOIN undo_episode o USING (episode)
                WHERE o.step = s.id AND u.step > s.id)
            """
        return try recentStep(isUsers, now, within: Self.userActGap)
    }

    /// Undoes the newest action that is not undone yet; or redoes the last undone action, if no other action followed.
    /// A step that cannot be undone, or without any effect that remains, is forgotten, so that the next undo takes the step
    /// before. Committed before the function returns.
    /// - Parameter step: id of another step to undo or redo.
    /// - Returns: nil without a step to undo or redo.
    public func turnLast(_ direction: UndoDirection, step: Int64?, at now: Timestamp) throws(LibraryError)
        -> UndoneStep?
    {
        var tried: UndoableAct?
        do {
            return try write(.synced) {
                tried = try steps(direction, at: now).first { step == nil || $0.id == step }
                return try tried.map { try apply($0, direction, at: now) }
            }
        } catch .refused(let why) {
            guard let step = tried else { throw .refused(why) }
            try write(.synced) { try forget(step) }
            return UndoneStep(kind: step.act, title: step.storedTitle, obstacle: why)
        }
    }

    private func forget(_ step: UndoableAct) throws { try run("DELETE FROM undo_step WHERE id = \(step.id)") }

    /// Reverses a step, and records that as the step of the other direction.
    private func apply(_ step: UndoableAct, _ direction: UndoDirection, at now: Timestamp) throws -> UndoneStep {
        if let obstacle = step.obstacle { throw LibraryError.refused(obstacle) }
        let recorder = try ActRecording.recorder(connection, of: step.act)
        var applier = ChangeApplier(
            library: library, kind: step.act, isUndo: direction == .undo, done: step.time, now: now)
        // The latest part comes first, one in memory at a time.
        var part = try lastPart(of: step.id)
        while let (id, changes) = part {
            try applier.apply(try library.rows(of: changes, isInverse: true))
            part = try lastPart(of: step.id, before: id)
        }
        try library.queue.separate()
        let changes = try recorder.changes()
        let rows = try library.rows(of: changes)
        if !rows.contains(where: \.isOfAct) {
            throw LibraryError.refused(
                applier.keepsPlaying
                    ? "it is the current entry of the queue; 'podcastctl remove' removes it"
                    : "nothing that it changed is left as it was then")
        }
        try run(
            """
            INSERT INTO undo_step(kind, undone, feed, title, time, is_automatic, count)
            SELECT kind, \(direction == .undo), feed, title, \(now), is_automatic, iif(\(step.act.traits.isOfOrder), count, 0)
            FROM undo_step WHERE id = \(step.id)
            """)
        let other = connection.lastInsertedRow
        try forget(step)
        let touched = try add(changes, rows, to: other, of: step.act)
        try limitSteps()
        var done = UndoneStep(
            kind: step.act, title: step.storedTitle, episodes: try touched.episodes.compactMap(library.episodes.stored))
        done.feeds = touched.feeds
        done.isQueueChanged = touched.isQueueChanged
        done.entries = step.act.traits.isOfOrder ? step.count : touched.entries
        done.settings = touched.settings
        // An edit of entries changes their playlist.
        done.outcome = touched.outcome ?? (step.act == .playlist ? .changed : nil)
        done.requested = applier.requested
        done.dropped = applier.dropped
        done.reversal = other
        return done
    }

    func lastPart(of step: Int64, before id: Int64 = .max) throws -> (Int64, Changeset)? {
        try connection.first(
            """
            SELECT id, checksum, changes FROM undo_change WHERE step = \(step) AND id < \(id) ORDER BY id DESC LIMIT 1
            """
        ) { row in
            let changes = Changeset(bytes: row["changes"] ?? [])
            if changes.checksum != row["checksum"] {
                throw LibraryError.refused("its record in the library is damaged")
            }
            return (row["id"], changes)
        }
    }
}

extension UndoableAct {
    fileprivate var storedTitle: String? { title.nonEmpty }
}
