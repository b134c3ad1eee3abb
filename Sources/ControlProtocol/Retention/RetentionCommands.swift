public import ControlLanguage

extension CommandSection {
    /// How much of a feed stays in the views.
    public static let retention = CommandSection("retention") { RetentionSection.commands.types }
}

public enum RetentionSection {
    public static let commands = CommandList(ListRetention.self, SetRetention.self, TryRetention.self)

    fileprivate static let group = "Rules"
    fileprivate static let feed = "Of this feed only: its id, URL or part of its title."
}

/// Lists the retention policies.
public struct ListRetention: Command {
    public static let form = CommandForm<RetentionListReply>(
        "retention.list", "Show how much of the feeds is kept in the views.",
        result: "`retention`: `Retention` objects", .read,
        commandLine: CommandLineForm(["retention"], group: RetentionSection.group))
    public init() {}
}

/// Sets the retention policy of a feed, or of all.
public struct SetRetention: Command {
    /// A policy, or `off`.
    public var keep = ""
    /// Of this feed only: its id, URL or part of its title.
    public var feed: String?

    public static let form = CommandForm<RetentionListReply>(
        "retention.set", "Say how much of a feed, or of all, is kept in the views.",
        result: "`retention`: `Retention` objects", .admin,
        commandLine: CommandLineForm(
            ["retention", "set"], group: RetentionSection.group,
            details: [
                "What is dropped leaves the lists and stays in the library: 'episodes --filter is:archived' "
                    + "shows it, 'mark unplayed' brings it back. What is starred, noted, queued or begun stays."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "keep", &keep, .text(maximumBytes: 200), isRequired: true,
            help: "newest:10, for:30d, until:played, several of them, all, or off to take it back.")
        parameters.declare("feed", &feed, .what, spelling: .option, help: RetentionSection.feed)
    }
}

/// Shows what retention would drop now.
public struct TryRetention: Command {
    /// Of this feed only: its id, URL or part of its title.
    public var feed: String?
    /// The most episodes.
    public var limit = 50

    public static let form = CommandForm<RetentionTrialListReply>(
        "retention.try", "Show what retention would drop now, and why.",
        result: "`episodes`: a list of `episode`, `title`, `feedTitle`, `published`, `why`; nothing is "
            + "changed", .read, commandLine: CommandLineForm(["retention", "try"], group: RetentionSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feed", &feed, .what, help: RetentionSection.feed)
        parameters.declareLimit(&limit)
    }
}
