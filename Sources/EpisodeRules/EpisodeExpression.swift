public import PodcastModel

/// A filter as users write it: conditions that must all be true, and words that must occur in title or notes.
///
///     is:unplayed longer:30m not title:"best of","repeat" weekday:mon,tue
///
/// `description` writes it in a form that parses to the same filter. See docs/RULES.md for the language.
public struct EpisodeExpression: Hashable, Sendable {
    /// A condition, possibly negated.
    public struct Term: Hashable, Sendable {
        public var condition: EpisodeCondition
        /// Whether the condition is negated.
        public var isNegated: Bool
        /// Creates a term, not negated by default.
        public init(_ condition: EpisodeCondition, isNegated: Bool = false) {
            self.condition = condition
            self.isNegated = isNegated
        }

        /// Whether an episode matches the term.
        public func holds(for episode: Episode, at now: Timestamp) -> Bool {
            condition.holds(for: episode, at: now) != isNegated
        }
    }

    /// The terms that must be true, in the order written.
    public var terms: [Term]
    /// Words that must all occur in title or notes; a store with a full-text index looks for them.
    public var words: [String]

    /// Creates an expression; without terms and words it matches every episode.
    public init(terms: [Term] = [], words: [String] = []) {
        self.terms = terms
        self.words = words
    }

    /// An expression that matches the episodes that both match.
    public func and(_ other: EpisodeExpression) -> EpisodeExpression {
        EpisodeExpression(terms: terms + other.terms, words: words + other.words)
    }

    /// Whether an episode matches all terms. Ignores `words`, because an `Episode` does not contain its notes.
    public func accepts(_ episode: Episode, at now: Timestamp) -> Bool {
        terms.allSatisfy { $0.holds(for: episode, at: now) }
    }

    /// Whether the filter asks for hidden episodes, which it excludes otherwise.
    public var asksForHidden: Bool {
        terms.contains { term in
            guard case .state(let states) = term.condition, !term.isNegated else { return false }
            return states.contains(.skipped) || states.contains(.archived)
        }
    }

    /// The same expression with every feed given by its id.
    public func lookingUp<Failure: Error>(
        feeds find: (String) throws(Failure) -> FeedID
    ) throws(Failure) -> EpisodeExpression {
        var found = self
        for index in found.terms.indices {
            guard case .feed(let names) = found.terms[index].condition else { continue }
            var ids: [EpisodeCondition.FeedName] = []
            for name in names {
                switch name {
                case .id: ids.append(name)
                case .name(let text): ids.append(.id(try find(text)))
                }
            }
            found.terms[index].condition = .feed(ids)
        }
        return found
    }

    /// The feeds that it names by id, in the order written, each once.
    public var feeds: [FeedID] {
        var ids: [FeedID] = []
        for term in terms {
            guard case .feed(let names) = term.condition else { continue }
            for case .id(let id) in names where !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// Whether it has a condition about tags.
    public var hasTags: Bool { terms.contains { if case .tag = $0.condition { true } else { false } } }

    /// The same expression with the feeds of its tags.
    public func lookingUp<Failure: Error>(
        tags find: ([String]) throws(Failure) -> [FeedID]
    ) throws(Failure) -> EpisodeExpression {
        var found = self
        for index in found.terms.indices {
            guard case .tag(let names, _) = found.terms[index].condition else { continue }
            found.terms[index].condition = .tag(names, feeds: try find(names))
        }
        return found
    }

    /// The same expression with every feed given by a name that is valid in other libraries too.
    public func naming(feeds name: (FeedID) -> String) -> EpisodeExpression {
        var named = self
        for index in named.terms.indices {
            guard case .feed(let names) = named.terms[index].condition else { continue }
            named.terms[index].condition = .feed(
                names.map { if case .id(let id) = $0 { .name(name(id)) } else { $0 } })
        }
        return named
    }
}

extension EpisodeExpression: CustomStringConvertible {
    /// The expression as text that parses to the same value.
    public var description: String { (terms.map(\.description) + words.map(Quoting.quoted)).joined(separator: " ") }
}

extension EpisodeExpression.Term: CustomStringConvertible {
    /// The term as text that parses to the same value.
    public var description: String { (isNegated ? "not " : "") + condition.description }
}

extension EpisodeCondition: CustomStringConvertible {
    /// The condition as text that parses to the same value.
    public var description: String {
        switch self {
        case .title(let patterns): list("title", patterns.map { Quoting.quoted($0.text) })
        case .feed(let names):
            list(
                "feed",
                names.map {
                    switch $0 {
                    case .id(let id): id.description
                    case .name(let text): Quoting.quoted(text)
                    }
                })
        case .tag(let names, _): list("tag", names.map(Quoting.quoted))
        case .longer(let time): "longer:\(time)"
        case .shorter(let time): "shorter:\(time)"
        case .older(let age): "older:\(age)"
        case .newer(let age): "newer:\(age)"
        case .weekday(let days): list("weekday", days.map(\.rawValue))
        case .season(let ranges):
            list(
                "season",
                ranges.map {
                    $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)"
                })
        case .kind(let kinds): list("type", kinds.map(\.rawValue))
        case .state(let states): list("is", states.map(\.rawValue))
        }
    }

    private func list(_ key: String, _ values: [String]) -> String { "\(key):\(values.joined(separator: ","))" }
}

/// Quotes texts in expressions.
enum Quoting {
    /// The text in quotes, which are always allowed.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
