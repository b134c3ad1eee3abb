import PodcastModel

/// Filters, rules and retention policies as users write them: printed and parsed again, they are the same and decide
/// the same.
enum RuleFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        let seed = input.number(UInt16.self)
        let text = input.text
        let (episode, now) = (episode(seed, title: text), Timestamp(seconds: Int64(seed) * 86_400))
        if let filter = try? EpisodeExpression(parsing: text) {
            require(filter.description.utf8.count <= 8 * EpisodeExpression.maximumLength, "\(text) grows")
            // The printed text may exceed the length limit for input, because every time and quote is written in full.
            if filter.description.utf8.count <= EpisodeExpression.maximumLength {
                let again = try? EpisodeExpression(parsing: filter.description)
                require(again == filter, "\(text) is written as \(filter)")
                require(again?.accepts(episode, at: now) == filter.accepts(episode, at: now), "\(text) decides anew")
            }
        }
        if let rule = try? RuleText(parsing: text), rule.description.utf8.count <= EpisodeExpression.maximumLength {
            require((try? RuleText(parsing: rule.description)) == rule, "\(text) is written as \(rule)")
            let decision = RuleDecision([EpisodeRule(id: RuleID(1), feed: nil, text: rule)], for: episode, at: now)
            require((decision.rule != nil) == rule.condition.accepts(episode, at: now), "\(text) does not decide")
        }
        if let policy = try? RetentionPolicy(parsing: text) {
            require((try? RetentionPolicy(parsing: policy.description)) == policy, "\(text) is written as \(policy)")
        }
    }

    /// An episode that depends on the seed.
    private static func episode(_ seed: UInt16, title: String) -> Episode {
        let bits = Int(seed)
        var facts = EpisodeFacts()
        (facts.season, facts.type) = (bits % 2 == 0 ? nil : bits % 7, ["full", "trailer", "bonus"][bits % 3])
        return Episode(
            id: EpisodeID(1), feed: FeedID(Int64(bits % 5)), feedTitle: "", title: title,
            enclosure: Enclosure(url: ""), published: Timestamp(seconds: Int64(bits) * 3_600),
            announcedDuration: bits % 3 == 0 ? nil : MediaTime(seconds: Double(bits)), facts: facts,
            state: EpisodeState(
                position: MediaTime(seconds: Double(bits % 4)), isPlayed: bits % 11 == 0, isStarred: bits % 13 == 0,
                hiddenReason: bits % 17 == 0 ? .skipped : nil))
    }
}
