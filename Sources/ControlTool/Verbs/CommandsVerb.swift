internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import JSON

extension ListCommands: CommandVerb {
    static let columns: [ColumnLayout.Column] = [.init("COMMAND"), .init("SUMMARY")]

    static let details = [
        "With --json, each command has its arguments and options. What the daemon's socket accepts is in "
            + "podcastd-protocol(7), and its command server.commands lists it."
    ]

    /// Lists what podcastctl accepts, which needs no daemon.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        try line.checkTemplate(replyMembers)
        let commands = Verb.all.filter { $0.subcommand.group != nil }
        if line.isForProgram {
            _ = try line.printForProgram(["commands": .array(commands.map(json))], replyMembers)
            return .success
        }
        guard let width = line.terminal.width else {
            for row in ColumnLayout.tabSeparated(commands.map { [$0.subcommand.synopsis, $0.subcommand.summary] }) {
                try line.streams.output.line(row)
            }
            return .success
        }
        for command in commands.map(\.subcommand) {
            for (index, text) in TextLayout.wrapped(command.synopsis, width: width - 4).enumerated() {
                try line.streams.output.line((index > 0 ? "    " : "") + line.terminal.styled(text, .bold))
            }
            for text in TextLayout.wrapped(command.summary, width: width - 4) {
                try line.streams.output.line("    " + text)
            }
        }
        return .success
    }

    static func show(_ reply: CommandListReply, _ view: View) throws(ToolFailure) {}

    // MARK: JSON

    private static let replyMembers = [
        ObjectMember("commands", "", "", isList: true) {
            ["name", "synopsis", "summary", "group", "call"].map { ObjectMember($0, String.typeName, "") }
                + ["details", "arguments", "options"].map { ObjectMember($0, JSONValue.typeName, "", isList: true) }
        }
    ]

    private static func json(_ verb: Verb) -> JSONValue {
        let command = verb.subcommand
        var call = JSONValue.null
        if case .command(let type) = verb { call = .string(type.name) }
        return [
            "name": .string(command.name), "synopsis": .string(command.synopsis), "summary": .string(command.summary),
            "group": JSONValue(command.group), "call": call, "details": .array(command.details.map(JSONValue.string)),
            "arguments": .array(command.arguments.map(json)),
            "options": .array(command.options.filter { !$0.isHidden }.map(json)),
        ]
    }

    private static func json(_ argument: ArgumentDeclaration) -> JSONValue {
        let isRequired = argument.count == .one || argument.count == .some
        let isRepeatable = argument.count == .any || argument.count == .some
        return [
            "name": .string(argument.name), "required": .bool(isRequired), "repeatable": .bool(isRepeatable),
            "choices": choices(argument.kind), "help": .string(argument.help),
        ]
    }

    private static func json(_ option: OptionDeclaration) -> JSONValue {
        [
            "name": .string("--\(option.name)"), "letter": option.letter.map { .string("-\($0)") } ?? .null,
            "value": JSONValue(option.placeholder), "choices": choices(option.kind), "help": .string(option.help),
        ]
    }

    private static func choices(_ kind: ValueKind) -> JSONValue {
        guard case .choice(let words) = kind else { return .null }
        return .array(words.map(JSONValue.string))
    }
}
