/// A rule for new episodes: `type:trailer then skip`.
public struct EpisodeRule: Hashable, Sendable {
    /// Never reused.
    public var id: RuleID
    /// The feed to which the rule applies; nil for all feeds.
    public var feed: FeedID?
    public var text: RuleText

    public init(id: RuleID, feed: FeedID?, text: RuleText) {
        self.id = id
        self.feed = feed
        self.text = text
    }

    /// Texts are compared as they are written: a tag may be looked up by now in one of them.
    public func isSame(as text: RuleText, _ feed: FeedID?) -> Bool {
        self.text.description == text.description && self.feed == feed
    }

    /// True if the rule matches every episode that `other` matches, so that `other` never decides after this rule.
    public func covers(_ other: EpisodeRule) -> Bool {
        (feed == nil || feed == other.feed)
            && text.condition.terms.allSatisfy { other.text.condition.terms.contains($0) }
    }
}

/// A rule as users write it: conditions, `then`, actions.
public struct RuleText: Hashable, Sendable, CustomStringConvertible {
    public var condition: EpisodeExpression
    var action: RuleAction

    /// Parses `title:"bonus" longer:10m then queue priority=2`.
    public init(parsing text: String) throws(ExpressionError) {
        var reader = try ExpressionReader(text)
        condition = try reader.expression(until: "then")
        if let word = condition.words.first {
            throw ExpressionError(
                1, "'\(word)' is not a condition; rules cannot search notes",
                hint: "write title:\"\(word)\" to search titles")
        }
        action = try reader.action()
    }

    /// Text that parses to the same rule.
    public var description: String {
        let conditions = condition.description
        return (conditions.isEmpty ? "" : conditions + " ") + "then \(action)"
    }
}

/// The action of a rule.
public enum RuleAction: Hashable, Sendable, CustomStringConvertible {
    /// Does nothing: an exception to the following rules.
    case keep
    case played
    /// Hides the episode, which then is neither new nor played.
    case skip
    /// Any of: queue the episode, add it to a playlist by hand, download it.
    case fetch(queueing: Queueing?, playlist: String?, isDownloaded: Bool)

    public enum Place: String, Sendable {
        case end = "queue"
        case next
    }

    public struct Queueing: Hashable, Sendable {
        var place: Place
        /// Entries with a higher priority come first; entries queued by the user have priority 0.
        public var priority: Int
        public init(_ place: Place, priority: Int = 0) {
            self.place = place
            self.priority = priority
        }

        /// The index in the queue at which to insert an episode.
        /// - Parameter upcoming: the entries after the current one, in order.
        public func index(among upcoming: [Upcoming], from first: Int) -> Int {
            switch place {
            case .next:
                first + upcoming.prefix { $0.priority > priority || $0.isOfRun && $0.priority == priority }.count
            case .end: first + (upcoming.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0)
            }
        }
    }

    public struct Upcoming {
        var priority: Int
        /// Whether this run of the rules queued the entry next. Its later entries go behind it.
        var isOfRun: Bool
        public init(priority: Int, isOfRun: Bool) {
            self.priority = priority
            self.isOfRun = isOfRun
        }
    }

    static let priorities = -100...100

    /// Text that parses to the same action.
    public var description: String {
        switch self {
        case .keep: return "keep"
        case .played: return "played"
        case .skip: return "skip"
        case .fetch(let queueing, let playlist, let isDownloaded):
            var words: [String] = []
            if let queueing { words.append(queueing.place.rawValue) }
            if let playlist { words.append("add to playlist \(playlist.quoted)") }
            if isDownloaded { words.append("download") }
            if let queueing, queueing.priority != 0 { words.append("priority=\(queueing.priority)") }
            return words.joinedText(" ")
        }
    }
}

extension ExpressionReader {
    private static let actions =
        "use queue, next, add to playlist NAME, download, played, skip, keep, or priority=N with queue or next"

