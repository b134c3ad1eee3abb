public import ControlLanguage

extension CommandSection {
    /// Which item of a feed is which episode, where that was not certain.
    public static let merges = CommandSection("merges") { MergesSection.commands.types }
}

public enum MergesSection {
    public static let commands = CommandList(ListMerges.self, SplitMerge.self, JoinEpisodes.self)
}

/// Lists the decisions about the identity of episodes, the latest first.
public struct ListMerges: Command {
    /// Only of this feed: its id, URL or words of its title.
    public var feed: String?
    /// The most rows.
    public var limit = 50
    /// The id of the decision before which the page ends.
    public var before: Int64?

    public static let form = CommandForm<MergeListReply>(
        "merges.list", "List doubtful matches between new feed items and known episodes, newest first.",
        result: "`merges`: `Merge` objects; `hasAfter`; the library keeps the last 1000 of each feed", .read,
        commandLine: CommandLineForm(["merges"], group: "Episodes"))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feed", &feed, .what, help: "Only of this feed: its id, URL or words of its title.")
        parameters.declareLimit(&limit)
        parameters.declare(
            "before", &before, 1...Int64.max, spelling: .option, help: "Only merges older than ID.")
    }
}

/// Undoes a merge: makes one episode two.
public struct SplitMerge: Command {
    /// The id of the decision.
    public var merge: Int64 = 0

    public static let form = CommandForm<EpisodeSplitReply>(
        "merges.split", "Undo a merge: make two episodes of one.",
        result: "`kept`: id of the episode that keeps position, star, note and queue entries; `other`: id of the "
            + "other one", .control,
        commandLine: CommandLineForm(
            ["split"], group: "Episodes",
            details: [
                "The merged item becomes a separate episode, and later refreshes keep the two apart. Also undoes "
                    + "'join'."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "merge", &merge, 1...Int64.max, isRequired: true, help: "Its id, see 'merges'.")
    }
}

/// Makes two episodes of a feed one.
public struct JoinEpisodes: Command {
    /// The episode that stays: its id, URL or words of its title.
    public var episode = ""
    /// The episode that is merged into it: its id, URL or words of its title.
    public var other = ""

    public static let form = CommandForm<EpisodesJoinedReply>(
        "merges.join", "Merge two episodes of a feed into one.",
        result: "`merge`: id of the merge, for `merges.split`; `episode`: id of the episode that stays",
        .control,
        commandLine: CommandLineForm(
            ["join"], group: "Episodes",
            details: [
                "The first episode stays. It gets the later of both positions, and the star, note and queue entries of "
                    + "the other; later refreshes match both items to it. 'split' undoes this."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "episode", &episode, .what, isRequired: true,
            help: "The episode that stays: its id, URL or words of its title.")
        parameters.declare(
            "other", &other, .what, isRequired: true,
            help: "The episode that is merged into it: its id, URL or words of its title.")
    }
}
