internal import JSON

/// Subscriptions.
public enum FeedsCommand: String, SectionCommands {
    /// Lists feeds.
    case list
    /// Tells everything of one.
    case show
    /// Adds feeds.
    case subscribe
    /// Removes feeds.
    case unsubscribe
    /// Fetches feeds.
    case refresh
    /// Sets a feed's own setting.
    case set
    /// Looks podcasts up by name.
    case find
    /// Hands over a piece of a document that is larger than a line.
    case upload
    /// Takes over what a document holds.
    case `import`
    /// Lists subscriptions as a document.
    case export
    /// Tells the daemon what another process wrote.
    case changed
    /// Tells the daemon how a refresh ended.
    case refreshed

    /// Settings of a feed whose values the command line should not hold.
    public static let secretKeys = ["password"]

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
        case .show:
            declared(
                "Show everything about a feed.",
                [
                    ParameterDeclaration(
                        "feed", .what, isRequired: true, help: "A feed's id, URL or part of its title.")
                ],
                result: "a `Feed` object with `summary` as its publisher wrote it, and `details` (see Details)", .read,
                commandLine: CommandLineForm(["feed"], group: "Feeds"))
        case .subscribe:
            declared(
                "Subscribe to feeds and fetch them.",
                [
                    ParameterDeclaration(
                        "urls", .list(.string), isRequired: true,
                        help: "Addresses of feeds, of web pages that name one, of lists, or links to Apple Podcasts.")
                ],
                result:
                    "`feeds`: for each address `url`, and `feed` (a `Feed` object) with `isNew`, or `imported` (the "
                    + "number of new feeds of a list), or `error` (`what`)",
                .admin,
                isLong: true,
                commandLine: CommandLineForm(
                    ["subscribe"], group: "Feeds",
                    details: [
                        "URLS are addresses of feeds, with or without their scheme, of web pages that name their feed, "
                            + "links to Apple Podcasts, addresses of OPML lists, or files that 'import' takes."
                    ]))
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
                ], result: "`feed`, `key`, `value`", .admin,
                commandLine: CommandLineForm(
                    ["set"], group: "Feeds",
                    details: [
                        "KEY is title, url, tags, user_agent, username, password or login_hosts (hosts besides the feed's "
                            + "own that are told the name and password, divided by blanks).",
                        "'set FEED password -' asks for the password and does not show it, or takes a line of stdin. A "
                            + "password in the command line can be read by everybody on the machine while the command runs.",
                    ]))
        case .find:
            declared(
                "Look podcasts up in directories, by words of a title or a maker.",
                [
                    ParameterDeclaration(
                        "name", .text(maximumBytes: 500), isRequired: true, help: "What to look for."),
                    ParameterDeclaration(
                        "limit", .integer(1...200), default: 20, spelling: .option, help: "How many to list."),
                ],
                result: "`shows`: a list of `url`, `title`, `author`, `link`, `directories`, the best first; `failed`: "
                    + "directories that did not answer, a list of `what`",
                .control, isLong: true,
                commandLine: CommandLineForm(
                    ["find"], group: "Feeds",
                    details: ["Subscribe with the address that a line ends with: 'podcastctl subscribe URL'."]))
        case .upload:
            declared(
                "Hand over the next piece of a document for `feeds.import`, where it does not fit a line.",
                [
                    ParameterDeclaration(
                        "data", .text(maximumBytes: 1_000_000), isRequired: true,
                        help: "Bytes as Base64. What was handed over is gone with the connection.")
                ], result: "`size`: bytes handed over so far", .admin)
        case .import:
            declared(
                "Take over subscriptions, and what was done with their episodes.",
                [
                    ParameterDeclaration(
                        "document", .text(maximumBytes: 960_000),
                        help: "An OPML list, a state document or newsboat's list of addresses; what was handed over by "
                            + "`feeds.upload` unless given. On the command line a file, or - for stdin."),
                    ParameterDeclaration(
                        "from", .choice(["opml", "state", "gpodder", "castero", "newsboat", "antennapod"]),
                        spelling: .option, help: "What the document is, if not what its contents say."),
                ],
                result:
                    "`form`; `added`, `known`: numbers of feeds; `duplicates`: addresses, some; `found`, `waiting`: "
                    + "numbers of episodes; `errors`: a list of `url`, `what`", .admin, isLong: true,
                commandLine: CommandLineForm(
                    ["import"], group: "Feeds",
                    details: [
                        "FILE is an OPML list, whose groups become tags; what 'export --state' wrote; or a database of "
                            + "gPodder, castero, newsboat or AntennaPod. Positions, marks, stars, notes and places in the "
                            + "queue are given to episodes as soon as their feeds are fetched.",
                        "What is here already stays. An import that was stopped has kept what it took; run it again for the "
                            + "rest.",
                    ]))
        case .export:
            declared(
                "Print all subscriptions as OPML, or the whole state as JSON.",
                [
                    ParameterDeclaration(
                        "state", .flag, default: false,
                        help: "The whole state: subscriptions, tags, positions, marks, stars, notes, queue."),
                    ParameterDeclaration(
                        "offset", .integer(0...Int64.max), default: 0, spelling: .wireOnly,
                        help: "Where in the document to go on: `next` of the answer before."),
                ], result: "`document`: the text from there, or a piece of it; `next`: where the rest begins, or null",
                .read,
                isLong: true, commandLine: CommandLineForm(["export"], group: "Feeds"))
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
