public import ControlLanguage

/// Keeps episodes on disk.
public struct DownloadEpisodes: Command {
    /// Episodes or feeds: ids, URLs or parts of titles.
    public var what: [String] = []
    /// The most episodes that a feed or a playlist stands for.
    public var limit = 50

    public static let form = CommandForm<DownloadsReply>(
        "episodes.download", "Fetch episodes whole and keep them on disk; returns at once.",
        result: "`episodes`: `Episode` objects; those that are not `downloaded` yet are fetched one after "
            + "another, as `activities` tells; `hasMore`: whether a feed or a playlist has more than `limit`",
        .control, isLong: true,
        commandLine: CommandLineForm(
            ["download"], group: "Episodes",
            details: [
                "playlist:NAME stands for the first episodes of a saved playlist, 'filter:CONDITIONS' for the "
                    + "latest that fit, such as 'filter:is:starred shorter:1h' (docs/RULES.md).",
                "'activities' shows what is fetched, 'show' what became of it, 'episodes --downloaded' what is kept. "
                    + "What was played is kept no longer, unless it is starred.",
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "what", &what, listOf: .what, isRequired: true,
            help: "Episodes or feeds: ids, URLs or parts of titles; a feed stands for its latest unplayed ones.")
        parameters.declare(
            "limit", &limit, 1...1000, spelling: .option,
            help: "Episodes that a feed or a playlist stands for at most.")
    }
}

/// Deletes downloaded files; the episodes stay in the library.
public struct DeleteDownloads: Command {
    /// Episodes or feeds: ids, URLs or parts of titles.
    public var what: [String] = []

    public static let form = CommandForm<EpisodesMarkedReply>(
        "episodes.delete", "Take the files of episodes from the disk; the episodes stay.", result: "`episodes`: ids",
        .control, isLong: true,
        commandLine: CommandLineForm(
            ["delete"], group: "Episodes",
            details: [
                "playlist:NAME and 'filter:CONDITIONS' stand for those of their episodes that are kept; what "
                    + "waits to be downloaded is not downloaded any more."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "what", &what, listOf: .what, isRequired: true,
            help: "Episodes or feeds: ids, URLs or parts of titles; a feed stands for those that are kept.")
    }
}
