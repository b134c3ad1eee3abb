public import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
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
                if command.name == RunChecks.name {
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
        let request = try request(for: command, parsed, streams)
        let terminal = terminal(streams, parsed)
        switch request.method {
        case Subscribe.name: return try subscribe(try Subscribe(given: request.params), parsed, path, streams)
        case ImportDocument.name:
            let file = parsed.text(VerbSpelling.file) ?? "-"
            return try importFile(file, try ImportDocument(given: request.params), parsed, path, streams)
        default: break
        }
        let client = try connect(path)
        if request.method == GetStatus.name, parsed.isSet(VerbSpelling.follow) {
            let style: StatusFollower.Style =
                parsed.isSet(ControlProgram.json)
                ? .json : parsed.isSet(VerbSpelling.plain) || !terminal.isInteractive ? .plain : .live
            return try StatusFollower(client: client, terminal: terminal, output: streams.output, style: style).run()
        }
        let answer = try ask(client, request, isLong: command.isLong, streams.errors)
        return try present(answer, to: request, client, parsed, streams)
    }

    /// The request that a command line means. A few verbs stand for several commands, or take what a shell or a person
    /// types in another form than the wire has.
    private static func request(
        for command: CommandDeclaration, _ parsed: ParsedArguments, _ streams: ToolStreams
    ) throws(ToolFailure) -> Request {
        let params = VerbSpelling.parameters(of: command, from: parsed)
        switch command.name {
        case SetVolume.name: return try VerbSpelling.volumeRequest(parsed.text(VerbSpelling.level) ?? "")
        case ShowPlaylist.name: return try VerbSpelling.playlistRequest(parsed)
        case ListSettings.name: return try VerbSpelling.settingsRequest(parsed)
        case AddRule.name:
            var request = try AddRule(given: params)
            request.rule = FilterWords.joined(parsed.positionals)
            return Request(id: nil, request)
        case ListEpisodes.name:
            var request = try ListEpisodes(given: params)
            request.filter = request.filter.map { FilterWords.joined([$0]) }
            return Request(id: nil, request)
        case SetFeed.name:
            var request = try SetFeed(given: params)
            if request.value == SecretInput.word, SetFeed.secretKeys.contains(request.key) {
                request.value = try SecretInput.line(asking: "\(request.key): ", on: streams.errors)
            }
            return Request(id: nil, request)
        default: return Request(id: nil, method: command.name, params: params)
        }
    }

    private static func present(
        _ answer: JSONValue, to request: Request, _ client: ControlConnection, _ parsed: ParsedArguments,
        _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        let presenter = AnswerPresenter(
            client: client, terminal: terminal(streams, parsed), output: streams.output, errors: streams.errors,
            isJSON: parsed.isSet(ControlProgram.json),
            isPlain: parsed.isSet(VerbSpelling.plain), hasFigures: parsed.isSet(VerbSpelling.figures),
            isHTML: parsed.isSet(VerbSpelling.html), isSubRip: parsed.isSet(VerbSpelling.srt))
        let whole = try presenter.filled(answer, of: request)
        return try presenter.present(whole, to: request.method, request.params)
    }

    /// Hands a document over and has it imported.
    private static func importFile(
        _ file: String, _ given: ImportDocument, _ parsed: ParsedArguments, _ path: String, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        let input = try InputFile(file)
        let client = try connect(path)
        let request = Request(id: nil, try input.send(over: client, for: given))
        let answer = try ask(client, request, isLong: ImportDocument.isLong, streams.errors)
        return try present(answer, to: request, client, parsed, streams)
    }

    /// Subscribes to addresses, and imports what is a file: the daemon is told contents, never paths.
    private static func subscribe(
        _ given: Subscribe, _ parsed: ParsedArguments, _ path: String, _ streams: ToolStreams
    ) throws(ToolFailure) -> ExitStatus {
        var status = ExitStatus.success
        for file in given.urls where InputFile.isFile(file) {
            let outcome = try importFile(file, ImportDocument(), parsed, path, streams)
            if outcome != .success { status = outcome }
        }
        let urls = given.urls.filter { !InputFile.isFile($0) }
        if urls.isEmpty { return status }
        let client = try connect(path)
        let request = Request(id: nil, Subscribe { $0.urls = urls })
        let answer = try ask(client, request, isLong: Subscribe.isLong, streams.errors)
        let outcome = try present(answer, to: request, client, parsed, streams)
        return outcome == .success ? status : outcome
    }

    private static func socketPath(
        _ parsed: ParsedArguments, _ streams: ToolStreams, _ variable: (String) -> String?
    ) -> String {
        let place = SocketDiscovery(explicit: parsed.text(ControlProgram.socket), variable: variable)
        if let note = place.note { ControlProgram.declaration.report(ToolFailure(.success, note), to: streams.errors) }
        return place.path
    }

    private static func connect(_ path: String) throws(ToolFailure) -> ControlConnection {
        do throws(ClientFailure) {
            return try ControlConnection(path: path)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// Calls the command; of one that may take long, what the daemon is doing meanwhile is shown on a terminal.
    private static func ask(
        _ client: ControlConnection, _ request: Request, isLong: Bool, _ errors: ToolOutput
    ) throws(ToolFailure) -> JSONValue {
        do throws(ClientFailure) {
            guard isLong else { return try client.call(request) }
            client.timeout = nil
            let terminal = Terminal(descriptor: 2)
            guard terminal.isInteractive else { return try client.call(request) }
            let line = LiveLine(output: errors, width: terminal.width ?? 80)
            defer { line.clear() }
            // Without the permission to look there is only less to see.
            _ = try? client.call(SubscribeStatus { $0.parts = [.activities] })
            var model = ClientModel()
            return try client.call(request) { event in
                model.apply(event)
                line.show(model.activities.map(StatusText.activity).joinedText(" · "))
            }
        } catch {
            throw ToolFailure(error)
        }
    }
}
