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

    /// Nothing.
    public init() {}

    /// An act that was taken back.
    public init(_ act: Act, count: Int, title: String?, position: MediaTime?) {
        self.act = act
        self.count = count
        self.title = title
        self.position = position
    }

    /// Its name in the manual.
    public static let objectName = "Undone"
    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare(
            "act", &act, isRequired: true,
            "What was taken back: seek, played, unplayed, add, remove, clear, move, shuffle or rules.")
        members.declare(
            "count", &count,
            "Episodes or entries of the queue that are as before again; of add the entries that left the queue.")
        members.declare("title", &title, "Title of the first of them.")
        members.declare("position", &position, "Where listening to it resumes; null for an edit of the queue.")
    }
}

/// A line of the listening history.
public struct HeardReply: ReplyObject {
    /// What happened.
    public enum Event: String, Sendable, CaseIterable {
        /// Listening came to rest.
        case heard
        /// A seek left.
        case left
        /// Heard to the end, or marked so.
        case played
        /// Marked as unplayed.
        case unplayed
        /// Put into the queue by a rule.
        case queued
    }

    /// When.
    public var time = Timestamp(milliseconds: 0)
    /// What happened.
    public var event = Event.heard
    /// To which episode.
    public var episode = EpisodeID(0)
    /// Its title.
    public var title = ""
    /// Where in it.
    public var position = MediaTime.zero
    /// Of what a rule did: its number and what it says.
    public var reason: String?

    /// A line of which nothing is known.
    public init() {}

    /// A line.
    public init(
        time: Timestamp, event: Event, episode: EpisodeID, title: String, position: MediaTime, reason: String? = nil
    ) {
        self.time = time
        self.event = event
        self.episode = episode
        self.title = title
        self.position = position
        self.reason = reason
    }

    /// Its name in the manual.
    public static let objectName = "Heard"
    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("time", &time, "When.")
        members.declare(
            "event", &event, isRequired: true,
            "heard (listening came to rest there: pause, stop, another episode, a seek's target), left (by a seek), played "
                + "or unplayed (it was there until then), queued (by a rule).")
        members.declare("episode", &episode, isRequired: true, "Its id.")
        members.declare("title", &title, "Its title.")
        members.declare("position", &position, "Where in it.")
        members.declare("reason", &reason, "Of what a rule did: its number and what it says.")
    }
}

/// What `episodes.history` answers.
public struct HistoryReply: ReplyObject {
    /// The lines, the latest first.
    public var history: [HeardReply] = []

    /// An empty history.
    public init() {}
    /// Some lines.
    public init(_ history: [HeardReply]) { self.history = history }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("history", &history) }
}

/// What `library.backup` answers.
public struct BackupReply: ReplyObject {
    /// Where the copy is.
    public var path = ""
    /// Its size.
    public var bytes: Int64 = 0

    /// No copy.
    public init() {}

    /// A copy.
    public init(path: String, bytes: Int64) {
        self.path = path
        self.bytes = bytes
    }

    /// Its members.
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("path", &path, isRequired: true)
        members.declare("bytes", &bytes)
    }
}

extension UndoneReply.Act: WireScalar {}
extension HeardReply.Event: WireScalar {}
