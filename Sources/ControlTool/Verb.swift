internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON

/// A command of the daemon as podcastctl offers it: how it is typed, and how its reply is shown.
protocol CommandVerb: Command {
    /// Spells some options and arguments as people expect them rather than as the wire has them.
    static func adjust(_ subcommand: inout SubcommandDeclaration)
    /// Reads the command line.
    static func command(_ line: CommandLineUse) throws(ToolFailure) -> Self
    /// Runs the command line.
    ///
    /// - Returns: the status to exit with.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus
    /// Paragraphs of the help that explain what is shown.
    static var details: [String] { get }
    /// The columns of the reply if it is a list, for the manual.
    static var columns: [ColumnLayout.Column] { get }
    /// Whether the command line asks for something, rather than changes something: `--quiet` shows its answer.
    static func isQuery(_ line: CommandLineUse) -> Bool
    /// Shows the reply to people.
    static func show(_ reply: Reply, _ view: View) throws(ToolFailure)
    /// The status to exit with if a part of what was asked failed.
    static func status(of reply: Reply) -> ExitStatus
}

extension CommandVerb {
    static func adjust(_ subcommand: inout SubcommandDeclaration) {}

    static var details: [String] { [] }

    static var columns: [ColumnLayout.Column] { [] }

    static func isQuery(_ line: CommandLineUse) -> Bool { form.permission == .read }

    static func command(_ line: CommandLineUse) throws(ToolFailure) -> Self {
        try Self(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
    }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let command = try command(line)
        return try answer(command, line.connect())
    }

    static func status(of reply: Reply) -> ExitStatus { .success }

    /// Calls the command and shows its reply, or prints it as it is on the wire.
    static func answer(_ command: Self, _ view: View) throws(ToolFailure) -> ExitStatus {
        try view.line.checkTemplate(Reply.members)
        return try finish(view.wireAnswer(to: command, isLong: isLong), view)
    }

    /// Shows what the daemon answered.
    static func finish(_ answer: JSONValue, _ view: View) throws(ToolFailure) -> ExitStatus {
        try view.line.checkTemplate(Reply.members)
        if try view.line.printForProgram(answer, Reply.members) { return Reply(json: answer).map(status) ?? .success }
        guard let reply = Reply(json: answer) else {
            throw ToolFailure(.protocolFault, "the answer to \(name) cannot be read")
        }
        try show(reply, view.ofReply(isQuery: isQuery(view.line)))
        return status(of: reply)
    }

    /// Shows a reply that may have been put together from several pages.
    static func finish(_ reply: Reply, _ view: View) throws(ToolFailure) -> ExitStatus {
        try view.line.checkTemplate(Reply.members)
        if try !view.line.printForProgram(reply.json, Reply.members) {
            try show(reply, view.ofReply(isQuery: isQuery(view.line)))
        }
        return status(of: reply)
    }
}

/// A command line of podcastctl: a command of the daemon, or something that the tool does by itself.
enum Verb {
    /// A command of the daemon.
    case command(any CommandVerb.Type)
    case search
    case new
    case help
    /// Prints a completion script.
    case completion
    /// Prints names for a completion.
    case complete
    /// Prints a manual page.
    case manual

    /// The verb that the words begin with. Written out, so that finding one builds only that one; a test compares it with
    /// all declarations.
    static func find(_ words: ArraySlice<String>) -> Verb? {
        if words.isEmpty { return nil }
        let (first, second) = VerbNames.canonical(words)
        return named(first, second)
    }

    /// The verb with these names, of which only those of the declarations count.
    static func named(_ first: String, _ second: String?) -> Verb? {
        if let command = command(first, second) { return .command(command) }
        switch first {
        case "search": return .search
        case "new": return .new
        case "help": return .help
        case "completion": return .completion
        case "complete": return .complete
        case "man": return .manual
        default: return nil
        }
    }

