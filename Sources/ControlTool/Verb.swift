internal import CommandLineTool
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
        case "status": StatusCommand.get.declaration
        case "play": PlaybackCommand.play.declaration
        case "pause": PlaybackCommand.pause.declaration
        case "toggle": PlaybackCommand.toggle.declaration
        case "stop": PlaybackCommand.stop.declaration
        case "next": PlaybackCommand.next.declaration
        case "previous": PlaybackCommand.previous.declaration
        case "seek": PlaybackCommand.seek.declaration
        case "volume": PlaybackCommand.volume.declaration
        case "undo": PlaybackCommand.undo.declaration
        case "queue": QueueCommand.list.declaration
        case "add": QueueCommand.add.declaration
        case "insert": QueueCommand.insert.declaration
        case "remove": QueueCommand.remove.declaration
        case "move": QueueCommand.move.declaration
        case "clear": QueueCommand.clear.declaration
        case "shuffle": QueueCommand.shuffle.declaration
        case "feeds": FeedsCommand.list.declaration
        case "feed": FeedsCommand.show.declaration
        case "subscribe": FeedsCommand.subscribe.declaration
        case "unsubscribe": FeedsCommand.unsubscribe.declaration
        case "refresh": FeedsCommand.refresh.declaration
        case "set": FeedsCommand.set.declaration
        case "find": FeedsCommand.find.declaration
        case "import": FeedsCommand.import.declaration
        case "export": FeedsCommand.export.declaration
        case "episodes": EpisodesCommand.list.declaration
        case "show": EpisodesCommand.show.declaration
        case "mark": EpisodesCommand.mark.declaration
        case "star": EpisodesCommand.star.declaration
        case "unstar": EpisodesCommand.unstar.declaration
        case "note": EpisodesCommand.note.declaration
        case "download": EpisodesCommand.download.declaration
        case "delete": EpisodesCommand.delete.declaration
        case "history": EpisodesCommand.history.declaration
        case "transcript": EpisodesCommand.transcript.declaration
        case "said": EpisodesCommand.said.declaration
        case "merges": MergesCommand.list.declaration
        case "split": MergesCommand.split.declaration
        case "join": MergesCommand.join.declaration
        case "playlists": PlaylistsCommand.list.declaration
        case "playlist": PlaylistsCommand.show.declaration
        case "rules": rulesCommand(second)
        case "rule": ruleCommand(second)
        case "retention": retentionCommand(second)
        case "activities": ActivitiesCommand.list.declaration
        case "outputs": OutputsCommand.list.declaration
        case "output": outputCommand(second)
        case "metrics": MetricsCommand.get.declaration
        case "settings": SettingsCommand.list.declaration
        case "backup": LibraryCommand.backup.declaration
        case "doctor": DoctorCommand.run.declaration
        case "commands": ServerCommand.commands.declaration
        case "version": ServerCommand.version.declaration
        default: nil
        }
    }

    private static func rulesCommand(_ second: String?) -> CommandDeclaration {
        switch second {
        case "try": RulesCommand.try.declaration
        case "apply": RulesCommand.apply.declaration
        case _: RulesCommand.list.declaration
        }
    }

    private static func ruleCommand(_ second: String?) -> CommandDeclaration? {
        switch second {
        case "add": RulesCommand.add.declaration
        case "remove": RulesCommand.remove.declaration
        case "move": RulesCommand.move.declaration
        case _: nil
        }
    }

    private static func retentionCommand(_ second: String?) -> CommandDeclaration {
        switch second {
        case "set": RetentionCommand.set.declaration
        case "try": RetentionCommand.try.declaration
        case _: RetentionCommand.list.declaration
        }
    }

    private static func outputCommand(_ second: String?) -> CommandDeclaration? {
        switch second {
        case "enable": OutputsCommand.enable.declaration
        case "disable": OutputsCommand.disable.declaration
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
        let sections: [CommandDeclaration.Section] = [
            .playback, .queue, .feeds, .episodes, .merges, .playlists, .rules, .retention, .status, .activities,
            .outputs,
            .settings, .library,
            .metrics, .doctor, .server,
        ]
        let commands = sections.flatMap(CommandTable.commands(of:)).filter { $0.commandLine != nil }
        return commands.map(Verb.command) + [.help, .completion, .manual]
    }
}
