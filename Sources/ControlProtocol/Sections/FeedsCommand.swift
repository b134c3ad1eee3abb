internal import JSON

/// Subscriptions.
public enum FeedsCommand: String, SectionCommands {
    /// Lists feeds.
    case list
    /// Adds feeds.
    case subscribe
    /// Removes feeds.
    case unsubscribe
    /// Fetches feeds.
    case refresh
    /// Sets a feed's own setting.
    case set
    /// Subscribes to what a document lists.
    case `import`
    /// Lists subscriptions as a document.
    case export
    /// Tells the daemon what another process wrote.
    case changed
    /// Tells the daemon how a refresh ended.
    case refreshed

    /// The section.
    public static let section = CommandDeclaration.Section.feeds

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        switch self {
        case .list:
            declared(
                "List the subscribed feeds by title.",
                [Paging.limit(default: 200, spelling: .wireOnly), Paging.after],
                result: "`feeds`: `Feed` objects; `hasAfter`", .read,
                commandLine: CommandLineForm(["feeds"], group: "Feeds"))
        case .subscribe:
            declared(
                "Subscribe to feeds and fetch them.",
                [
                    ParameterDeclaration(
                        "urls", .list(.string), isRequired: true, help: "URLs of feeds, http or https.")
                ],
                result: "`feeds`: for each URL `url`, and `feed` (a `Feed` object) with `isNew`, or `error` (`what`)",
                .admin,
                isLong: true, commandLine: CommandLineForm(["subscribe"], group: "Feeds"))
        case .unsubscribe:
            declared(
                "Unsubscribe from feeds; their episodes, positions and queue entries go with them.",
                [
                    ParameterDeclaration(
                        "feeds", .list(.what), isRequired: true, help: "Feeds: ids, URLs or parts of titles.")
                ], result: "`removed`: titles", .admin,
                commandLine: CommandLineForm(["unsubscribe"], group: "Feeds"))
        case .refresh:
            declared(
                "Fetch the feeds that are due, or those named.",
                [
                    ParameterDeclaration("feeds", .list(.what), help: "Feeds: ids, URLs or parts of titles."),
                    ParameterDeclaration(
                        "force", .flag, default: false, help: "Fetch all, due or not."),
                ], result: "`refreshed`, `failed`, `newEpisodes`: numbers; `errors`: a list of `feed`, `what`",
                .control,
                isLong: true, commandLine: CommandLineForm(["refresh"], group: "Feeds"))
        case .set:
            declared(
                "Set one of a feed's own settings.",
                [
                    ParameterDeclaration(
                        "feed", .what, isRequired: true, help: "A feed's id, URL or part of its title."),
                    ParameterDeclaration("key", .string, isRequired: true, help: "The setting's name."),
                    ParameterDeclaration("value", .string, help: "Its value; the default again unless given."),
                ], result: "`feed`, `key`, `value`", .admin, commandLine: CommandLineForm(["set"], group: "Feeds"))
        case .import:
            declared(
                "Subscribe to all feeds of an OPML document.",
                [
                    ParameterDeclaration(
                        "document", .text(maximumBytes: 960_000), isRequired: true,
                        help: "The OPML text; on the command line its file, or - for stdin.")
                ], result: "`added`, `known`: numbers; `errors`: a list of `url`, `what`", .admin, isLong: true,
                commandLine: CommandLineForm(["import"], group: "Feeds"))
        case .export:
            declared(
                "Print all subscriptions as an OPML document.", result: "`document`: OPML text", .read,
                commandLine: CommandLineForm(["export"], group: "Feeds"))
        case .changed:
            declared(
                "Tell the daemon which feeds and episodes another process has written.",
                [
                    ParameterDeclaration(
                        "feeds", .list(.integer(1...Int64.max)), default: [], help: "Ids of feeds."),
                    ParameterDeclaration(
                        "episodes", .list(.integer(1...Int64.max)), default: [],
                        help: "Ids of new and changed episodes; some, if there are more than a list holds."),
                ], result: "an empty object", .control)
        case .refreshed:
            declared(
                "Tell the daemon how a refresh of another process ended.",
                [
                    Self.number("changed", "Feeds with something new."),
                    Self.number("unchanged", "Feeds without."),
                    Self.number("failed", "Feeds that failed or were put off."),
                    Self.number("newEpisodes", "Episodes that were found."),
                ], result: "an empty object", .control)
        }
    }

    private static func number(_ name: String, _ help: String) -> ParameterDeclaration {
        ParameterDeclaration(name, .integer(0...1_000_000_000), isRequired: true, help: help)
    }
}
