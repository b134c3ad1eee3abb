public import ControlLanguage
public import PodcastModel

extension CommandSection {
    /// What the daemon does with new episodes.
    public static let rules = CommandSection(
        "rules",
        [ListRules.self, AddRule.self, SetRule.self, RemoveRule.self, MoveRule.self, TryRules.self, ApplyRules.self])
}

enum RulesSection {
    fileprivate static let group = "Rules"
    fileprivate static let rule = "The rule's number in 'podcastctl rules'."
    fileprivate static let feed = "Only of this feed: its id, URL or words of its title."
}

/// Lists rules in their order.
public struct ListRules: Command {
    /// Only of this feed: its id, URL or words of its title.
    public var feed: String?

    public static let form = CommandForm<RuleListReply>(
        "rules.list", "Show the rules in their order.", result: "`rules`: `Rule` objects", .read,
        commandLine: CommandLineForm(["rules"], group: RulesSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feed", &feed, .what, help: RulesSection.feed)
    }
}

/// Adds a rule for new episodes.
public struct AddRule: Command {
    public var rule = ""
    public var feed: String?

    public static let form = CommandForm<RuleReply>(
        "rules.add", "Add a rule for new episodes.", result: "a `Rule` object", .admin,
        commandLine: CommandLineForm(
            ["rule", "add"], group: RulesSection.group,
            details: [
                "Conditions: title:, feed:, longer:, shorter:, older:, newer:, weekday:, season:, type:, is:, "
                    + "each also negated with 'not'. Actions: queue, next, download, played, skip, keep; "
                    + "priority=N with queue or next. The first rule that matches decides. See podcastd-rules(7)."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "rule", &rule, .text(maximumBytes: 2_000), isRequired: true,
            help: "Conditions, then, and an action: 'type:trailer then skip'.")
        parameters.declare(
            "feed", &feed, .what, spelling: .option, help: "Only for this feed: its id, URL or words of its title.")
    }
}

/// Replaces the text of a rule.
public struct SetRule: Command {
    public var rule = RuleID(0)
    public var text = ""

    public static let form = CommandForm<RuleReply>(
        "rules.set", "Change what a rule says; it keeps its place.", result: "a `Rule` object", .admin,
        commandLine: CommandLineForm(["rule", "set"], group: RulesSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("rule", &rule, help: RulesSection.rule)
        parameters.declare(
            "text", &text, .text(maximumBytes: 2_000), isRequired: true,
            help: "Conditions, then, and an action: 'type:trailer then skip'.")
    }
}

/// Removes a rule; what it did stays.
public struct RemoveRule: Command {
    public var rule = RuleID(0)

    public static let form = CommandForm<EmptyReply>(
        "rules.remove", "Remove a rule; what it did stays.", result: "an empty object", .admin, isDestructive: true,
        commandLine: CommandLineForm(["rule", "remove"], group: RulesSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("rule", &rule, help: RulesSection.rule)
    }
}

/// Moves a rule to another place.
public struct MoveRule: Command {
    public var rule = RuleID(0)
    public var to = 1

    public static let form = CommandForm<RuleListReply>(
        "rules.move", "Change the order of the rules.", result: "`rules`: `Rule` objects", .admin,
        commandLine: CommandLineForm(["rule", "move"], group: RulesSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("rule", &rule, help: RulesSection.rule)
        parameters.declare(
            "to", &to, 1...1_000, isRequired: true,
            help: "Its new place, from 1; a place after the last rule means the end.")
    }
}

/// Shows what the rules would do with stored episodes.
public struct TryRules: Command {
    /// Only of this feed: its id, URL or words of its title.
    public var feed: String?
    public var limit = 50
    /// The key of the row before the page.
    public var after: String?

    public static let form = CommandForm<RuleTrialListReply>(
        "rules.try", "Show what the rules would do with stored episodes, and why.",
        result: "`episodes`: `RuleTrial` objects, newest first, each with its `key`; `hasAfter`; nothing is changed",
        .read,
        commandLine: CommandLineForm(["rules", "try"], group: RulesSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feed", &feed, .what, help: RulesSection.feed)
        parameters.declareLimit(&limit)
        parameters.declareAfter(&after)
    }
}

/// Applies the rules to stored episodes that are new.
public struct ApplyRules: Command {
    /// Only of this feed: its id, URL or words of its title.
    public var feed: String?

    public static let form = CommandForm<RulesAppliedReply>(
        "rules.apply", "Apply the rules to new episodes already in the library.",
        result: "`judged`, `changed`: numbers of episodes",
        .control, isLong: true, commandLine: CommandLineForm(["rules", "apply"], group: RulesSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feed", &feed, .what, help: RulesSection.feed)
    }
}
