public import ControlLanguage
public import PodcastModel

/// One place in the queue, with its episode.
public struct EntryReply: ReplyObject {
    public var id = EntryID(0)
    public var index = 0
    public var isCurrent = false
    public var episode: EpisodeReply?

    public init() {}

    public init(id: EntryID, index: Int, isCurrent: Bool, episode: EpisodeReply?) {
        (self.id, self.index, self.isCurrent, self.episode) = (id, index, isCurrent, episode)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true, "Its id; stable while other entries change.")
        members.declareIndex("index", &index, isRequired: true, "Its index in the queue, from 1.")
        members.declare("current", &isCurrent, "Whether it is the current entry: it is playing or was played last.")
        members.declare("episode", &episode, "The episode; null if its feed was just removed.")
    }
}

public struct QueueListReply: PagedReply {
    public var entries: [EntryReply] = []
    public var extent = QueueExtent()
    public var hasAfter = false

    public init() {}

    public init(_ entries: [EntryReply], extent: QueueExtent, hasAfter: Bool) {
        (self.entries, self.extent, self.hasAfter) = (entries, extent, hasAfter)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("entries", &entries)
        extent.declareMembers(&members)
        members.declare("hasAfter", &hasAfter, "Whether rows follow the page.")
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

/// What commands that put something into the queue answer.
public struct QueueAdditionReply: ReplyObject {
    public var entries: [EntryID] = []
    public var length = 0
    public var named: [NamedReply] = []
    public var skipped = 0
    public var already: [QueuedReply] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("entries", &entries)
        members.declare("length", &length, "Entries in the queue now.")
        members.declare("named", &named, "What each word of the request named.")
        members.declare(
            "skipped", &skipped, "Number of episodes that were in the queue already and are not queued again.")
        members.declare("already", &already, "Where the skipped episodes are, at most 20, in the order of the queue.")
    }
}

/// An episode that was in the queue already.
public struct QueuedReply: ReplyObject {
    public var index = 0
    var episode = EpisodeID(0)

    public init() {}

    public init(index: Int, episode: EpisodeID) { (self.index, self.episode) = (index, episode) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIndex("index", &index, "Its index in the queue, from 1.")
        members.declare("episode", &episode, isRequired: true, "The episode's id.")
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
        (self.episode, title, feedTitle) = (episode.id, episode.title, episode.feedTitle)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIndex("index", &index, "Its index, from 1: before it was removed, or after it was moved.")
        members.declare("episode", &episode, isRequired: true, "The episode's id.")
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

    public init(_ entries: [EditedEntryReply], count: Int, length: Int) {
        (self.entries, self.count, self.length) = (entries, count, length)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("entries", &entries, "The entries, at most 20.")
        members.declare("count", &count, "Number of the entries.")
        members.declare("length", &length, "Entries in the queue now.")
    }
}

/// What all other edits of the queue answer.
public struct QueueLengthReply: ReplyObject {
    public var length = 0

    public init() {}
    public init(length: Int) { self.length = length }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("length", &length, "Entries in the queue now.")
    }
}
