internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation

/// One run of podcastctl: what was typed, and where it writes.
struct CommandLineUse {
    let parsed: ParsedArguments
    let streams: ToolStreams
    let socket: String
    let machine: any Machine
    /// The template of `--format`.
    let template: RowTemplate?

    init(parsed: ParsedArguments, streams: ToolStreams, socket: String, machine: any Machine) throws(ToolFailure) {
        (self.parsed, self.streams, self.socket, self.machine) = (parsed, streams, socket, machine)
        guard let text = parsed.text(ControlProgram.format) else {
            template = nil
            return
        }
        if parsed.isSet(ControlProgram.json) { throw ToolFailure(.usage, "give only one of --json and --format") }
        template = try RowTemplate(parsing: text)
    }

    /// Whether a program reads the reply, as JSON or by a template.
    var isForProgram: Bool { template != nil || parsed.isSet(ControlProgram.json) }

    /// How many rows of a list are wanted: those of `--limit`, of which `all` are as many as there are.
    func wantedRows(default rows: Int) -> Int {
        let limit = parsed.text(VerbSpelling.limit)
        return limit == "all" ? .max : limit.flatMap { Int($0) } ?? rows
    }

    /// Whether only data and errors are printed.
    var isQuiet: Bool { parsed.isSet(ControlProgram.quiet) }

    /// Prints a reply for a program, if one asks for it.
    ///
    /// - Parameter members: those of the reply; nil if they are not declared.
    /// - Returns: whether it was printed.
    func printForProgram(_ reply: JSONValue, _ members: @autoclosure () -> [ObjectMember]?) throws(ToolFailure) -> Bool
    {
        if let template {
            for line in template.lines(of: reply, members()) { try streams.output.line(line) }
            return true
        }
        if parsed.isSet(ControlProgram.json) { try streams.output.line(reply.text) }
        return parsed.isSet(ControlProgram.json)
    }

    /// Refuses names in the template that the reply does not have. Call it before anything is done.
    func checkTemplate(_ members: @autoclosure () -> [ObjectMember]) throws(ToolFailure) {
        if let template { try template.check(members()) }
    }

    /// Stdout as a terminal.
    var terminal: Terminal {
        var terminal = streams.terminal
        if parsed.isSet(ControlProgram.noColor) || streams.output.isSpoken { terminal.usesStyle = false }
        if let columns = parsed.text(ControlProgram.columns).flatMap({ Int($0) }) { terminal.width = columns }
        return terminal
    }

