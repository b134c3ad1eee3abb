public import PodcastModel

/// What an ordered list of rules makes of one episode: the first rule that fits decides, those after it are not asked.
public struct RuleDecision: Equatable, Sendable {
    /// A rule that was asked before the one that decided, and what kept it from fitting.
    public struct Passed: Equatable, Sendable {
        /// The rule.
        public var rule: EpisodeRule
        /// The first of its terms that did not hold.
        public var failed: EpisodeExpression.Term
    }

    /// The rule that decided; nil when none fits.
    public private(set) var rule: EpisodeRule?
    /// Rules for the episode's feed that were asked before it.
    public private(set) var passed: [Passed] = []

    /// Asks the rules in their order.
    public init(_ rules: [EpisodeRule], for episode: Episode, at now: Timestamp) {
        for rule in rules where rule.isFor(episode) {
            guard let failed = rule.text.condition.terms.first(where: { !$0.holds(for: episode, at: now) }) else {
                self.rule = rule
                return
            }
            passed.append(Passed(rule: rule, failed: failed))
        }
    }

    /// What happens to the episode.
    public var action: RuleAction { rule?.text.action ?? .keep }

    /// Why, in a line for people.
    public var reason: String {
        guard let rule else {
            let asked = passed.map { "\($0.rule.id): not \($0.failed)" }
            return asked.isEmpty ? "no rule is for this feed" : "no rule fits (\(asked.joined(separator: "; ")))"
        }
        let terms = rule.text.condition.terms
        if terms.isEmpty { return "rule \(rule.id): it fits everything" }
        return "rule \(rule.id): \(terms.map(\.description).joined(separator: ", "))"
    }
}

/// Where new entries of the queue go.
public enum QueuePlacing {
    /// The index before which an episode is put.
    ///
    /// - Parameters:
    ///   - queueing: how a rule wants it.
    ///   - upcoming: priorities of the entries after the current one, in order.
    ///   - first: the index of the first of them.
    public static func index(for queueing: RuleAction.Queueing, upcoming: [Int], from first: Int) -> Int {
        switch queueing.place {
        case .next: first + (upcoming.prefix { $0 > queueing.priority }.count)
        case .end: first + (upcoming.lastIndex { $0 >= queueing.priority }.map { $0 + 1 } ?? 0)
        }
    }
}
