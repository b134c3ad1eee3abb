public import PodcastModel

/// What is to happen by itself to new episodes that fit: `type:trailer then skip`.
public struct EpisodeRule: Hashable, Sendable {
    /// Its number; stable, and never given again.
    public var id: RuleID
    /// The one feed it is for; all of them when nil.
    public var feed: FeedID?
    /// What it says.
    public var text: RuleText

    /// A rule of its parts.
    public init(id: RuleID, feed: FeedID?, text: RuleText) {
        self.id = id
        self.feed = feed
        self.text = text
    }

    /// Whether it is for an episode at all, and all its terms hold.
    public func fits(_ episode: Episode, at now: Timestamp) -> Bool {
        isFor(episode) && text.condition.accepts(episode, at: now)
    }

    /// Whether it looks at the episode's feed.
    func isFor(_ episode: Episode) -> Bool { feed == nil || feed == episode.feed }
}

/// A rule as people write it: conditions, `then`, what to do.
public struct RuleText: Hashable, Sendable, CustomStringConvertible {
    /// Which episodes it is about.
    public var condition: EpisodeExpression
    /// What happens to them.
    public var action: RuleAction

    /// A rule of its parts.
    public init(condition: EpisodeExpression, action: RuleAction) {
        self.condition = condition
        self.action = action
    }

    /// Reads `title:"bonus" longer:10m then queue priority=2`.
    public init(parsing text: String) throws(ExpressionError) {
        var reader = try ExpressionReader(text)
        condition = try reader.expression(until: "then")
        if let word = condition.words.first {
            throw ExpressionError(
                column: 1, what: "'\(word)' is no condition: a rule does not look into notes",
                hint: "write title:\"\(word)\" to look for it in titles")
        }
        action = try reader.action()
    }

    /// As it is read.
    public var description: String {
        let conditions = condition.description
        return (conditions.isEmpty ? "" : conditions + " ") + "then \(action)"
    }
}

/// What a rule does with an episode.
public enum RuleAction: Hashable, Sendable {
    /// Nothing: an exception from the rules after it.
    case keep
    /// Marks it as played.
    case played
    /// Sets it aside: it is not shown as new, and stays apart from what was played.
    case skip
    /// Queues it, has it downloaded, or both.
    case fetch(queueing: Queueing?, isDownloaded: Bool)

    /// Where an episode comes into the queue.
    public enum Place: String, Sendable {
        /// At the end.
        case end = "queue"
        /// After the current entry.
        case next
    }

    /// How an episode is queued.
    public struct Queueing: Hashable, Sendable {
        /// Where.
        public var place: Place
        /// What comes in with more goes before what came in with less; what people queue has 0.
        public var priority: Int
        /// A way to queue.
        public init(_ place: Place, priority: Int = 0) {
            self.place = place
            self.priority = priority
        }
    }

    /// The priorities that there are.
    public static let priorities = -100...100
}

extension RuleAction: CustomStringConvertible {
    /// As it is read.
    public var description: String {
        switch self {
        case .keep: return "keep"
        case .played: return "played"
        case .skip: return "skip"
        case .fetch(let queueing, let isDownloaded):
            var words: [String] = []
            if let queueing { words.append(queueing.place.rawValue) }
            if isDownloaded { words.append("download") }
            if let queueing, queueing.priority != 0 { words.append("priority=\(queueing.priority)") }
            return words.joined(separator: " ")
        }
    }
}

extension ExpressionReader {
    private static let actions = "queue, next, download, played, skip, keep, and priority=N with queue or next"

    /// What stands after `then`.
    mutating func action() throws(ExpressionError) -> RuleAction {
        var (place, isDownloaded, priority): (RuleAction.Place?, Bool, Int?) = (nil, false, nil)
        var alone: RuleAction?
        var count = 0
        var column = 1
        while let word = try next() {
            column = word.column
            count += 1
            let text = word.bare?.lowercased() ?? ""
            switch text {
            case "keep": alone = .keep
            case "played": alone = .played
            case "skip": alone = .skip
            case "download": isDownloaded = true
            case "queue", "next":
                if place != nil {
                    throw ExpressionError(
                        column: column, what: "an episode is queued once", hint: "leave out 'queue' or 'next'")
                }
                place = RuleAction.Place(rawValue: text)
            case _ where text.hasPrefix("priority="):
                guard let number = Int(text.dropFirst("priority=".count)), RuleAction.priorities.contains(number) else {
                    throw ExpressionError(
                        column: column, what: "that is no priority", hint: "a whole number from -100 to 100")
                }
                priority = number
            case _: throw ExpressionError(column: column, what: "that is nothing a rule can do", hint: Self.actions)
            }
        }
        if let alone {
            if count == 1 { return alone }
            throw ExpressionError(
                column: column, what: "'\(alone)' stands alone", hint: "take the other words away, or make two rules")
        }
        if place == nil, priority != nil {
            throw ExpressionError(
                column: column, what: "a priority is one in the queue",
                hint: "write 'queue priority=N' or 'next priority=N'")
        }
        if place == nil, !isDownloaded {
            throw ExpressionError(column: column, what: "nothing follows 'then'", hint: Self.actions)
        }
        return .fetch(
            queueing: place.map { RuleAction.Queueing($0, priority: priority ?? 0) }, isDownloaded: isDownloaded)
    }
}
