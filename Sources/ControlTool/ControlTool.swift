public import CommandLineTool
internal import ControlClient
internal import ControlProtocol
internal import PodcastModel
public import SystemCalls

/// The program podcastctl without its exit.
public enum ControlTool {
    public static func main() -> Int32 { run().rawValue }

    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - machine: what `doctor` checks.
    ///   - runsOthers: whether an unknown command becomes the program `podcast-COMMAND`, in place of this one.
    public static func run(
        _ arguments: [String] = ProcessArguments.all, streams: ToolStreams = .standard,
        variable: (String) -> String? = CurrentProcess.variable, machine: Machine = Machine(), runsOthers: Bool = true
    ) -> ExitStatus {
        let program = ControlProgram.declaration
        let streams = streams.reporting(asAskedBy: arguments)
        let becomeOther = { (name: String, rest: [String]) -> ExitStatus? in
            // The other program also gets the options before the command, such as --socket.
            runsOthers ? runOther(name, arguments.dropLast(rest.count + 1) + rest, streams) : nil
        }
        return program.run(arguments, streams: streams, unknownCommand: becomeOther) {
            parsed, output throws(ToolFailure) in
            guard let verb = Verb.named(parsed.subcommand?.words[...] ?? []) else { return .usage }
            func run(_ verb: any CommandVerb.Type) throws(ToolFailure) -> ExitStatus {
                let view = try View(
                    parsed: parsed, streams: streams, socket: socketPath(parsed, streams, variable), machine: machine)
                let command = try verb.command(view)
                try type(of: command).checkTemplate(view)
                return try command.run(view)
            }
            switch verb {
            case .command(let command): return try run(command)
            case .tool(.search), .tool(.new): return try run(ListEpisodes.self)
            case .tool(.help): return try help(parsed.positionals, program, streams)
            case .tool(.completion):
                if let shell = parsed.positionals.first.flatMap(Shell.init(rawValue:)) {
                    output.write(program.completionScript(for: shell))
                }
                return .success
            }
        }
    }

    private static func help(
        _ given: [String], _ program: ProgramDeclaration, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        var commands = [Verb.named(given[...])?.subcommand]
        if commands == [nil], let first = given.first {
            // `help rule` is about `rule add`, `rule set` and so on.
            commands = Verb.all.map(\.subcommand).filter { $0.words.first == first }
            if commands.isEmpty {
                throw .usage(
                    "unknown command '\(SafeText.line(first))'",
                    hint: "see 'podcastctl help', or the manual of the program, such as podcast-tui(1)")
            }
        }
        let texts = commands.map {
            program.help(of: $0, width: streams.terminal.width, isSpoken: streams.output.isSpoken)
        }
        streams.output.write(texts.joinedText("\n"))
        return .success
    }

    /// Becomes `podcast-NAME`, if there is one; `shell` is podcast-tui's line mode.
    private static func runOther(_ name: String, _ rest: [String], _ streams: ToolStreams) -> ExitStatus? {
        guard isProgramName(name) else { return nil }
        let error =
            name == "shell"
            ? replaceProcess("podcast-tui", ["--plain"] + rest) : replaceProcess("podcast-\(name)", rest)
        if error.missingPackage == nil { return nil }
        ControlProgram.declaration.report(ToolFailure(.unavailable, "cannot \(error)"), to: streams)
        return .unavailable
    }

    private static func isProgramName(_ name: String) -> Bool {
        name.utf8.count <= 64 && name.utf8.allSatisfy { $0.isSmallLetter || $0.isDigit || $0 == .dash }
    }

    private static func socketPath(
        _ parsed: ParsedArguments, _ streams: ToolStreams, _ variable: (String) -> String?
    ) -> String {
        let place = SocketDiscovery(explicit: parsed.text(ControlProgram.socket), variable: variable)
        if let note = place.note, !parsed.isSet(ControlProgram.json) {
            ControlProgram.declaration.report(ToolFailure(.success, note), to: streams.errors)
        }
        return place.path
    }
}
