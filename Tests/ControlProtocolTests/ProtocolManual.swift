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

            """
        for object in objects {
            text += "\n### \(object.name)\n\n| member | type | |\n|---|---|---|\n"
            for member in object.members { text += "| `\(member.name)` | \(member.type) | \(member.help) |\n" }
        }
        text += "\n## Commands\n\nA parameter may be omitted unless it is required.\n"
        for section in CommandTable.sections {
            text += "\n### \(section.name)\n"
            for command in section.declarations { text += self.command(command) }
        }
        return text
    }

    /// Objects with a name, in the order in which events and commands name them.
    private static var objects: [(name: String, members: [ObjectMember])] {
        var found: [(name: String, members: [ObjectMember])] = []
        func add(_ name: some StringProtocol, _ members: [ObjectMember]) {
            if found.contains(where: { $0.name == name }) { return }
            if name != "object" { found.append((String(name), members)) }
            for member in members {
                var type = member.type[...]
                if type.hasPrefix("list of ") { type = type.dropFirst(8) }
                if type.hasSuffix(" or null") { type = type.dropLast(8) }
                if let nested = member.nested { add(type, nested()) }
            }
        }
        add(StatusReply.objectName, StatusReply.members)
        add(EventReply.objectName, EventReply.members)
        add(RowChange.objectName, RowChange.members)
        for type in CommandTable.sections.flatMap(\.types) { add(type.reply.name, type.reply.members) }
        return found
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

extension Command {
    fileprivate static var reply: (name: String, members: [ObjectMember]) { (Reply.objectName, Reply.members) }
}
