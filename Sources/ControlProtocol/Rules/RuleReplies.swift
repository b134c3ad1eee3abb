public import ControlLanguage
public import PodcastModel

public struct RuleReply: RowReply {
    public var id = RuleID(0)
    public var index = 0
    public var feed: FeedID?
    public var feedTitle: String?
    public var rule = ""
    public var coveredBy: RuleID?

    public init() {}
    public static let rowsMember = "rules"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true, "Its number; stable and never reused.")
        members.declare("index", &index, "Its place among all rules, from 1.")
        members.declare("feed", &feed, "The feed to which it applies; null for all.")
        members.declare("feedTitle", &feedTitle, "That feed's title.")
        members.declare("rule", &rule, "The text of the rule, as `rules.add` accepts it.")
        members.declareIfAny(
            "coveredBy", &coveredBy, "An earlier rule that matches all its episodes, so that it never decides.")
    }
}

/// The rules in their order.
public typealias RuleListReply = ListReply<RuleReply>

/// The decision of a dry run of rules or retention about one episode.
public struct TrialReply: RowReply {
    public var episode = EpisodeID(0)
    public var title = ""
    public var feedTitle = ""
    public var published = Timestamp(milliseconds: 0)
    public var rule: RuleID?
    public var action = ""
    public var why = ""
    public var key: String?

    public init() {}

    public init(_ episode: Episode, rule: RuleID? = nil, action: String, why: String, key: String? = nil) {
        self.key = key
        self.episode = episode.id
        title = episode.title
        feedTitle = episode.feedTitle
        published = episode.published
        (self.rule, self.action, self.why) = (rule, action, why)
    }

    public static let rowsMember = "episodes"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episode", &episode, isRequired: true, "The episode's id.")
        members.declare("title", &title, "Its title.")
        members.declare("feedTitle", &feedTitle, "Its feed's title.")
        members.declare("published", &published, "When it was published.")
        members.declare("rule", &rule, "The rule that decides; null when none fits, and for retention.")
        members.declare(
            "action", &action, "What would happen, as rules are written; `keep` is nothing, `archive` is retention's.")
        members.declare(
            "why", &why,
            "The conditions that hold, or for each rule the one that does not; for retention, the limit that the "
                + "episode is beyond.")
        members.declareIfAny("key", &key, "What `after` takes; only for rules.")
    }
}

/// The episodes, newest first.
public typealias RuleTrialListReply = PageReply<TrialReply>

public struct RulesAppliedReply: ReplyObject {
    public var judged = 0
    public var changed = 0

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("judged", &judged, "Episodes that were judged.")
        members.declare("changed", &changed, "Episodes with which a rule did something.")
    }
}

extension RuleAct: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("rule", &rule, isRequired: true, "The rule's number; it may be gone by now.")
        members.declare("action", &action, "What it did, as rules are written.")
        members.declare("time", &time)
    }
}
