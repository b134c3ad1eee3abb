public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let queue = CommandSection(
        "queue",
        [
            ListQueue.self, AddToQueue.self, InsertIntoQueue.self, RemoveFromQueue.self, MoveInQueue.self,
            ClearQueue.self, CropQueue.self, ShuffleQueue.self,
        ])
}

enum QueueSection {
    fileprivate static let again = "Queue an episode that is named once more although it is queued already."
    fileprivate static let oldestFirst = "Queue the episodes of a filter or a playlist with the oldest first."
    static let episodes =
        "\(EpisodesSection.episodes); a feed means its unplayed episodes, the oldest first."
    static let entries =
        "an index or a range of indexes, an episode's or feed's id, a URL, or words of a queued episode's title"
}

extension ParameterExchange {
    mutating func declareQueueLimit(_ limit: inout Int?) {
        declare(
            "limit", &limit, .integer(1...1_000), spelling: .rows,
            help: "Queue at most N episodes of each feed, the oldest first, or of each playlist.")
    }
}

public struct ListQueue: Command {
    public var after = 0
    public var limit = 200

    public static let form = CommandForm<Self, QueueListReply>(
        Self(), "queue.list", "Show the queue.", .read, verb: "queue")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "after", &after, .integer(0...Int64.max), spelling: .wireOnly,
            help: "The index of the entry before the page.")
        parameters.declareLimit(&limit, spelling: .wireOnly)
    }
}

public struct AddToQueue: Command {
    public var what: [String] = []
    public var at: Int?
    /// Limit for the episodes of a feed or playlist; nil for none.
    public var limit: Int?
    public var again = false
    public var oldestFirst = false

    public static let form = CommandForm<Self, QueueAdditionReply>(
        Self(), "queue.add", "Append episodes to the queue.", .control, isLong: true, verb: "add")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireWhat(&what, QueueSection.episodes)
        parameters.declare(
            "at", &at, .integer(1...1_000_000), spelling: .option, placeholder: "N",
            help: "The index of the first new entry (default: the end).")
        parameters.declareQueueLimit(&limit)
        parameters.declare("again", &again, help: QueueSection.again)
        parameters.declare("oldestFirst", &oldestFirst, help: QueueSection.oldestFirst)
    }
}

public struct InsertIntoQueue: Command {
    public var what: [String] = []
    /// Limit for the episodes of a feed or playlist; nil for none.
    public var limit: Int?
    public var again = false
    public var oldestFirst = false

    public static let form = CommandForm<Self, QueueAdditionReply>(
        Self(), "queue.insert", "Queue as the next entry.", .control, isLong: true, verb: "insert")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireWhat(&what, QueueSection.episodes)
        parameters.declareQueueLimit(&limit)
        parameters.declare("again", &again, help: QueueSection.again)
        parameters.declare("oldestFirst", &oldestFirst, help: QueueSection.oldestFirst)
    }
}

public struct RemoveFromQueue: Command {
    public var what: [String] = []

    public static let form = CommandForm<Self, QueueEditReply>(
        Self(), "queue.remove", "Remove entries from the queue.", .control, isDestructive: true, verb: "remove",
        details: ["If the entry that plays is removed, playback continues with the next one."])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireWhat(
            &what, "Entries: \(QueueSection.entries); or heard for all that are played, except the one that plays.")
    }
}

public struct MoveInQueue: Command {
    public var from = ""
    public var to = 1

    public static let form = CommandForm<Self, QueueEditReply>(
        Self(), "queue.move", "Move entries to another index.", .control, verb: "move")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "from", &from, .title, help: "An entry: \(QueueSection.entries).")
        parameters.require(
            "to", &to, .integer(1...1_000_000),
            help: "The new index of the first of them, from 1 to the length of the queue.")
    }
}

public struct ClearQueue: Command {
    public static let form = CommandForm<Self, QueueLengthReply>(
        Self(), "queue.clear", "Clear the queue and stop playback.", .control, isDestructive: true, verb: "clear")
}

public struct CropQueue: Command {
    public static let form = CommandForm<Self, QueueLengthReply>(
        Self(), "queue.crop", "Remove all entries but the current one from the queue.", .control, isDestructive: true,
        verb: "crop")
}

public struct ShuffleQueue: Command {
    public static let form = CommandForm<Self, QueueLengthReply>(
        Self(), "queue.shuffle", "Shuffle the entries after the current one.", .control, verb: "shuffle"
    )
}

