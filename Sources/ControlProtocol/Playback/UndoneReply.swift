public import ControlLanguage
public import PodcastModel

/// What `playback.undo` took back.
public struct UndoneReply: ReplyObject {
    /// What had been done.
    public enum Act: String, Sendable, CaseIterable {
        /// Moved within an episode.
        case seek
        /// Marked as played, or heard to the end.
        case played
        /// Marked as unplayed.
        case unplayed
        /// Took entries out of the queue.
        case remove
        /// Emptied the queue.
        case clear
        /// Moved an entry of the queue.
        case move
        /// Mixed the queue.
        case shuffle
        /// Rules did something with what came.
        case rules
        /// Put entries into the queue.
        case add
        case star, unstar
        /// Wrote, changed or removed a note.
        case note
        /// Those that cannot be undone.
        case unsubscribe, delete, join
    }

    /// What had been done.
    public var act = Act.seek
    /// The episodes, or the queue's entries, that are as before again, or have left the queue.
    public var count = 0
    /// Title of the first of them.
    public var title: String?
    /// Where listening to it resumes.
    public var position: MediaTime?

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
            "What was undone: \(Act.all).")
        members.declare(
            "count", &count,
            "Number of restored episodes or queue entries; of add, the number of entries removed from the queue.")
        members.declare("title", &title, "Title of the first of them.")
        members.declare("position", &position, "Its saved position; null for an edit of the queue.")
    }
}

extension UndoneReply.Act: WireScalar {
    fileprivate static let all =
        "seek, played, unplayed, star, unstar, note, add, remove, clear, move, shuffle or rules"
}

/// What `playback.undoable` lists.
public struct UndoableListReply: ReplyObject {
    /// The last act comes first.
    public var acts: [UndoableReply] = []

    public init() {}

    public init(_ acts: [UndoableReply]) { self.acts = acts }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("acts", &acts, "The acts, the last one first.")
    }
}

/// An act that can be undone.
public struct UndoableReply: ReplyObject {
    public var act = UndoneReply.Act.seek
    public var count = 0
    public var title = ""

    public init() {}

    public init(_ act: UndoneReply.Act, count: Int, title: String) {
        (self.act, self.count, self.title) = (act, count, title)
    }

    public static let objectName = "Undoable"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare(
            "act", &act, isRequired: true,
            "What would be undone: \(UndoneReply.Act.all); or what cannot be undone: unsubscribe, delete or join.")
        members.declare("count", &count, "Number of its episodes or queue entries.")
        members.declare("title", &title, "Title of the first of them.")
    }
}
