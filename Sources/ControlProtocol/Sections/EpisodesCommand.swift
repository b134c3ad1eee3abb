internal import JSON

/// Episodes and what the listener did with them.
public enum EpisodesCommand: String, SectionCommands {
    /// Lists episodes.
    case list
    /// Shows one.
    case show
    /// Marks as played or not.
    case mark
    /// Stars.
    case star
    /// Takes stars away.
    case unstar
    /// Writes a note.
    case note
    /// Has files kept on disk.
    case download
    /// Takes files away.
    case delete
    /// Lists what was heard and marked.
    case history
    /// Shows what is said in one.
    case transcript
    /// Finds what is said.
    case said

    /// The section.
    public static let section = CommandDeclaration.Section.episodes

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let episode = ParameterDeclaration(
            "episode", .what, isRequired: true, help: "An episode's id, URL or part of its title.")
        let what = ParameterDeclaration(
            "what", .list(.what), isRequired: true, help: "Episodes: ids, URLs or parts of titles.")
        let marked = "`episodes`: ids"
        return switch self {
        case .list:
            declared(
                "List episodes, newest first.",
                [
                    ParameterDeclaration("feed", .what, help: "Of this feed only: its id, URL or part of its title."),
                    ParameterDeclaration("unplayed", .flag, default: false, help: "Not played yet."),
                    ParameterDeclaration("starred", .flag, default: false, help: "Starred."),
                    ParameterDeclaration("downloaded", .flag, default: false, help: "Kept on disk."),
                    ParameterDeclaration("inProgress", .flag, default: false, help: "Begun and not finished."),
                    ParameterDeclaration("gone", .flag, default: false, help: "Not listed by their feed any more."),
                    ParameterDeclaration(
                        "search", .string, spelling: .option,
                        help: "Words, \"phrases\" and -words that must not occur, in title, notes or transcript."),
                    ParameterDeclaration(
                        "filter", .string, spelling: .option,
                        help: "Conditions such as 'is:unplayed longer:30m', as docs/RULES.md has them."),
                    ParameterDeclaration(
                        "order", .choice(["best", "newest", "oldest"]), spelling: .option,
                        help: "Which come first; what fits --search best unless given, without it the newest."),
                    Paging.limit(default: 50), Paging.after, Paging.before, Paging.last,
                ],
                result: "`episodes`: `Episode` objects, each with its `key`; `hasBefore`, `hasAfter`; `next`: what "
                    + "`after` (or `before`, when that was given) goes on from, or null; `count` and `countIsExact`. A "
                    + "page of a `filter` may hold fewer rows than `limit`, or none, and go on", .read,
                commandLine: CommandLineForm(["episodes"], group: "Episodes"))
        case .show:
            declared(
                "Show everything about an episode.", [episode],
                result:
                    "an `Episode` object with `summary` and `content` as plain text, `html`, `chapters`, `ruleAct` "
                    + "(`rule`, `action`, `time`) or null, `download`: what becomes of the wish to keep it, or null, and what the publisher says beyond that: `details`, of its feed "
                    + "`feedDetails` (see Details)", .read,
                commandLine: CommandLineForm(["show"], group: "Episodes"))
        case .mark:
            declared(
                "Mark episodes as played or unplayed.",
                [
                    ParameterDeclaration(
                        "as", .choice(["played", "unplayed"]), isRequired: true, help: "played or unplayed."), what,
                ], result: marked, .control, commandLine: CommandLineForm(["mark"], group: "Episodes"))
        case .star:
            declared(
                "Star episodes.", [what], result: marked, .control,
                commandLine: CommandLineForm(["star"], group: "Episodes"))
        case .unstar:
            declared(
                "Take stars away.", [what], result: marked, .control,
                commandLine: CommandLineForm(["unstar"], group: "Episodes"))
        case .note:
            declared(
                "Write a note about an episode.",
                [
                    episode,
                    ParameterDeclaration(
                        "text", .text(maximumBytes: 65_536), isRequired: true,
                        help: "The note; an empty one removes it."),
                ], result: "`episode`: its id", .control, commandLine: CommandLineForm(["note"], group: "Episodes"))
        case .download:
            declared(
                "Fetch episodes whole and keep them on disk; returns at once.",
                [
                    ParameterDeclaration(
                        "what", .list(.what), isRequired: true,
                        help:
                            "Episodes or feeds: ids, URLs or parts of titles; a feed stands for its latest unplayed ones."
                    ),
                    ParameterDeclaration(
                        "limit", .integer(1...1000), default: 50, spelling: .option,
                        help: "Episodes that a feed or a playlist stands for at most."),
                ],
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
        case .delete:
            declared(
                "Take the files of episodes from the disk; the episodes stay.",
                [
                    ParameterDeclaration(
                        "what", .list(.what), isRequired: true,
                        help: "Episodes or feeds: ids, URLs or parts of titles; a feed stands for those that are kept.")
                ], result: marked, .control, isLong: true,
                commandLine: CommandLineForm(
                    ["delete"], group: "Episodes",
                    details: [
                        "playlist:NAME and 'filter:CONDITIONS' stand for those of their episodes that are kept; what "
                            + "waits to be downloaded is not downloaded any more."
                    ]))
        case .history:
            declared(
                "Show what was heard and marked, the latest first.", [Paging.limit(default: 50)],
                result: "`history`: `Heard` objects; the library keeps the last 1000", .read,
                commandLine: CommandLineForm(["history"], group: "Episodes"))
        case .transcript:
            declared(
                "Show an episode's transcript; it is fetched when it is not there yet.",
                [
                    episode, Paging.limit(default: 1000, spelling: .wireOnly),
                    ParameterDeclaration(
                        "after", .integer(0...10_000_000), spelling: .wireOnly,
                        help: "The page stands after the cue with this `index`."),
                ], result: "`episode`, `title`, `language`, `url`, `cues`: `Cue` objects; `hasAfter`", .read,
                isLong: true, commandLine: CommandLineForm(["transcript"], group: "Episodes"))
        case .said:
            declared(
                "Find where something is said, in the transcripts that were fetched.",
                [
                    ParameterDeclaration(
                        "text", .text(maximumBytes: 4096), isRequired: true,
                        help: "Words, \"phrases\" and -words that must not occur, all within about a minute."),
                    ParameterDeclaration(
                        "episode", .what, spelling: .option,
                        help: "In this episode only; its transcript is fetched if need be."),
                    Paging.limit(default: 50),
                ], result: "`places`: `Spoken` objects", .read, isLong: true,
                commandLine: CommandLineForm(
                    ["said"], group: "Episodes",
                    details: ["'play EPISODE --said TEXT' plays from there on."]))
        }
    }
}

