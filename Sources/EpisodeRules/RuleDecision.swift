public import PodcastModel

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
        for rule in rules where rule.isFor(episode) {
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
            return asked.isEmpty ? "no rule for this feed" : "no rule matches (\(asked.joined(separator: "; ")))"
        }
        let terms = rule.text.condition.terms
        if terms.isEmpty { return "rule \(rule.id): matches every episode" }
        return "rule \(rule.id): \(terms.map(\.description).joined(separator: ", "))"
    }
}

/// Finds the place of a new queue entry.
public enum QueuePlacing {
    /// The index at which to insert an episode.
    /// - Parameters:
    ///   - upcoming: priorities of the entries after the current one, in order.
    ///   - first: the index of the first upcoming entry.
    public static func index(for queueing: RuleAction.Queueing, upcoming: [Int], from first: Int) -> Int {
        switch queueing.place {
        case .next: first + (upcoming.prefix { $0 > queueing.priority }.count)
        case .end: first + (upcoming.lastIndex { $0 >= queueing.priority }.map { $0 + 1 } ?? 0)
        }
    }
}
