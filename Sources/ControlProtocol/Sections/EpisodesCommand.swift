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
    /// Lists what was heard and marked.
    case history

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
                    ParameterDeclaration(
                        "search", .string, spelling: .option, help: "Words that stand in title or notes."),
                    ParameterDeclaration(
                        "order", .choice(["newest", "oldest"]), default: "newest", spelling: .option,
                        help: "Which come first."),
                    Paging.limit(default: 50), Paging.after, Paging.before,
                ],
                result: "`episodes`: `Episode` objects, each with its `key`; `hasBefore`, `hasAfter`; `count` and "
                    + "`countIsExact`", .read, commandLine: CommandLineForm(["episodes"], group: "Episodes"))
        case .show:
            declared(
                "Show everything about an episode.", [episode],
                result: "an `Episode` object with `summary`, `content` and `chapters`", .read,
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
        case .history:
            declared(
                "Show what was heard and marked, the latest first.", [Paging.limit(default: 50)],
                result: "`history`: `Heard` objects; the library keeps the last 1000", .read,
                commandLine: CommandLineForm(["history"], group: "Episodes"))
        }
    }
}

/// Computed and named lists.
public enum PlaylistsCommand: String, SectionCommands {
    /// Lists them.
    case list
    /// Shows one.
    case show

    /// The section.
    public static let section = CommandDeclaration.Section.playlists

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        switch self {
        case .list:
            declared(
                "List the playlists with their lengths.",
                result: "`playlists`: a list of `name`, `title`, `count`, `countIsExact`", .read,
                commandLine: CommandLineForm(["playlists"], group: "Playlists"))
        case .show:
            declared(
                "Show a playlist.",
                [
                    ParameterDeclaration(
                        "name", .string, isRequired: true, help: "Its name, as `playlists.list` has it."),
                    Paging.limit(default: 50), Paging.after, Paging.before,
                ], result: "as `episodes.list`, with `name` and `title`", .read,
                commandLine: CommandLineForm(["playlist"], group: "Playlists"))
        }
    }
}
