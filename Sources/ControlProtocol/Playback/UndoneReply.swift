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
            "What was undone: seek, played, unplayed, add, remove, clear, move, shuffle or rules.")
        members.declare(
            "count", &count,
            "Number of restored episodes or queue entries; of add, the number of entries removed from the queue.")
        members.declare("title", &title, "Title of the first of them.")
        members.declare("position", &position, "Its saved position; null for an edit of the queue.")
    }
}

extension UndoneReply.Act: WireScalar {}