/// One place in the queue, with its episode.
public struct EntryReply: ReplyObject {
    public var id = EntryID(0)
    public var index = 0
    public var isCurrent = false
    public var episode: EpisodeReply?

    public init() {}

    public init(id: EntryID, index: Int, isCurrent: Bool, episode: EpisodeReply?) {
        self.id = id
        self.index = index
        self.isCurrent = isCurrent
        self.episode = episode
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &id, "Its id; stable while other entries change.")
        members.declareIndex("index", &index, isRequired: true, "Its index in the queue, from 1.")
        members.declare("current", &isCurrent, "Whether it is the current entry: it is playing or was played last.")
        members.declare("episode", &episode, "The episode; null if its feed was just removed.")
    }
}

/// The time for which the queue still plays.
public struct QueueTimeReply: ReplyObject, Equatable {
    public var time = MediaTime.zero
    public var isExact = true

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("time", &time, "The sum of the known times.")
        members.declare("exact", &isExact, "Whether the durations of all episodes are known.")
    }

    /// `3:12:05`, `at least 3:12:05`; nil if no time is known.
    public var text: String? { time > .zero ? "\(isExact ? "" : "at least ")\(time)" : nil }
}

public struct QueueListReply: PagedReply {
    public var entries: [EntryReply] = []
    public var extent = QueueExtent()
    public var hasAfter = false
    public var remaining = QueueTimeReply()

    public init() {}

    public init(_ entries: [EntryReply], extent: QueueExtent, hasAfter: Bool) {
        self.entries = entries
        self.extent = extent
        self.hasAfter = hasAfter
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("entries", &entries)
        extent.declareMembers(&members)
        members.declare("hasAfter", &hasAfter, "Whether rows follow the page.")
        members.declare("remaining", &remaining, "As the status has it in `queueRemaining`.")
    }

    public static let rowsMember = "entries"
    public static var rows: WritableKeyPath<QueueListReply, [EntryReply]> { \.entries }
}

extension QueueExtent: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("length", &length)
        members.declare("index", &index)
        members.declare("revision", &revision)
    }
}

/// The answer to a command that adds entries to the queue or a playlist.
public struct QueueAdditionReply: ReplyObject {
    public var entries: [EntryID] = []
    public var length = 0
    public var named: [NamedReply] = []
    public var skipped = 0
    public var already: [QueuedReply] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("entries", &entries)
        members.declare("length", &length, "Entries in the queue, or in the playlist, now.")
        members.declare("named", &named, "What each word of the request named.")
        members.declare(
            "skipped", &skipped, "Number of episodes that were there already and are not added again.")
        members.declare("already", &already, "Where the skipped episodes are, at most 20, in their order.")
    }
}

/// An episode that was in the queue already.
public struct QueuedReply: ReplyObject {
    public var index = 0
    var episode = EpisodeID(0)

    public init() {}

    public init(index: Int, episode: EpisodeID) {
        self.index = index
        self.episode = episode
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIndex("index", &index, "Its index in the queue, from 1.")
        members.require("episode", &episode, "The episode's id.")
    }
}

/// An entry that a command removed or moved.
public struct EditedEntryReply: ReplyObject {
    public var index = 0
    var episode = EpisodeID(0)
    public var title = ""
    var feedTitle = ""

    public init() {}

    public init(index: Int, episode: Episode) {
        self.index = index
        self.episode = episode.id
        title = episode.title
        feedTitle = episode.feedTitle
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIndex("index", &index, "Its index, from 1: before it was removed, or after it was moved.")
        members.require("episode", &episode, "The episode's id.")
        members.declare("title", &title, "The episode's title.")
        members.declare("feedTitle", &feedTitle, "The feed's title.")
    }
}

/// What removing and moving entries answers.
public struct QueueEditReply: ReplyObject {
    /// Of more entries only the first are named.
    public static let mostNamed = 20

    public var entries: [EditedEntryReply] = []
    public var count = 0
    public var length = 0

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("entries", &entries, "The entries, at most 20.")
        members.declare("count", &count, "Number of the entries.")
        members.declare("length", &length, "Entries in the queue, or in the playlist, now.")
    }
}

/// What all other edits of the queue answer.
public struct QueueLengthReply: ReplyObject {
    public var length = 0

    public init() {}
    public init(length: Int) { self.length = length }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("length", &length, "Entries in the queue, or in the playlist, now.")
    }
}
