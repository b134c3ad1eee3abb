public import CommandLineTool
internal import ControlProtocol
internal import ControlSocket
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// podcastctl.
public enum ControlTool {
    /// Runs the program with the command line and streams of the process.
    ///
    /// - Returns: the status with which the process is to end.
    public static func main() -> Int32 { run().rawValue }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - streams: where it writes.
    ///   - variable: the environment.
    ///   - machine: what `doctor` looks at.
    /// - Returns: the status with which the process is to end.
    public static func run(
        _ arguments: [String] = ProcessArguments.all, streams: ToolStreams = .standard,
        variable: (String) -> String? = Environment.variable, machine: any Machine = LocalMachine()
    ) -> ExitStatus {
        let program = ControlProgram.declaration
        return program.run(arguments, streams: streams, unknownCommand: runOther) {
            parsed, output throws(ToolFailure) in
            guard let words = parsed.subcommand?.words, let verb = Verb.find(words[...]) else { return .usage }
            switch verb {
            case .command(let command):
                let path = socketPath(parsed, streams, variable)
                if command.name == DoctorCommand.run.name {
                    return try examine(machine, path, parsed, streams)
                }
                return try call(command, parsed, path, streams)
            case .help: return try help(parsed.positionals, program, streams)
            case .completion:
                if let shell = parsed.positionals.first.flatMap(Shell.init(rawValue:)) {
                    try output.write(program.completionScript(for: shell))
                }
                return .success
            case .manual: return try manual(of: parsed.positionals.first, program, output)
            }
        }
    }

    private static func help(
        _ words: [String], _ program: ProgramDeclaration, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        let command = words.isEmpty ? nil : Verb.find(words[...])?.subcommand
        if command == nil, let first = words.first {
            throw ToolFailure(.usage, "unknown command '\(SafeText.line(first))'", hint: "see 'podcastctl help'")
        }
        try streams.output.write(program.help(of: command, width: streams.terminal.width))
        return .success
    }

    private static func manual(
        of name: String?, _ program: ProgramDeclaration, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        guard let name, name != program.name else {
            try output.write(program.manualPage)
            return .success
        }
        guard name.utf8.starts(with: "podcast".utf8), isProgramName(name) else {
            throw ToolFailure(.usage, "'\(SafeText.line(name))' is no program of this package")
        }
        throw ToolFailure(
            .noInput, "\(name) cannot be run: \(replaceProcess(name, ["--generate", "man"]).reason)")
    }

    /// Becomes `podcast-NAME`, if there is one.
    private static func runOther(_ name: String, _ rest: [String]) -> ExitStatus? {
        if isProgramName(name) { _ = replaceProcess("podcast-\(name)", rest) }
        return nil
    }

    private static func isProgramName(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }

    /// Does what `doctor` asks for; it needs no daemon.
    private static func examine(
        _ machine: any Machine, _ path: String, _ parsed: ParsedArguments, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        let doctor = Doctor(
            machine: machine, socket: path, output: streams.output, terminal: terminal(streams, parsed))
        return try doctor.run(asJSON: parsed.isSet(ControlProgram.json))
    }

    private static func terminal(_ streams: ToolStreams, _ parsed: ParsedArguments) -> Terminal {
        var terminal = streams.terminal
        if parsed.isSet(ControlProgram.noColor) { terminal.usesStyle = false }
        return terminal
    }

    // MARK: commands of the daemon

    private static func call(
        _ command: CommandDeclaration, _ parsed: ParsedArguments, _ path: String, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        var (name, params) = (command.name, VerbSpelling.parameters(of: command, from: parsed))
        switch name {
        case PlaybackCommand.volume.name:
            params = try VerbSpelling.volumeParameters(parsed.text(VerbSpelling.level) ?? "")
        case RulesCommand.add.name:
            let rule = command.parameters.first { $0.name == "rule" }.map { VerbSpelling.argument($0) }
            let words = rule.map { Array(parsed.texts($0)) } ?? []
            params = params?.replacing("rule", with: .string(FilterWords.joined(words)))
        case EpisodesCommand.list.name:
            if let filter = params?["filter"]?.stringValue {
                params = params?.replacing("filter", with: .string(FilterWords.joined([filter])))
            }
        case PlaylistsCommand.show.name:
            let call = try VerbSpelling.playlistCall(parsed)
            (name, params) = (call.0.name, call.1)
        case FeedsCommand.set.name where params?["value"]?.stringValue == SecretInput.word:
            if let key = params?["key"]?.stringValue, FeedsCommand.secretKeys.contains(key) {
                let secret = try SecretInput.line(asking: "\(key): ", on: streams.errors)
                params = params?.replacing("value", with: .string(secret))
            }
        case SettingsCommand.list.name:
            let call = try VerbSpelling.settingsCall(parsed)
            (name, params) = (call.0.name, call.1)
        default: break
        }

        let terminal = terminal(streams, parsed)
        if name == FeedsCommand.subscribe.name { return try subscribe(params, parsed, path, streams) }
        if name == FeedsCommand.import.name {
            return try importFile(parsed.text(VerbSpelling.file) ?? "-", params, parsed, path, streams)
        }
        let client = try connect(path)
        if name == StatusCommand.get.name, parsed.isSet(VerbSpelling.follow) {
            let style: StatusFollower.Style =
                parsed.isSet(ControlProgram.json)
                ? .json : parsed.isSet(VerbSpelling.plain) || !terminal.isInteractive ? .plain : .live
            return try StatusFollower(client: client, terminal: terminal, output: streams.output, style: style).run()
        }
        return try present(
            try ask(client, command, name, params, streams.errors), to: name, params, client, parsed, streams)
    }

