/// The action of a rule on an episode.
public struct RuleAct: Equatable, Sendable {
    /// The rule's id; the rule may have been removed.
    public var rule = RuleID(0)
    /// The action in the rule language.
    public var action = ""
    public var time = Timestamp(milliseconds: 0)

    public init() {}
    public init(_ rule: RuleID, action: String, time: Timestamp) {
        self.rule = rule
        self.action = action
        self.time = time
    }
}

/// A feed that no longer exists but is named in a filter.
public struct MissingFeed: Equatable, Sendable {
    public var id = FeedID(0)
    /// The feed's last title; nil if the feed is deleted.
    public var title: String?

    public init() {}
    public init(id: FeedID, title: String?) {
        self.id = id
        self.title = title
    }
}
