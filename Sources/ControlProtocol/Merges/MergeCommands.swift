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
    /// Of this feed only: its id, URL or part of its title.
    public var feed: String?
    /// The most rows.
    public var limit = 50
    /// The id of the decision before which the page ends.
    public var before: Int64?

    public static let form = CommandForm<MergeListReply>(
        "merges.list", "List what was decided about the identity of episodes and was not plain, the latest first.",
        result: "`merges`: `Merge` objects; the library keeps the last 1000 of each feed", .read,
        commandLine: CommandLineForm(["merges"], group: "Episodes"))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feed", &feed, .what, help: "Of this feed only: its id, URL or part of its title.")
        parameters.declareLimit(&limit)
        parameters.declare(
            "before", &before, 1...Int64.max, spelling: .option, help: "Decided before this one, by its id.")
    }
}

/// Undoes a merge: makes one episode two.
public struct SplitMerge: Command {
    /// The id of the decision.
    public var merge: Int64 = 0

    public static let form = CommandForm<EpisodeSplitReply>(
        "merges.split", "Take a merge back: what was taken for one episode is two.",
        result: "`kept`: id of the episode that keeps position, star, note and queue entries; `other`: id of the "
            + "other one", .control,
        commandLine: CommandLineForm(
            ["split"], group: "Episodes",
            details: [
                "The item that was taken for an episode becomes an episode of its own; later refreshes keep the two "
                    + "apart. Episodes that 'join' made one are as before."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "merge", &merge, 1...Int64.max, isRequired: true, help: "Its id, as 'merges' lists it.")
    }
}

/// Makes two episodes of a feed one.
public struct JoinEpisodes: Command {
    /// The one that stays: its id, URL or part of its title.
    public var episode = ""
    /// The one that goes: its id, URL or part of its title.
    public var other = ""

    public static let form = CommandForm<EpisodesJoinedReply>(
        "merges.join", "Make two episodes of a feed one.",
        result: "`merge`: id of the decision, which `merges.split` takes back; `episode`: id of the one that stays",
        .control,
        commandLine: CommandLineForm(
            ["join"], group: "Episodes",
            details: [
                "The first one stays and gets the further position, the star, both notes and the queue entries of the "
                    + "other; later refreshes take both for it. 'split' takes it back."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "episode", &episode, .what, isRequired: true,
            help: "The one that stays: its id, URL or part of its title.")
        parameters.declare(
            "other", &other, .what, isRequired: true, help: "The one that goes: its id, URL or part of its title.")
    }
}