/// Computed and named lists.
public enum PlaylistsCommand: String, SectionCommands {
    /// Lists them.
    case list
    /// Shows one.
    case show
    /// Saves a filter by name.
    case save
    /// Removes a saved one.
    case remove

    /// The section.
    public static let section = CommandDeclaration.Section.playlists

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        let name = ParameterDeclaration(
            "name", .string, isRequired: true, help: "Its name, as `playlists.list` has it.")
        return switch self {
        case .list:
            declared(
                "List the playlists with their lengths.",
                result: "`playlists`: a list of `name`, `title`, `filter` (null for what is not saved), `count`, "
                    + "`countIsExact`", .read,
                commandLine: CommandLineForm(["playlists"], group: "Playlists"))
        case .show:
            declared(
                "Show, save or remove a playlist.",
                [
                    name, Paging.limit(default: 50), Paging.after, Paging.before, Paging.last,
                ], result: "as `episodes.list`, with `name` and `title`", .read,
                commandLine: CommandLineForm(
                    ["playlist"], group: "Playlists",
                    details: [
                        "'playlist NAME save FILTER' saves a filter by name, such as 'is:unplayed longer:30m not "
                            + "title:\"best of\"'; docs/RULES.md has the language. 'playlist NAME remove' removes it. "
                            + "Where WHAT is asked for, playlist:NAME stands for its episodes, and 'filter:CONDITIONS' "
                            + "for what fits."
                    ]))
        case .save:
            declared(
                "Save a filter by name.",
                [
                    name,
                    ParameterDeclaration(
                        "filter", .text(maximumBytes: 2_000), isRequired: true,
                        help: "Conditions and words, as docs/RULES.md has them."),
                    ParameterDeclaration(
                        "order", .choice(["newest", "oldest"]), default: "newest", spelling: .option,
                        help: "Which come first."),
                ], result: "`name`, `title`, `filter`, `count`, `countIsExact`", .control)
        case .remove:
            declared("Remove a saved playlist.", [name], result: "an empty object", .control)
        }
    }
}
