public import ControlLanguage
internal import PodcastModel

extension CommandSection {
    public static let queue = CommandSection(
        "queue",
        [
            ListQueue.self, AddToQueue.self, InsertIntoQueue.self, RemoveFromQueue.self, MoveInQueue.self,
            ClearQueue.self, CropQueue.self, ShuffleQueue.self,
        ])
}

enum QueueSection {
    fileprivate static let limit = "Queue at most N episodes of each feed or playlist."
    fileprivate static let again = "Queue an episode that is named once more although it is queued already."
    fileprivate static let episodes = "\(EpisodesSection.episodes); a feed means its unplayed episodes."
    fileprivate static let entries =
        "an index or a range of indexes, an episode's or feed's id, a URL, or words of a queued episode's title"
}

public struct ListQueue: Command {
    public var after = 0
    public var limit = 200

    public static let form = CommandForm<QueueListReply>(
        "queue.list", "Show the queue.", .read, verb: "queue", group: "Queue")
    public init() {}
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

    public static let form = CommandForm<QueueAdditionReply>(
        "queue.add", "Append episodes to the queue.", .control, isLong: true, verb: "add", group: "Queue")
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("what", &what, .list(.what), isRequired: true, help: QueueSection.episodes)
        parameters.declare(
            "at", &at, .integer(1...1_000_000), spelling: .option,
            help: "The index of the first new entry (default: the end).")
        parameters.declare("limit", &limit, .integer(1...1_000), spelling: .option, help: QueueSection.limit)
        parameters.declare("again", &again, help: QueueSection.again)
    }
}

public struct InsertIntoQueue: Command {
    public var what: [String] = []
    /// Limit for the episodes of a feed or playlist; nil for none.
    public var limit: Int?
    public var again = false

    public static let form = CommandForm<QueueAdditionReply>(
        "queue.insert", "Queue as the next entry.", .control, isLong: true, verb: "insert", group: "Queue")
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("what", &what, .list(.what), isRequired: true, help: QueueSection.episodes)
        parameters.declare("limit", &limit, .integer(1...1_000), spelling: .option, help: QueueSection.limit)
        parameters.declare("again", &again, help: QueueSection.again)
    }
}

public struct RemoveFromQueue: Command {
    public var what: [String] = []

    public static let form = CommandForm<QueueEditReply>(
        "queue.remove", "Remove entries from the queue.", .control, isDestructive: true, verb: "remove", group: "Queue",
        details: ["If the entry that plays is removed, playback continues with the next one."])
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "what", &what, .list(.what), isRequired: true,
            help: "Entries: \(QueueSection.entries); or heard for all that are played, except the one that plays.")
    }
}

public struct MoveInQueue: Command {
    public var from = ""
    public var to = 1

    public static let form = CommandForm<QueueEditReply>(
        "queue.move", "Move entries to another index.", .control, verb: "move", group: "Queue")
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "from", &from, .what, isRequired: true,
            help: "An entry: \(QueueSection.entries).")
        parameters.declare(
            "to", &to, .integer(1...1_000_000), isRequired: true,
            help: "The new index of the first of them, from 1 to the length of the queue.")
    }
}

public struct ClearQueue: Command {
    public static let form = CommandForm<QueueLengthReply>(
        "queue.clear", "Clear the queue and stop playback.", .control, isDestructive: true, verb: "clear",
        group: "Queue")
    public init() {}
}

public struct CropQueue: Command {
    public static let form = CommandForm<QueueLengthReply>(
        "queue.crop", "Remove all entries but the current one from the queue.", .control, isDestructive: true,
        verb: "crop", group: "Queue")
    public init() {}
}

public struct ShuffleQueue: Command {
    public static let form = CommandForm<QueueLengthReply>(
        "queue.shuffle", "Shuffle the entries after the current one.", .control, verb: "shuffle", group: "Queue")
    public init() {}
}
