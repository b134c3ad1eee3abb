public import ControlLanguage
public import PodcastModel

extension CommandSection {
    /// What the daemon does with new episodes.
    public static let rules = CommandSection(
        "rules",
        [ListRules.self, AddRule.self, SetRule.self, RemoveRule.self, MoveRule.self, TryRules.self, ApplyRules.self])
}

enum RulesSection {
    fileprivate static let rule = "The rule's number in 'podcastctl rules'."
}

public struct ListRules: Command {
    public var feed: String?

    public static let form = CommandForm<Self, RuleListReply>(
        Self(), "rules.list", "Show the rules in their order.", .read, verb: "rules")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareFeed(&feed)
    }
}

public struct AddRule: Command {
    public var rule = ""
    public var feed: String?

    public static let form = CommandForm<Self, RuleReply>(
        Self(), "rules.add", "Add a rule for new episodes.", .admin, verb: "rule add",
        details: [
            "Conditions: title:, feed:, tag:, longer:, shorter:, older:, newer:, weekday:, season:, type:, is:, "
                + "each also negated with 'not'. Actions: queue, next, download, played, skip, keep; "
                + "priority=N with queue or next. The first rule that matches decides. See podcastd-rules(7)."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "rule", &rule, .text(maximumBytes: 2_000),
            help: "Conditions, then, and an action: 'type:trailer then skip'.")
        parameters.declare(
            "feed", &feed, .feed, spelling: .option, help: "Only for this feed: its id, URL or words of its title.")
    }
}

public struct SetRule: Command {
    public var rule = RuleID(0)
    public var text = ""

    public static let form = CommandForm<Self, RuleReply>(
        Self(), "rules.set", "Change what a rule says; it keeps its place.", .admin, verb: "rule set")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("rule", &rule, help: RulesSection.rule)
        parameters.require(
            "text", &text, .text(maximumBytes: 2_000),
            help: "Conditions, then, and an action: 'type:trailer then skip'.")
    }
}

public struct RemoveRule: Command {
    public var rule = RuleID(0)

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "rules.remove", "Remove a rule; what it did stays.", .admin, isDestructive: true, verb: "rule remove")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("rule", &rule, help: RulesSection.rule)
    }
}

public struct MoveRule: Command {
    public var rule = RuleID(0)
    public var to = 1

    public static let form = CommandForm<Self, RuleListReply>(
        Self(), "rules.move", "Change the order of the rules.", .admin, verb: "rule move")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("rule", &rule, help: RulesSection.rule)
        parameters.require(
            "to", &to, .integer(1...1_000), help: "Its new place, from 1; a place after the last rule means the end.")
    }
}

public struct TryRules: Command {
    public var feed: String?
    public var limit = 50
    public var after: String?

    public static let form = CommandForm<Self, RuleTrialListReply>(
        Self(), "rules.try", "Show what the rules would do with stored episodes, and why.", .read, verb: "rules try")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareFeed(&feed)
        parameters.declareLimit(&limit)
        parameters.declareAfter(&after)
    }
}

public struct ApplyRules: Command {
    /// Rows of a dry run.
    public static let mostShown = 1_000

    public var feed: String?
    public var isOfAll = false
    public var isTrial = false

    public static let form = CommandForm<Self, RulesAppliedReply>(
        Self(), "rules.apply", "Apply the rules to new episodes already in the library.", .control, isLong: true,
        verb: "rules apply")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareFeed(&feed)
        parameters.declare(
            "all", &isOfAll, help: "Apply them to every unplayed episode, also to those from before the subscription.")
        parameters.declare("try", &isTrial, help: "Show what would change; change nothing.")
    }
}

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
        members.require("id", &id, "Its number; stable and never reused.")
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
    var rule: RuleID?
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
        self.rule = rule
        self.action = action
        self.why = why
    }

    public static let rowsMember = "episodes"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("episode", &episode, "The episode's id.")
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
    public var episodes: [TrialReply] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("judged", &judged, "Episodes that were judged.")
        members.declare("changed", &changed, "Episodes with which a rule did something.")
        members.declareIfAny(
            "episodes", &episodes, "With `try`, the episodes that would change, at most \(ApplyRules.mostShown).")
    }
}

extension RuleAct: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("rule", &rule, "The rule's number; it may be gone by now.")
        members.declare("action", &action, "What it did, as rules are written.")
        members.declare("time", &time)
    }
}
