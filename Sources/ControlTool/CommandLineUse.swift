internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// One run of podcastctl: what was typed, and where it writes.
struct CommandLineUse {
    let parsed: ParsedArguments
    let streams: ToolStreams
    /// The daemon's socket.
    let socket: String
    let machine: any Machine

    /// Stdout as a terminal.
    var terminal: Terminal {
        var terminal = streams.terminal
        if parsed.isSet(ControlProgram.noColor) { terminal.usesStyle = false }
        return terminal
    }

    /// Connects to the daemon.
    func connect() throws(ToolFailure) -> View {
        do throws(ClientFailure) {
            return View(line: self, connection: try ControlConnection(path: socket))
        } catch {
            throw ToolFailure(error)
        }
    }
}

/// Where replies are shown: as JSON, or in columns and lines that fit the terminal.
struct View {
    let line: CommandLineUse
    let connection: ControlConnection

    var output: ToolOutput { line.streams.output }
    var terminal: Terminal { line.terminal }
    var isJSON: Bool { line.parsed.isSet(ControlProgram.json) }

    /// Whether a flag was given.
    func isSet(_ option: OptionDeclaration) -> Bool { line.parsed.isSet(option) }

    // MARK: calls

    /// Calls a command and returns its reply.
    func call<Called: Command>(_ command: Called) throws(ToolFailure) -> Called.Reply {
        do throws(ClientFailure) {
            return try connection.call(command)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// Calls a command and returns its reply as it is on the wire. While a long one runs, the daemon's activities are shown
    /// if stderr is a terminal.
    func wireAnswer<Called: Command>(to command: Called, isLong: Bool = false) throws(ToolFailure) -> JSONValue {
        do throws(ClientFailure) {
            return try unfilteredAnswer(to: command, isLong: isLong)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// The same, with the daemon's error as it is.
    func unfilteredAnswer<Called: Command>(
        to command: Called, isLong: Bool = false
    ) throws(ClientFailure) -> JSONValue {
        let request = Request(id: nil, command)
        guard isLong else { return try connection.call(request) }
        connection.timeout = nil
        let errors = Terminal(descriptor: 2)
        guard errors.isInteractive else { return try connection.call(request) }
        let live = LiveLine(output: line.streams.errors, width: errors.width ?? 80)
        defer { live.clear() }
        // Without permission to watch, nothing is shown.
        _ = try? connection.call(SubscribeStatus { $0.parts = [.activities] })
        var model = ClientModel()
        return try connection.call(request) { event in
            model.apply(event)
            live.show(model.activities.map(StatusText.activity).joinedText(" · "))
        }
    }

    // MARK: output

    /// Prints a line of text that may come from outside.
    func line(_ text: String) throws(ToolFailure) { try output.line(SafeText.line(text)) }

    func lines(_ lines: [String]) throws(ToolFailure) {
        for line in lines { try output.line(line) }
    }

    /// Prints rows in columns, or `empty` if there are none.
    func table(
        _ columns: [ColumnLayout.Column], _ rows: [[String]], empty: String
    ) throws(ToolFailure) {
        if rows.isEmpty { return try output.line(empty) }
        try lines(ColumnLayout(columns).lines(rows, width: terminal.width))
    }

    /// Prints `name: value` if there is a value.
    func row(_ name: String, _ value: String?) throws(ToolFailure) {
        guard let value, !value.isEmpty else { return }
        try output.line("\(terminal.styled(name, .dim)) \(SafeText.line(value))")
    }

    /// Reports failures on stderr, each with its subject.
    func report(_ failures: [FailureReply]) throws(ToolFailure) {
        if failures.isEmpty { return }
        try output.flush()
        for failure in failures {
            let subject = failure.feed ?? failure.url
            ControlProgram.declaration.report(
                ToolFailure(failure.exitStatus, (subject.map { "\($0): " } ?? "") + failure.what, hint: failure.hint),
                to: line.streams)
        }
    }
}

/// A number with its noun: `1 feed`, `2 feeds`, `no feeds`.
func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
