import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Reporting

/// The sections of docs/PROTOCOL.md that are made from the declarations.
enum ProtocolManual {
    /// From the heading "Objects" to the end; ends with a line break.
    static var markdown: String {
        var text = """
            ## Objects

            Unknown values are `null` or left out. Later versions may add members; ignore those you do not know.

            `Command`: what `server.commands` lists: `name`, `section`, `help`, `parameters` (each with `name`, the members of a
            `Type`, `required`, `default` if there is one, `help`), `result`, `permission`, `long`, `commandLine` if there is one.

            """
        text += object(StatusReply.self) + object(PlayerReply.self) + object(ChapterReply.self)
        text += object(EventReply.self) + object(RowChange.self)
        text += object(EpisodeReply.self) + object(EntryReply.self) + object(EditedEntryReply.self)
        text += object(QueuedReply.self) + object(NamedReply.self) + object(NextReply.self)
        text += object(PlayContextReply.self) + object(SleepTimerReply.self)
        text += object(FeedReply.self) + object(Activity.self) + object(OutputReply.self)
        text += object(SettingReply.self) + object(DeclaredFeedSettingReply.self) + object(ValueKind.self)
        text += object(MetricReply.self) + object(Finding.self)
        text += object(UndoneReply.self) + object(UndoableAct.self) + object(HeardReply.self)
        text += object(CueReply.self) + object(SpokenReply.self) + object(DownloadReply.self)
        text += object(RuleReply.self) + object(RuleTrialReply.self) + object(RetentionReply.self)
        text += object(Bookmark.self) + object(ListeningReply.self)
        text += "\n## Commands\n\nA parameter may be omitted unless it is required.\n"
        for section in CommandTable.sections {
            text += "\n### \(section.name)\n"
            for command in section.declarations { text += self.command(command) }
        }
        return text
    }

    private static func object<Object: ReplyObject>(_ type: Object.Type) -> String {
        var text = "\n### \(type.objectName)\n\n| member | type | |\n|---|---|---|\n"
        for member in type.members { text += "| `\(member.name)` | \(member.type) | \(member.help) |\n" }
        return text
    }

    private static func command(_ command: CommandDeclaration) -> String {
        var text = "\n#### \(command.name)\n\n\(command.summary)\n\n"
        var notes = ["Permission: \(command.permission.rawValue)."]
        if command.isLong { notes.append("May take long: later answers may overtake its answer.") }
        if let form = command.commandLine {
            notes.append("Command line: `podcastctl \(form.words.joined(separator: " "))`.")
        }
        text += notes.joined(separator: " ") + "\n"
        for paragraph in command.commandLine?.details ?? [] { text += "\n\(paragraph)\n" }
        if !command.parameters.isEmpty {
            text += "\n| parameter | type | default | |\n|---|---|---|---|\n"
            for parameter in command.parameters {
                let standard = parameter.isRequired ? "required" : parameter.defaultValue.map { "`\($0.text)`" } ?? ""
                let type =
                    switch parameter.kind.syntax {
                    case .flag: "true or false"
                    case .time: "time"
                    default: parameter.kind.form
                    }
                text += "| `\(parameter.name)` | \(type) | \(standard) | \(escaped(parameter.help)) |\n"
            }
        }
        return text + "\nResult: \(command.result).\n"
    }

    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
