internal import JSON

/// What happens by itself to new episodes.
public enum RulesCommand: String, SectionCommands {
    /// Lists rules.
    case list
    /// Adds one.
    case add
    /// Takes one away.
    case remove
    /// Moves one.
    case move
    /// Says what they would do.
    case `try`
    /// Has them judge what is stored.
    case apply

    /// The section.
    public static let section = CommandDeclaration.Section.rules

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let group = "Rules"
        let number = ParameterDeclaration(
            "rule", .integer(1...Int64.max), isRequired: true, help: "The rule's number, as `rules.list` has it.")
        let feed = ParameterDeclaration("feed", .what, help: "Of this feed only: its id, URL or part of its title.")
        return switch self {
        case .list:
            declared(
                "Show the rules in their order.", [feed], result: "`rules`: `Rule` objects", .read,
                commandLine: CommandLineForm(["rules"], group: group))
        case .add:
            declared(
                "Add a rule for new episodes.",
                [
                    ParameterDeclaration(
                        "rule", .text(maximumBytes: 2_000), isRequired: true,
                        help: "Conditions, then, what to do: 'type:trailer then skip'."),
                    ParameterDeclaration(
                        "feed", .what, spelling: .option, help: "For this feed only: its id, URL or part of its title."),
                ], result: "a `Rule` object", .admin,
                commandLine: CommandLineForm(
                    ["rule", "add"], group: group,
                    details: [
                        "Conditions: title:, feed:, longer:, shorter:, older:, newer:, weekday:, season:, type:, is:, "
                            + "each also with 'not' before it. What to do: queue, next, download, played, skip, keep; "
                            + "priority=N with queue or next. The first rule that fits decides. docs/RULES.md has it all."
                    ]))
        case .remove:
            declared(
                "Take a rule away; what it did stays.", [number], result: "an empty object", .admin,
                commandLine: CommandLineForm(["rule", "remove"], group: group))
        case .move:
            declared(
                "Move a rule to another place.",
                [
                    number,
                    ParameterDeclaration(
                        "to", .integer(1...1_000), isRequired: true, help: "The place that it has afterwards, from 1."),
                ], result: "`rules`: `Rule` objects", .admin,
                commandLine: CommandLineForm(["rule", "move"], group: group))
        case .try:
            declared(
                "Show what the rules would do with stored episodes, and why.", [feed, Paging.limit(default: 50)],
                result: "`episodes`: `RuleTrial` objects, newest first; nothing is changed", .read,
                commandLine: CommandLineForm(["rules", "try"], group: group))
        case .apply:
            declared(
                "Have the rules judge what is stored and new.", [feed],
                result: "`judged`, `changed`: numbers of episodes", .control, isLong: true,
                commandLine: CommandLineForm(["rules", "apply"], group: group))
        }
    }
}

/// How much of a feed stays in the views.
public enum RetentionCommand: String, SectionCommands {
    /// Lists what is kept.
    case list
    /// Says what is kept.
    case set
    /// Says what would be dropped.
    case `try`

    /// The section.
    public static let section = CommandDeclaration.Section.retention

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let group = "Rules"
        return switch self {
        case .list:
            declared(
                "Show how much of the feeds is kept in the views.", result: "`retention`: `Retention` objects", .read,
                commandLine: CommandLineForm(["retention"], group: group))
        case .set:
            declared(
                "Say how much of a feed, or of all, is kept in the views.",
                [
                    ParameterDeclaration(
                        "keep", .text(maximumBytes: 200), isRequired: true,
                        help: "newest:10, for:30d, until:played, several of them, all, or off to take it back."),
                    ParameterDeclaration(
                        "feed", .what, spelling: .option, help: "Of this feed only: its id, URL or part of its title."),
                ], result: "`retention`: `Retention` objects", .admin,
                commandLine: CommandLineForm(
                    ["retention", "set"], group: group,
                    details: [
                        "What is dropped leaves the lists and stays in the library: 'episodes --filter is:archived' "
                            + "shows it, 'mark unplayed' brings it back. What is starred, noted, queued or begun stays."
                    ]))
        case .try:
            declared(
                "Show what retention would drop now, and why.",
                [
                    ParameterDeclaration("feed", .what, help: "Of this feed only: its id, URL or part of its title."),
                    Paging.limit(default: 50),
                ],
                result: "`episodes`: a list of `episode`, `title`, `feedTitle`, `published`, `why`; nothing is "
                    + "changed", .read, commandLine: CommandLineForm(["retention", "try"], group: group))
        }
    }
}