    /// Parses the text after `then`.
    mutating func action() throws(ExpressionError) -> RuleAction {
        var (place, isDownloaded, priority): (RuleAction.Place?, Bool, Int?) = (nil, false, nil)
        var playlist: String?
        var alone: RuleAction?
        var count = 0
        var column = 1
        while let word = try next() {
            column = word.column
            count += 1
            var text = word.bare?.lowercased() ?? ""
            if text.hasSuffix(",") { text.removeLast() }
            switch text {
            // Accept the way people write lists: 'queue, download and …'.
            case "and" where count > 1, "" where word.bare == ",": count -= 1
            case "keep": alone = .keep
            case "played": alone = .played
            case "skip": alone = .skip
            case "download": isDownloaded = true
            case "add", "to": count -= 1
            case "playlist":
                guard let name = try next(), name.key == nil, playlist == nil else {
                    throw ExpressionError(column, "'playlist' needs one name", hint: "write 'add to playlist NAME'")
                }
                let (text, isQuoted) = name.values[0]
                playlist = !isQuoted && text.hasSuffix(",") ? String(text.dropLast()) : text
            case "queue", "next":
                if place != nil {
                    throw ExpressionError(column, "'queue' and 'next' cannot be combined", hint: "remove one of them")
                }
                place = RuleAction.Place(rawValue: text)
            case _ where text.hasPrefix("priority="):
                guard let number = Int(text.dropFirst("priority=".count)), RuleAction.priorities.contains(number) else {
                    throw ExpressionError(column, "invalid priority", hint: "use a whole number from -100 to 100")
                }
                priority = number
            case _: throw ExpressionError(column, "unknown action '\(word.values[0].text)'", hint: Self.actions)
            }
        }
        if let alone {
            if count == 1 { return alone }
            throw ExpressionError(
                column, "'\(alone)' cannot be combined with other actions", hint: "remove the others, or make two rules"
            )
        }
        if place == nil, priority != nil {
            throw ExpressionError(
                column, "priority needs 'queue' or 'next'", hint: "write 'queue priority=N' or 'next priority=N'")
        }
        if place == nil, playlist == nil, !isDownloaded {
            throw ExpressionError(column, "no action after 'then'", hint: Self.actions)
        }
        return .fetch(
            queueing: place.map { RuleAction.Queueing($0, priority: priority ?? 0) }, playlist: playlist,
            isDownloaded: isDownloaded)
    }
}

/// Evaluation of an ordered list of rules for one episode: the first matching rule decides, later rules are ignored.
public struct RuleDecision: Equatable, Sendable {
    /// A rule that did not match, with the reason.
    public struct Passed: Equatable, Sendable {
        public var rule: EpisodeRule
        var failed: EpisodeExpression.Term
    }

    /// The deciding rule; nil if none matches.
    public private(set) var rule: EpisodeRule?
    /// Rules for the episode's feed that were evaluated before `rule`.
    public private(set) var passed: [Passed] = []

    public init(_ rules: [EpisodeRule], for episode: Episode, at now: Timestamp) {
        for rule in rules where rule.feed == nil || rule.feed == episode.feed {
            guard let failed = rule.text.condition.terms.first(where: { !$0.holds(for: episode, at: now) }) else {
                self.rule = rule
                return
            }
            passed.append(Passed(rule: rule, failed: failed))
        }
    }

    public var action: RuleAction { rule?.text.action ?? .keep }

    /// The reason in one line, for users.
    public var reason: String {
        guard let rule else {
            let asked = passed.map { "\($0.rule.id): \($0.failed.isNegated ? "" : "not ")\($0.failed.condition)" }
            return asked.isEmpty ? "no rule for this feed" : "no rule matches (\(asked.joinedText("; ")))"
        }
        let terms = rule.text.condition.terms
        if terms.isEmpty { return "rule \(rule.id): matches every episode" }
        return "rule \(rule.id): \(terms.map(\.description).joinedText(", "))"
    }
}