    private static func command(_ first: String, _ second: String?) -> (any CommandVerb.Type)? {
        switch first {
        case "status": GetStatus.self
        case "play": Play.self
        case "pause": Pause.self
        case "toggle": TogglePlayback.self
        case "stop": Stop.self
        case "next": PlayNext.self
        case "previous": PlayPrevious.self
        case "seek": Seek.self
        case "announce": Announce.self
        case "chapter": GoToChapter.self
        case "volume": SetVolume.self
        case "sleep": SetSleepTimer.self
        case "speed": SetSpeed.self
        case "undo": Undo.self
        case "redo": Redo.self
        case "queue": ListQueue.self
        case "add": AddToQueue.self
        case "insert": InsertIntoQueue.self
        case "remove": RemoveFromQueue.self
        case "move": MoveInQueue.self
        case "clear": ClearQueue.self
        case "crop": CropQueue.self
        case "shuffle": ShuffleQueue.self
        case "feeds": second == "merge" ? MergeFeeds.self : ListFeeds.self
        case "feed": ShowFeed.self
        case "subscribe": Subscribe.self
        case "unsubscribe": Unsubscribe.self
        case "refresh": RefreshFeeds.self
        case "explain": ExplainFeed.self
        case "set": SetFeed.self
        case "find": FindShows.self
        case "import": ImportDocument.self
        case "export": ExportDocument.self
        case "episodes": ListEpisodes.self
        case "show": ShowEpisode.self
        case "mark": MarkEpisodes.self
        case "star": StarEpisodes.self
        case "unstar": UnstarEpisodes.self
        case "note": NoteEpisode.self
        case "download": DownloadEpisodes.self
        case "downloads": ListDownloads.self
        case "delete": DeleteDownloads.self
        case "history": ListHistory.self
        case "chapters": ListChapters.self
        case "bookmark": AddBookmark.self
        case "bookmarks": bookmarksCommand(second)
        case "stats": GetStatistics.self
        case "transcript": ShowTranscript.self
        case "transcripts": FetchTranscripts.self
        case "said": FindSpoken.self
        case "picture": GetPicture.self
        case "playlists": ListPlaylists.self
        case "playlist": ShowPlaylist.self
        case "rules": rulesCommand(second)
        case "rule": ruleCommand(second)
        case "retention": retentionCommand(second)
        case "activities": ListActivities.self
        case "outputs": ListOutputs.self
        case "output": outputCommand(second)
        case "metrics": GetMetrics.self
        case "settings": ListSettings.self
        case "backup": BackUpLibrary.self
        case "doctor": RunChecks.self
        case "commands": ListCommands.self
        case "version": GetVersion.self
        default: nil
        }
    }

    private static func bookmarksCommand(_ second: String?) -> any CommandVerb.Type {
        switch second {
        case "play": PlayBookmark.self
        case "edit": EditBookmark.self
        case "remove": RemoveBookmarks.self
        case _: ListBookmarks.self
        }
    }

    private static func rulesCommand(_ second: String?) -> any CommandVerb.Type {
        switch second {
        case "try": TryRules.self
        case "apply": ApplyRules.self
        case _: ListRules.self
        }
    }

    private static func ruleCommand(_ second: String?) -> (any CommandVerb.Type)? {
        switch second {
        case "add": AddRule.self
        case "set": SetRule.self
        case "remove": RemoveRule.self
        case "move": MoveRule.self
        case _: nil
        }
    }

    private static func retentionCommand(_ second: String?) -> any CommandVerb.Type {
        switch second {
        case "set": SetRetention.self
        case "try": TryRetention.self
        case _: ListRetention.self
        }
    }

    private static func outputCommand(_ second: String?) -> (any CommandVerb.Type)? {
        switch second {
        case "enable": EnableOutput.self
        case "disable": DisableOutput.self
        default: nil
        }
    }

    /// The verb as the command line declares it.
    var subcommand: SubcommandDeclaration {
        switch self {
        case .command(let command): VerbSpelling.subcommand(for: command)
        case .search: SearchVerb.subcommand
        case .new: NewVerb.subcommand
        case .help:
            SubcommandDeclaration(
                ["help"], "Show the help of a command.", group: "System",
                arguments: [
                    ArgumentDeclaration(
                        "COMMAND", .name(of: CompleteVerb.Kind.command.rawValue), count: .any,
                        help: "Name of the command (default: all).")
                ])
        case .completion:
            SubcommandDeclaration(
                ["completion"], "Print the completions for a shell.", group: "System",
                arguments: [
                    ArgumentDeclaration("SHELL", .choice(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish.")
                ])
        case .complete: CompleteVerb.subcommand
        case .manual:
            SubcommandDeclaration(
                ["man"], "Print the source of a manual page.", group: nil,
                arguments: [
                    ArgumentDeclaration("PROGRAM", count: .optional, help: "Name of the program (default: podcastctl).")
                ])
        }
    }

    /// All verbs in the order of the help: by group, and in each as their sections declare them.
    static var all: [Verb] {
        let sections: [CommandSection] = [
            .playback, .queue, .feeds, .episodes, .bookmarks, .playlists, .rules, .retention, .status,
            .activities,
            .outputs, .settings, .library, .metrics, .doctor, .server,
        ]
        // A command that is not typed by itself is reached through another one: `playlists.save` by `playlist`.
        let commands = sections.flatMap(\.types).filter { $0.declaration.commandLine != nil }
        return commands.compactMap { $0 as? any CommandVerb.Type }.map(Verb.command) + [
            .search, .new, .help, .completion, .complete, .manual,
        ]
    }
}
