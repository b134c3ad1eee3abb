/// A filter as users write it: conditions that must all be true, and words that must occur in title or notes.
///
///     is:unplayed longer:30m not title:"best of","repeat" (feed:f1 or feed:f2)
///
/// `description` parses to the same filter. See docs/RULES.md for the language.
public struct EpisodeExpression: Hashable, Sendable, CustomStringConvertible {
    public struct Term: Hashable, Sendable, CustomStringConvertible {
        public var condition: EpisodeCondition
        public var isNegated: Bool
        public init(_ condition: EpisodeCondition, isNegated: Bool = false) {
            self.condition = condition
            self.isNegated = isNegated
        }

        func holds(for episode: Episode, at now: Timestamp) -> Bool {
            condition.holds(for: episode, at: now) != isNegated
        }

        public var description: String { (isNegated ? "not " : "") + condition.description }
    }

    public var terms: [Term]
    /// Words that must all occur in title or notes; the store's full-text index evaluates them.
    public var words: [String]

    /// Without terms and words the expression matches every episode.
    public init(terms: [Term] = [], words: [String] = []) {
        self.terms = terms
        self.words = words
    }

    /// An expression that matches the episodes that match both.
    public func and(_ other: EpisodeExpression) -> EpisodeExpression {
        EpisodeExpression(terms: terms + other.terms, words: words + other.words)
    }

    /// True if an episode matches all terms. Ignores `words`, because an `Episode` does not contain its notes.
    public func accepts(_ episode: Episode, at now: Timestamp) -> Bool {
        terms.allSatisfy { $0.holds(for: episode, at: now) }
    }

    /// True if the filter names a hidden state; otherwise hidden episodes are excluded.
    public var asksForHidden: Bool {
        conditions(withNegated: false).contains { condition in
            guard case .state(let states) = condition else { return false }
            return states.contains(.skipped) || states.contains(.archived)
        }
    }

    /// The expression with every feed given by id.
    public func lookingUp<Failure: Error>(
        feeds find: (String) throws(Failure) -> FeedID
    ) throws(Failure) -> EpisodeExpression {
        try map { (condition) throws(Failure) in
            guard case .feed(let names) = condition else { return condition }
            return .feed(
                try names.map { (name) throws(Failure) in
                    if case .name(let text) = name { .id(try find(text)) } else { name }
                })
        }
    }

    /// The ids of the named feeds, in the order written, without duplicates.
    public var feeds: [FeedID] {
        var ids: [FeedID] = []
        for case .feed(let names) in conditions(withNegated: true) {
            for case .id(let id) in names where !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    public var hasTags: Bool { conditions(withNegated: true).contains { if case .tag = $0 { true } else { false } } }

    /// The expression with the feeds of its tags.
    public func lookingUp<Failure: Error>(
        tags find: ([String]) throws(Failure) -> [FeedID]
    ) throws(Failure) -> EpisodeExpression {
        try map { (condition) throws(Failure) in
            guard case .tag(let names, _) = condition else { return condition }
            return .tag(names, feeds: try find(names))
        }
    }

    /// The expression with every feed given by a name that is valid in other libraries too.
    public func naming(feeds name: (FeedID) -> String) -> EpisodeExpression {
        map { condition in
            guard case .feed(let names) = condition else { return condition }
            return .feed(names.map { if case .id(let id) = $0 { .name(name(id)) } else { $0 } })
        }
    }

    private func map<Failure: Error>(
        _ change: (EpisodeCondition) throws(Failure) -> EpisodeCondition
    ) throws(Failure) -> EpisodeExpression {
        var changed = self
        for index in terms.indices { changed.terms[index].condition = try terms[index].condition.map(change) }
        return changed
    }

    /// All conditions, including the conditions of alternatives; without the negated ones unless `withNegated`.
    func conditions(withNegated: Bool) -> [EpisodeCondition] {
        terms.filter { withNegated || !$0.isNegated }.flatMap { $0.condition.parts(withNegated: withNegated) }
    }

    public var description: String {
        if words.isEmpty, terms.count == 1, !terms[0].isNegated, case .either(let alternatives) = terms[0].condition {
            return EpisodeCondition.joined(alternatives)
        }
        return (terms.map(\.description) + words.map(\.quoted)).joinedText(" ")
    }
}

extension EpisodeCondition: CustomStringConvertible {
    /// `30m` or `1h30m`; `1:30` for a time that is not whole minutes.
    private static func spelled(_ time: MediaTime) -> String {
        let (minutes, rest) = time.milliseconds.quotientAndRemainder(dividingBy: 60_000)
        if rest != 0 || minutes <= 0 { return "\(time)" }
        return (minutes >= 60 ? "\(minutes / 60)h" : "") + (minutes % 60 > 0 ? "\(minutes % 60)m" : "")
    }

    public var description: String {
        switch self {
        case .title(let patterns): list("title", patterns.map(\.text.quoted))
        case .feed(let names):
            list(
                "feed",
                names.map {
                    switch $0 {
                    case .id(let id): "f\(id)"
                    case .name(let text): text.quoted
                    }
                })
        case .tag(let names, _): list("tag", names.map(\.quoted))
        case .longer(let time): "longer:\(Self.spelled(time))"
        case .shorter(let time): "shorter:\(Self.spelled(time))"
        case .older(let age): "older:\(age)"
        case .newer(let age): "newer:\(age)"
        case .weekday(let days): list("weekday", days.map(\.rawValue))
        case .season(let ranges):
            list(
                "season",
                ranges.map { "\($0.lowerBound)" + ($0.lowerBound < $0.upperBound ? "..\($0.upperBound)" : "") })
        case .kind(let kinds): list("type", kinds.map(\.rawValue))
        case .state(let states): list("is", states.map(\.rawValue))
        case .either(let alternatives): "(\(Self.joined(alternatives)))"
        }
    }

    fileprivate static func joined(_ alternatives: [[EpisodeExpression.Term]]) -> String {
        alternatives.map { $0.map(\.description).joinedText(" ") }.joinedText(" or ")
    }

    private func list(_ key: String, _ values: [String]) -> String { "\(key):\(values.joinedText(","))" }
}
