internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol

/// A verb of the command line: a declared command, or something the tool does by itself.
enum Verb: Equatable {
    /// A command of the daemon.
    case command(CommandDeclaration)
    /// Shows help.
    case help
    /// Prints a completion script.
    case completion
    /// Prints a manual page.
    case manual

    /// The verb that the words begin with. Written out, so that finding one builds only that one; a test holds it
    /// against all declarations.
    static func find(_ words: ArraySlice<String>) -> Verb? {
        guard let first = words.first else { return nil }
        if let command = command(first, words.dropFirst().first) { return .command(command) }
        switch first {
        case "help": return .help
        case "completion": return .completion
        case "man": return .manual
        default: return nil
        }
    }

    private static func command(_ first: String, _ second: String?) -> CommandDeclaration? {
        switch first {
        case "status": GetStatus.declaration
        case "play": Play.declaration
        case "pause": Pause.declaration
        case "toggle": TogglePlayback.declaration
        case "stop": Stop.declaration
        case "next": PlayNext.declaration
        case "previous": PlayPrevious.declaration
        case "seek": Seek.declaration
        case "volume": SetVolume.declaration
        case "undo": Undo.declaration
        case "queue": ListQueue.declaration
        case "add": AddToQueue.declaration
        case "insert": InsertIntoQueue.declaration
        case "remove": RemoveFromQueue.declaration
        case "move": MoveInQueue.declaration
        case "clear": ClearQueue.declaration
        case "shuffle": ShuffleQueue.declaration
        case "feeds": ListFeeds.declaration
        case "feed": ShowFeed.declaration
        case "subscribe": Subscribe.declaration
        case "unsubscribe": Unsubscribe.declaration
        case "refresh": RefreshFeeds.declaration
        case "set": SetFeed.declaration
        case "find": FindShows.declaration
        case "import": ImportDocument.declaration
        case "export": ExportDocument.declaration
        case "episodes": ListEpisodes.declaration
        case "show": ShowEpisode.declaration
        case "mark": MarkEpisodes.declaration
        case "star": StarEpisodes.declaration
        case "unstar": UnstarEpisodes.declaration
        case "note": NoteEpisode.declaration
        case "download": DownloadEpisodes.declaration
        case "delete": DeleteDownloads.declaration
        case "history": ListHistory.declaration
        case "transcript": ShowTranscript.declaration
        case "said": FindSpoken.declaration
        case "merges": ListMerges.declaration
        case "split": SplitMerge.declaration
        case "join": JoinEpisodes.declaration
        case "playlists": ListPlaylists.declaration
        case "playlist": ShowPlaylist.declaration
        case "rules": rulesCommand(second)
        case "rule": ruleCommand(second)
        case "retention": retentionCommand(second)
        case "activities": ListActivities.declaration
        case "outputs": ListOutputs.declaration
        case "output": outputCommand(second)
        case "metrics": GetMetrics.declaration
        case "settings": ListSettings.declaration
        case "backup": BackUpLibrary.declaration
        case "doctor": RunChecks.declaration
        case "commands": ListCommands.declaration
        case "version": GetVersion.declaration
        default: nil
        }
    }

    private static func rulesCommand(_ second: String?) -> CommandDeclaration {
        switch second {
        case "try": TryRules.declaration
        case "apply": ApplyRules.declaration
        case _: ListRules.declaration
        }
    }

    private static func ruleCommand(_ second: String?) -> CommandDeclaration? {
        switch second {
        case "add": AddRule.declaration
        case "remove": RemoveRule.declaration
        case "move": MoveRule.declaration
        case _: nil
        }
    }

    private static func retentionCommand(_ second: String?) -> CommandDeclaration {
        switch second {
        case "set": SetRetention.declaration
        case "try": TryRetention.declaration
        case _: ListRetention.declaration
        }
    }

    private static func outputCommand(_ second: String?) -> CommandDeclaration? {
        switch second {
        case "enable": EnableOutput.declaration
        case "disable": DisableOutput.declaration
        default: nil
        }
    }

    /// The verb as the command line declares it.
    var subcommand: SubcommandDeclaration {
        switch self {
        case .command(let command): VerbSpelling.subcommand(for: command)
        case .help:
            SubcommandDeclaration(
                ["help"], "Show the help of a command.", group: "System",
                arguments: [ArgumentDeclaration("COMMAND", count: .any, help: "The command; all unless given.")])
        case .completion:
            SubcommandDeclaration(
                ["completion"], "Print the completions for a shell.", group: "System",
                arguments: [
                    ArgumentDeclaration("SHELL", .choice(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish.")
                ])
        case .manual:
            SubcommandDeclaration(
                ["man"], "Print the source of a manual page.", group: nil,
                arguments: [ArgumentDeclaration("PROGRAM", count: .optional, help: "Whose; podcastctl unless given.")])
        }
    }

    /// All verbs in the order of the help: by group, and as their sections declare them.
    static var all: [Verb] {
        let sections: [CommandSection] = [
            .playback, .queue, .feeds, .episodes, .merges, .playlists, .rules, .retention, .status, .activities,
            .outputs,
            .settings, .library,
            .metrics, .doctor, .server,
        ]
        let commands = sections.flatMap(\.declarations).filter { $0.commandLine != nil }
        return commands.map(Verb.command) + [.help, .completion, .manual]
    }
}
