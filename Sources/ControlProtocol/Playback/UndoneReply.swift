public import ControlLanguage
public import PodcastModel

/// What `playback.undo` took back, or `playback.redo` did again.
public struct UndoneReply: ReplyObject {
    /// What had been done.
    public enum Act: String, Sendable, CaseIterable {
        /// Moved within an episode.
        case seek
        /// Marked as played, or heard to the end.
        case played
        case unplayed
        /// Took entries out of the queue.
        case remove
        case clear
        /// Moved an entry of the queue.
        case move
        case shuffle
        /// Rules did something with what came.
        case rules
        /// Put entries into the queue.
        case add
        case star, unstar
        /// Wrote, changed or removed a note.
        case note
        case subscribe, unsubscribe
        /// Changed a setting, of a feed or of the daemon.
        case set
        /// Added, removed or moved a rule.
        case rule
        case retention
        /// Saved or removed a playlist.
        case playlist
        /// Requested downloads, or deleted files.
        case download, delete
        /// Made two feeds one.
        case merge
        case `import`
        /// Added, changed or removed a bookmark.
        case bookmark
        /// Changed the playback speed, of a feed or of all.
        case speed
    }

    /// What had been done.
    public var act = Act.seek
    /// The episodes, or the queue's entries, that are as before again, or have left the queue.
    public var count = 0
    /// Title of the first of them.
    public var title: String?
    /// Where listening to it resumes.
    public var position: MediaTime?
    /// What it was done to, unless episodes say it.
    public var subject: String?
    /// Number of files that are fetched again.
    public var fetching = 0
    /// What became of a playlist, rule or bookmark.
    public enum Outcome: String, WireScalar, Sendable { case removed, restored, changed }
    public var outcome: Outcome?

    public init() {}

    public init(_ act: Act, count: Int, title: String?, position: MediaTime?) {
        self.act = act
        self.count = count
        self.title = title
        self.position = position
    }

    public static let objectName = "Undone"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare(
            "act", &act, isRequired: true,
            "What was undone or done again: \(Act.all).")
        members.declare(
            "count", &count,
            "Number of restored episodes or queue entries; of add, the number of entries removed from the queue.")
        members.declare("title", &title, "Title of the first of them.")
        members.declare("position", &position, "Its saved position; null for an edit of the queue.")
        members.declare(
            "subject", &subject,
            "What it was done to, if that is not an episode: a feed, setting, rule, playlist or file.")
        members.declare("fetching", &fetching, "Number of files that are being downloaded again.")
        members.declare(
            "outcome", &outcome,
            "What became of the playlist, rule or bookmark: removed, restored or changed; null for other acts.")
    }
}

extension UndoneReply.Act: WireScalar {
    fileprivate static let all =
        "seek, played, unplayed, star, unstar, note, add, remove, clear, move, shuffle, rules, subscribe, unsubscribe, set, rule, "
        + "retention, playlist, download, delete, merge, import, bookmark or speed"
}

public struct UndoableListReply: ReplyObject {
    /// The last act comes first.
    public var acts: [UndoableReply] = []
    /// The act that was undone last comes first.
    public var undone: [UndoableReply] = []

    public init() {}

    public init(_ acts: [UndoableReply], undone: [UndoableReply] = []) { (self.acts, self.undone) = (acts, undone) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("acts", &acts, "The acts, the last one first.")
        members.declare("undone", &undone, "The acts that `redo` would do again, in its order.")
    }
}

/// An act that can be undone, or done again.
public struct UndoableReply: ReplyObject {
    public var act = UndoneReply.Act.seek
    public var count = 0
    public var title = ""
    /// Why it cannot be undone.
    public var reason: String?
    public var id: Int64 = 0
    /// When it was done; nil if an earlier version recorded it.
    public var time: Timestamp?

    public init() {}

    public init(_ act: UndoneReply.Act, count: Int, title: String) {
        (self.act, self.count, self.title) = (act, count, title)
    }

    public static let objectName = "Undoable"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare(
            "act", &act, isRequired: true,
            "What would be undone or done again: \(UndoneReply.Act.all).")
        members.declare("count", &count, "Number of its episodes, queue entries or feeds.")
        members.declare(
            "title", &title, "Title of the first of them; of the others the setting, rule, playlist or file.")
        members.declare("reason", &reason, "Why it cannot be undone or done again; null if it can.")
        members.declare("id", &id, "Its id, for the parameter `act` of `playback.undo`.")
        members.declare("time", &time, "When it was done; null if that is not known.")
    }
}
