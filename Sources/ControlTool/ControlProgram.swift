internal import CommandLineTool
internal import ControlProtocol
internal import PodcastModel

/// The command line of podcastctl.
enum ControlProgram {
    static let socket = OptionDeclaration("socket", nil, "PATH", .file, help: "The daemon's control socket.")
    static let json = OptionDeclaration(flag: "json", help: "Print the reply as JSON, for scripts.")
    static let format = OptionDeclaration(
        "format", nil, "TEMPLATE",
        help: "Print each row of the reply as TEMPLATE, such as '{id} {title}'; an unknown name is refused.")
    static let quiet = OptionDeclaration(
        flag: "quiet", "q", help: "Print answers to questions and errors, but no confirmations and notes.")
    static let utc = OptionDeclaration(
        flag: "utc", help: "Show times in UTC (default: local time; JSON is always in UTC).")
    static let noColor = OptionDeclaration(flag: "no-color", help: "Disable colours and bold text.")
    /// For podcast-tui, which shows answers itself: lays them out as on a terminal with this many columns.
    static let columns = OptionDeclaration("columns", nil, "N", .integer(1...10_000), isHidden: true, help: "")

    /// The declaration: help, manual and completions come from it.
    static var declaration: ProgramDeclaration {
        ProgramDeclaration(
            "podcastctl", "Control the podcast player.",
            details: [
                "To start: 'podcastctl subscribe URL' follows a show, 'podcastctl new' lists what is new, 'podcastctl play WORDS' plays "
                    + "the episode with these words in its title, and 'podcastctl tui' shows everything on a whole screen. 'podcastctl help "
                    + "COMMAND' describes one command.",
                "WHAT is an id (e3124 is an episode, f5 a feed, #7 an index in the queue), 'current' (the episode that plays), a range "
                    + "such as e10-e20, a URL, playlist:NAME, 'filter:CONDITIONS', a title, or words that occur in one title. A number alone is an "
                    + "index in the queue for play, remove and move, a feed's id for commands about feeds, else an "
                    + "episode's id. A shell reads an unquoted #7 as a comment: write '#7'.",
                "Times are SECONDS, M:SS, H:MM:SS or 1h2m3s; + and - before them make them relative. Only for 'sleep', a number alone is "
                    + "minutes, and H:MM is a time of day.",
                "On a terminal, tables fit its width. Otherwise their rows are complete, without heading, with tabs between the "
                    + "fields, and if there is nothing to list, standard output stays empty and standard error says so.",
                "The names in a TEMPLATE of --format are those of the JSON of a row: '{id}\\t{title}', '{episode.title}' within "
                    + "another object. Ids are printed as commands take them, such as e12, where JSON has numbers. "
                    + "\\t is a tab, \\n a line break, {{ a brace.",
                "A command that is not listed runs the program podcast-COMMAND if it is installed: 'podcastctl tui' is podcast-tui, and "
                    + "'podcastctl shell' its line mode.",
            ],
            options: [socket, json, format, quiet, utc, noColor, columns],
            subcommands: SubcommandList(
                { Verb.all.map(\.subcommand) }, find: { Verb.named($0)?.subcommand },
                unnamed: { Verb.command(GetStatus.self).subcommand }),
            manual: manual, names: Completions.names)
    }

    private static var manual: ManualNotes {
        ManualNotes(
            statuses: [
                .success, .stopped, .replaced, .usage, .badData, .noInput, .unavailable, .software, .cannotCreate,
                .ioError, .tryAgain,
                .protocolFault, .noPermission,
            ],
            environment: [
                ("PODCASTD_SOCKET", "The daemon's control socket; --socket takes precedence."),
                (
                    "XDG_RUNTIME_DIR",
                    "Directory of the socket of your daemon, podcastd/control (default: /run/user/UID, else podcastd-UID in TMPDIR or /tmp)."
                ),
                ("TZ", "Time zone in which times are shown (default: that of the system)."),
                ("NO_COLOR", "If set and not empty, colours and bold text are disabled."),
            ],
            files: [
                ("$XDG_RUNTIME_DIR/podcastd/control", "The socket of your daemon."),
                ("/run/podcastd/control", "The socket of the system's daemon."),
            ],
            examples: [
                ("podcastctl subscribe https://example.org/feed.xml", "Follow a podcast."),
                ("podcastctl play the title", "Play the episode whose title contains these words."),
                ("podcastctl mark played f5 --older-than e3124", "Mark older episodes of a feed as played."),
                ("podcastctl seek -15", "Go back 15 seconds."),
                ("podcastctl episodes --unplayed --json", "List new episodes, for a script."),
                ("podcastctl status --follow", "Show the status and its changes."),
            ], seeAlso: ["podcastd(8)", "podcast-refresh(1)", "podcast-play(1)", "podcast-tui(1)"])
    }
}