    /// How times are shown.
    var times: ShownTime {
        ShownTime(
            offset: parsed.isSet(ControlProgram.utc) ? nil : { [machine] in machine.zoneOffset(at: $0) },
            isComplete: terminal.width == nil)
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
    /// Whether what is shown only confirms a command: `--quiet` leaves it out.
    var isSilent = false

    var output: ToolOutput { isSilent ? .discarding : line.streams.output }
    var terminal: Terminal { line.terminal }
    var isForProgram: Bool { line.isForProgram }

    /// The view of a reply: with `--quiet`, none of one that only confirms what was done.
    func ofReply(isQuery: Bool) -> View {
        var view = self
        view.isSilent = line.isQuiet && !isQuery
        return view
    }

    /// Whether a screen reader reads the output.
    var isSpoken: Bool { line.streams.output.isSpoken }

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

    /// The next event of a connection that watches; nil at the deadline.
    func nextEvent(until deadline: Instant? = nil) throws(ToolFailure) -> ConnectionEvent? {
        do throws(ClientFailure) {
            return try connection.nextEvent(until: deadline)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// Calls a command. If a name in `command` matches several feeds or episodes, the user is asked, and the chosen id replaces the name.
    func call<Called: Command>(settling command: inout Called) throws(ToolFailure) -> Called.Reply {
        switch try outcome(settling: &command).map({ Called.Reply(json: $0) }) {
        case .success(let reply?): return reply
        case .success(nil): throw ToolFailure(.protocolFault, "the answer to \(Called.name) cannot be read")
        case .failure(let error): throw ToolFailure(error)
        }
    }

    /// Calls a command and returns its reply as it is on the wire. While a long one runs, the daemon's activities are shown
    /// if stderr is a terminal.
    func wireAnswer<Called: Command>(to command: Called, isLong: Bool = false) throws(ToolFailure) -> JSONValue {
        var command = command
        switch try outcome(settling: &command, isLong: isLong) {
        case .success(let answer): return answer
        case .failure(let error): throw failure(error, of: Called.self)
        }
    }

    /// The same, with the daemon's error as it is. If a name in `command` matches several feeds or episodes, the user is asked, and
    /// the chosen id replaces the name.
    func outcome<Called: Command>(
        settling command: inout Called, isLong: Bool = false
    ) throws(ToolFailure) -> Result<JSONValue, ClientFailure> {
        while true {
            do throws(ClientFailure) {
                return .success(try unfilteredAnswer(to: command, isLong: isLong))
            } catch {
                guard let settled = try NumberedChoice.settled(command, error, line) else { return .failure(error) }
                command = settled
            }
        }
    }

    /// A failed call as the user sees it. If one of several words is not a name, they may be a title that was not quoted.
    func failure<Called: Command>(_ error: ClientFailure, of command: Called.Type) -> ToolFailure {
        var failure = ToolFailure(error)
        guard case .refused(let refusal) = error,
            line.parsed.positionals.count > max(1, line.parsed.subcommand?.arguments.count ?? 1),
            refusal.code == .notFound || !refusal.candidates.isEmpty,
            command.declaration.parameters.contains(where: { $0.kind == .list(.what) })
        else { return failure }
        let note = "each word is a name of its own; quote a title of several words"
        failure.hint = failure.hint.map { "\($0); \(note)" } ?? note
        return failure
    }

    /// Calls a command once.
    func unfilteredAnswer<Called: Command>(
        to command: Called, isLong: Bool = false
    ) throws(ClientFailure) -> JSONValue {
        let request = Request(id: nil, command)
        guard isLong else { return try connection.call(request) }
        connection.timeout = nil
        let errors = Terminal(descriptor: 2)
        guard errors.isInteractive, !line.isQuiet else { return try connection.call(request) }
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

    /// A day as a cell of a table.
    func date(_ instant: Timestamp) -> String { line.times.date(instant) }

    /// A time as a cell of a table.
    func time(_ instant: Timestamp) -> String { line.times.time(instant) }

    /// A time within running text, also if a program reads it.
    func timeInText(_ instant: Timestamp) -> String {
        ShownTime(offset: line.times.offset, isComplete: false).time(instant)
    }

    /// Prints rows in columns that fit the terminal, or `empty` if there are none. Without a terminal, prints rows of fields
    /// separated by tabs.
    func table(
        _ columns: [ColumnLayout.Column], _ rows: [[String]], empty: String
    ) throws(ToolFailure) {
        if rows.isEmpty { return try nothing(empty) }
        if isSpoken { return try lines(ColumnLayout(columns).sentences(rows)) }
        if terminal.width == nil { return try lines(ColumnLayout.tabSeparated(rows)) }
        try lines(ColumnLayout(columns).lines(rows, width: terminal.width))
    }

    /// Says that there is nothing to show: on stderr if a program reads the output.
    func nothing(_ text: String) throws(ToolFailure) {
        if terminal.width != nil { return try output.line(text) }
        try aside(text)
    }

    /// Prints a line for people, not among the rows that a program reads: on stderr, and with `--quiet` not at all.
    func aside(_ text: String) throws(ToolFailure) {
        if line.isQuiet { return }
        try line.streams.errors.line("podcastctl: \(SafeText.line(text))")
        try line.streams.errors.flush()
    }

    /// Says that a list continues: below the table, or on stderr if a program reads it.
    func more(_ text: String) throws(ToolFailure) {
        guard let width = terminal.width else { return try aside(text) }
        try output.line(terminal.styled(TextLayout.fitted(text, width: width), .dim))
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
            let names = [failure.feed, failure.url].compactMap(\.self)
            let subject = names.count == 2 && names[0] != names[1] ? "\(names[0]) (\(names[1]))" : names.first
            ControlProgram.declaration.report(
                ToolFailure(failure.exitStatus, (subject.map { "\($0): " } ?? "") + failure.what, hint: failure.hint),
                to: line.streams)
        }
    }
}
