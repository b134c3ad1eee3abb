internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

/// A command of the daemon as podcastctl offers it: how it is typed, and how its reply is shown. Every requirement has a default.
protocol CommandVerb: Command {
    /// Options that the wire does not have.
    static var options: [OptionDeclaration] { get }
    /// Spells some options and arguments as people expect them rather than as the wire has them.
    static func adjust(_ subcommand: inout SubcommandDeclaration)
    /// Paragraphs of the help that explain what is shown.
    static var details: [String] { get }
    /// The columns of the reply if it is a list, for the manual.
    static var columns: [ColumnLayout.Column] { get }
    /// What is asked before a title that a name matches only in part: `unsubscribe from`.
    static var question: String { get }
    /// The command that a command line means, which may be another one: `undo --list` only lists.
    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb
    /// Adds what the declared parameters alone do not say.
    mutating func complete(_ view: View) throws(ToolFailure)
    /// The members that `--format` may name; nil if the reply does not declare them.
    static func members(_ view: View) -> [ObjectMember]?
    func run(_ view: View) throws(ToolFailure) -> ExitStatus
    /// Whether the command line asks for something, rather than changes something: `--quiet` shows its answer.
    static func isQuery(_ view: View) -> Bool
    static func show(_ reply: Reply, _ view: View) throws(ToolFailure)
    /// The reply in one line; nil to show its members.
    static func text(_ reply: Reply) -> String?
    /// The status to exit with if a part of the command failed.
    static func status(of reply: Reply) -> ExitStatus
}

extension CommandVerb {
    static var options: [OptionDeclaration] { [] }

    static func adjust(_ subcommand: inout SubcommandDeclaration) {}

    static var details: [String] { [] }

    static var columns: [ColumnLayout.Column] { [] }

    static var question: String { form.declaration.commandLine?.words.joinedText(" ") ?? name }

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb { try read(view) }

    static func read(_ view: View) throws(ToolFailure) -> Self {
        var command = try Self(given: VerbSpelling.parameters(of: declaration, from: view.parsed))
        try command.complete(view)
        return command
    }

    func complete(_ view: View) {}

    static func members(_ view: View) -> [ObjectMember]? { Reply.members }

    /// Refuses names in the template of `--format` that the reply does not have, before anything is done.
    static func checkTemplate(_ view: View) throws(ToolFailure) {
        if let template = view.template, let members = members(view) { try template.check(members) }
    }

    func run(_ view: View) throws(ToolFailure) -> ExitStatus { try finish(view.call(self), view) }

    static func isQuery(_ view: View) -> Bool { form.declaration.permission == .read }

    static func status(of reply: Reply) -> ExitStatus { .success }

    /// Prints a reply for a program, or shows it to people.
    func finish(_ reply: Reply, _ view: View) throws(ToolFailure) -> ExitStatus {
        if !view.printForProgram(reply.json, Self.members(view)) {
            try Self.show(reply, view.ofReply(isQuery: Self.isQuery(view)))
        }
        return Self.status(of: reply)
    }

    static func show(_ reply: Reply, _ view: View) throws(ToolFailure) {
        if let text = text(reply) { return view.line(text) }
        if let reply = reply as? any ShownReply { return try reply.show(view) }
        view.showMembers(of: reply.json, Reply.members)
    }

    static func text(_ reply: Reply) -> String? { nil }
}

/// A reply that looks the same after each command that it answers.
protocol ShownReply: ReplyObject {
    func show(_ view: View) throws(ToolFailure)
}

protocol OneLineReply: ShownReply {
    var line: String { get }
}

extension OneLineReply {
    func show(_ view: View) { view.line(line) }
}

/// A command that is typed as it is declared, and whose reply has a view or is shown by its members.
private struct PlainVerb<Called: Command>: CommandVerb {
    var command: Called

    static var form: CommandForm<Self, Called.Reply> { Called.form.with(Self(command: Called())) }

    mutating func declareParameters(_ parameters: inout ParameterExchange) { command.declareParameters(&parameters) }
}

/// A command that podcastctl carries out itself, or by another command.
enum ToolVerb: String, CaseIterable {
    case search, new, help
    /// Prints a shell's completions.
    case completion
}

/// A command line of podcastctl.
enum Verb {
    case command(any CommandVerb.Type)
    case tool(ToolVerb)

    /// The verb whose declared name the words begin with. Builds the declaration of no other verb.
    static func named(_ words: ArraySlice<String>) -> Verb? {
        guard let first = words.first else { return nil }
        // Scripts call `status` most often, and a search would cost as much as the rest of its work.
        if first == "status" { return .command(GetStatus.self) }
        for section in sections {
            var found: (any Command.Type)?
            for type in section.types {
                guard let name = type.words, name[0] == first else { continue }
                if name.count == 1 { found = type }
                if name.count == 2, words.dropFirst().first == name[1] { return .command(verb(type)) }
            }
            if let found { return .command(verb(found)) }
        }
        return ToolVerb(rawValue: first).map(Verb.tool)
    }

    /// The sections of the daemon's commands in the order of the help.
    private static var sections: [CommandSection] {
        [
            .playback, .queue, .feeds, .episodes, .bookmarks, .playlists, .rules, .retention, .status, .activities,
            .outputs, .sync, .settings, .library, .metrics, .doctor, .server,
        ]
    }

    /// A command with its own view, or with the default one.
    static func verb(_ command: any Command.Type) -> any CommandVerb.Type {
        func plain<Called: Command>(_ type: Called.Type) -> any CommandVerb.Type { PlainVerb<Called>.self }
        return command as? any CommandVerb.Type ?? plain(command)
    }

    /// All verbs in the order of the help. A command that is not typed by itself is reached through another one:
    /// `playlists.save` by `playlist`.
    static var all: [Verb] {
        sections.flatMap(\.types).filter { $0.words != nil }.map { .command(verb($0)) }
            + ToolVerb.allCases.map(Verb.tool)
    }

    var subcommand: SubcommandDeclaration {
        switch self {
        case .command(let command): VerbSpelling.subcommand(for: command)
        case .tool(.search):
            EpisodeWords.subcommand("search", "Search the titles, notes and transcripts of stored episodes.") {
                subcommand in
                subcommand.details = [
                    "The same as 'episodes --search TEXT'. 'find' searches directories for new podcasts, 'said' searches transcripts."
                ]
                subcommand.arguments = [EpisodeWords.text]
                subcommand.options.removeAll { $0.name == EpisodeWords.search.name }
            }
        case .tool(.new):
            EpisodeWords.subcommand("new", "List new episodes, of all feeds or of one.") { subcommand in
                subcommand.details = ["The same as 'episodes --filter is:new', see podcastd-rules(7)."]
            }
        case .tool(.help):
            SubcommandDeclaration(
                ["help"], "Show the help of a command.", group: "System",
                arguments: [
                    ArgumentDeclaration(
                        "COMMAND", .string.offering(.command), isRequired: false, isRepeatable: true,
                        help: "Name of the command (default: all).")
                ])
        case .tool(.completion):
            SubcommandDeclaration(
                ["completion"], "Print the completions for a shell.", group: "System",
                arguments: [
                    ArgumentDeclaration("SHELL", .choice(Shell.words), help: "bash, zsh or fish.")
                ])
        }
    }
}

extension Command {
    /// The command's name on a command line; nil if it cannot be typed.
    fileprivate static var words: [String]? { form.declaration.commandLine?.words }
}