    private static func present(
        _ answer: JSONValue, to name: String, _ params: JSONValue?, _ client: ControlClient, _ parsed: ParsedArguments,
        _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        let presenter = AnswerPresenter(
            client: client, terminal: terminal(streams, parsed), output: streams.output, errors: streams.errors,
            isJSON: parsed.isSet(ControlProgram.json),
            isPlain: parsed.isSet(VerbSpelling.plain), hasFigures: parsed.isSet(VerbSpelling.figures),
            isHTML: parsed.isSet(VerbSpelling.html), isSubRip: parsed.isSet(VerbSpelling.srt))
        let isView = name == EpisodesCommand.list.name || name == PlaylistsCommand.show.name
        let whole = isView ? try presenter.filled(answer, of: name, params) : answer
        return try presenter.present(whole, to: name, params)
    }

    /// Hands a document over and has it imported.
    private static func importFile(
        _ file: String, _ params: JSONValue?, _ parsed: ParsedArguments, _ path: String, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        let input = try InputFile(file)
        let command = FeedsCommand.import.declaration
        let client = try connect(path)
        let params = try input.send(over: client, with: params)
        let answer = try ask(client, command, command.name, params, streams.errors)
        return try present(answer, to: command.name, params, client, parsed, streams)
    }

    /// Subscribes to addresses, and imports what is a file: the daemon is told contents, never paths.
    private static func subscribe(
        _ params: JSONValue?, _ parsed: ParsedArguments, _ path: String, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        let words = params?["urls"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var status = ExitStatus.success
        for file in words where InputFile.isFile(file) {
            let outcome = try importFile(file, nil, parsed, path, streams)
            if outcome != .success { status = outcome }
        }
        let urls = words.filter { !InputFile.isFile($0) }
        if urls.isEmpty { return status }
        let (client, command) = (try connect(path), FeedsCommand.subscribe.declaration)
        let call: JSONValue = ["urls": .array(urls.map { .string($0) })]
        let answer = try ask(client, command, command.name, call, streams.errors)
        let outcome = try present(answer, to: command.name, call, client, parsed, streams)
        return outcome == .success ? status : outcome
    }

    private static func socketPath(
        _ parsed: ParsedArguments, _ streams: ToolStreams, _ variable: (String) -> String?
    ) -> String {
        let place = SocketDiscovery(explicit: parsed.text(ControlProgram.socket), variable: variable)
        if let note = place.note { ControlProgram.declaration.report(ToolFailure(.success, note), to: streams.errors) }
        return place.path
    }

    private static func connect(_ path: String) throws(ToolFailure) -> ControlClient {
        do throws(ControlClient.Failure) {
            return try ControlClient(path: path)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// Calls the command; of one that may take long, what the daemon is doing meanwhile is shown on a terminal.
    private static func ask(
        _ client: ControlClient, _ command: CommandDeclaration, _ name: String, _ params: JSONValue?,
        _ errors: ToolOutput
    ) throws(ToolFailure) -> JSONValue {
        do throws(ControlClient.Failure) {
            guard command.isLong else { return try client.call(name, params) }
            client.timeout = nil
            let terminal = Terminal(descriptor: 2)
            guard terminal.isInteractive else { return try client.call(name, params) }
            let line = LiveLine(output: errors, width: terminal.width ?? 80)
            defer { line.clear() }
            // Without the permission to look there is only less to see.
            _ = try? client.call(StatusCommand.subscribe.name, ["parts": ["activities"]])
            return try client.call(name, params) { event in
                guard event.part == .activities else { return }
                line.show([ActivityReply](json: event.value).map(StatusText.activity).joinedText(" · "))
            }
        } catch {
            throw ToolFailure(error)
        }
    }
}
