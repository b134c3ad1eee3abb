public import PodcastModel

/// A filter as people write it: conditions that must all hold, and words that must stand in title or notes.
///
///     is:unplayed longer:30m not title:"best of","repeat" weekday:mon,tue
///
/// It is written back by `description` as it would be read again. docs/RULES.md has the language.
public struct EpisodeExpression: Hashable, Sendable {
    /// A condition, or its opposite.
    public struct Term: Hashable, Sendable {
        /// The condition.
        public var condition: EpisodeCondition
        /// Whether it must not hold.
        public var isNegated: Bool
        /// A condition that must hold unless told otherwise.
        public init(_ condition: EpisodeCondition, isNegated: Bool = false) {
            self.condition = condition
            self.isNegated = isNegated
        }

        /// Whether an episode is as the term wants it.
        public func holds(for episode: Episode, at now: Timestamp) -> Bool {
            condition.holds(for: episode, at: now) != isNegated
        }
    }

    /// What must hold, in the order written.
    public var terms: [Term]
    /// Words that must all stand in title or notes; a store with an index finds them.
    public var words: [String]

    /// An expression of its parts; without any it lets everything through.
    public init(terms: [Term] = [], words: [String] = []) {
        self.terms = terms
        self.words = words
    }

    /// Whether an episode is as all terms want it. Its words are not looked for: an episode does not hold its notes.
    public func accepts(_ episode: Episode, at now: Timestamp) -> Bool {
        terms.allSatisfy { $0.holds(for: episode, at: now) }
    }

    /// Whether it asks for episodes that were set aside, which it leaves out otherwise.
    public var asksForSetAside: Bool {
        terms.contains { term in
            guard case .state(let states) = term.condition, !term.isNegated else { return false }
            return states.contains(.skipped) || states.contains(.archived)
        }
    }

    /// The same with every feed by its number.
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

    /// The same with every feed by a name that means something elsewhere.
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
    /// As it is read.
    public var description: String { (terms.map(\.description) + words.map(Quoting.quoted)).joined(separator: " ") }
}

extension EpisodeExpression.Term: CustomStringConvertible {
    /// As it is read.
    public var description: String { (isNegated ? "not " : "") + condition.description }
}

extension EpisodeCondition: CustomStringConvertible {
    /// As it is read.
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

/// How texts stand in an expression.
enum Quoting {
    /// In quotes, which no text needs but none minds.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
