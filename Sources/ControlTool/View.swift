internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation
internal import SystemCalls

/// One run of podcastctl: what was typed, the daemon, and where replies are shown: as JSON, or in columns and lines that fit the
/// terminal.
struct View {
    /// The connection, which opens at the first call.
    private final class Link {
        var connection: ControlConnection?
    }

    let parsed: ParsedArguments
    let streams: ToolStreams
    let socket: String
    let machine: Machine
    let template: RowTemplate?
    /// Whether the output only confirms a command; `--quiet` suppresses such output.
    var isSilent = false
    private let link = Link()

    init(parsed: ParsedArguments, streams: ToolStreams, socket: String, machine: Machine) throws(ToolFailure) {
        self.parsed = parsed
        self.streams = streams
        self.socket = socket
        self.machine = machine
        let text = parsed.text(ControlProgram.format)
        if text != nil, parsed.isSet(ControlProgram.json) {
            throw .usage("give only one of --json and --format")
        }
        template = try text.map(RowTemplate.init)
    }

    /// The line of stderr that shows progress; nil if stderr is not a terminal or only data and errors are printed.
    var progressLine: LiveLine? {
        let errors = Terminal(descriptor: 2)
        return errors.isInteractive && !isQuiet ? LiveLine(output: streams.errors, width: errors.width ?? 80) : nil
    }

    /// Whether a program reads the reply, as JSON or by a template.
    var isForProgram: Bool { template != nil || isSet(ControlProgram.json) }

    /// The number of rows that `--limit` asks for; `all` has no limit.
    func wantedRows(default rows: Int) -> Int {
        let limit = parsed.text(VerbSpelling.limit)
        return limit == "all" ? .max : limit.flatMap { Int($0) } ?? rows
    }

    var isQuiet: Bool { isSet(ControlProgram.quiet) }

    /// Prints a reply if a program reads it; returns whether it did.
    /// - Parameter members: the reply's members; nil if the reply does not declare members.
    @discardableResult
    func printForProgram(
        _ reply: @autoclosure () -> JSONValue, _ members: @autoclosure () -> [ObjectMember]?
    ) -> Bool {
        if let template {
            for line in template.lines(of: reply(), members()) { streams.output.line(line) }
        } else if isForProgram {
            streams.output.line(reply().text)
        }
        return isForProgram
    }

    var terminal: Terminal {
        var terminal = streams.terminal
        if isSet(ControlProgram.noColor) || streams.output.isSpoken { terminal.usesStyle = false }
        if let columns = parsed.text(ControlProgram.columns).flatMap({ Int($0) }) { terminal.width = columns }
        return terminal
    }

    var times: ShownTime {
        ShownTime(
            offset: isSet(ControlProgram.utc) ? nil : { [machine] in machine.zoneOffset($0) },
            isComplete: !isTerminal)
    }

    /// The view of a reply. With `--quiet` a reply that only confirms a command is not shown.
    func ofReply(isQuery: Bool) -> View {
        var view = self
        view.isSilent = isQuiet && !isQuery
        return view
    }

    var isSpoken: Bool { streams.output.isSpoken }

    /// Whether replies are laid out for a terminal rather than for a pipe.
    var isTerminal: Bool { terminal.width != nil }

    var output: ToolOutput { isSilent ? ToolOutput(to: { _ in }) : streams.output }

    func isSet(_ option: OptionDeclaration) -> Bool { parsed.isSet(option) }

    func text(_ option: OptionDeclaration) -> String? { parsed.text(option) }

    func text(_ argument: ArgumentDeclaration) -> String? { parsed.text(argument) }

    func texts(_ argument: ArgumentDeclaration) -> [String] { Array(parsed.texts(argument)) }

    /// The arguments of the command line.
    var words: [String] { parsed.positionals }

    // MARK: calls

    private func connection() throws(ClientFailure) -> ControlConnection {
        if let connection = link.connection { return connection }
        let connection = try ControlConnection(path: socket)
        link.connection = connection
        return connection
    }

    /// - Parameter file: a file whose descriptor is sent with the request.
    func call<Called: Command>(_ command: Called, file: OpenFile? = nil) throws(ToolFailure) -> Called.Reply {
        var command = command
        return try call(&command, file: file)
    }

    /// Calls a command. If a name in the command matches several feeds or episodes, or only a part of a title, the user is asked, and
    /// the chosen id replaces the name.
    ///
    /// - Parameter explain: a failure as the user should see it; nil for the usual text.
    func call<Called: Command>(
        _ command: inout Called, file: OpenFile? = nil, explain: (ClientFailure) -> ToolFailure? = { _ in nil }
    ) throws(ToolFailure) -> Called.Reply {
        while true {
            do throws(ClientFailure) {
                return try attempt(command, file: file)
            } catch {
                guard let chosen = try Choice.resolved(command, error, self) else {
                    throw explain(error) ?? failure(error, of: Called.self)
                }
                command = chosen
            }
        }
    }

    func attempt<Called: Command>(_ command: Called, file: OpenFile? = nil) throws(ClientFailure) -> Called.Reply {
        let answer = try answer(to: Request(id: nil, command), file, isLong: Called.isLong)
        guard let reply = Called.Reply(json: answer) else { throw .unreadable(Called.name) }
        return reply
    }

    /// A failed call as the user sees it. If one of several words is not a name, they may be a title that was not quoted.
    private func failure<Called: Command>(_ error: ClientFailure, of command: Called.Type) -> ToolFailure {
        var failure = ToolFailure(error)
        guard case .refused(let refusal) = error,
            parsed.positionals.count > max(1, parsed.subcommand?.arguments.count ?? 1),
            refusal.code == .notFound || !refusal.candidates.isEmpty,
            command.declaration.parameters.contains(where: { $0.kind.elements.first?.syntax == .what })
        else { return failure }
        let note = "each word is a separate name; quote a title of several words"
        failure.hint = failure.hint.map { "\($0); \(note)" } ?? note
        return failure
    }

    /// Sends a request once. During a long one the daemon's activities are shown if stderr is a terminal.
    private func answer(to request: Request, _ file: OpenFile?, isLong: Bool) throws(ClientFailure) -> JSONValue {
        let connection = try connection()
        if isLong { connection.timeout = nil }
        guard isLong, let live = progressLine else { return try connection.call(request, file: file) }
        defer { live.clear() }
        // Without permission to watch, nothing is shown.
        _ = try? connection.call(SubscribeStatus { $0.parts = [.activities] })
        var model = ClientModel()
        return try connection.call(request, file: file) { event in
            model.apply(event)
            live.show(model.activities.map(StatusText.activity).joinedText(" · "))
        }
    }

    /// Uses the connection itself, for events and settings.
    @discardableResult
    func withConnection<Value>(
        _ body: (ControlConnection) throws(ClientFailure) -> Value
    ) throws(ToolFailure) -> Value { try mapError(of: body(connection()), ToolFailure.init) }

    /// The next event of a connection that watches; nil at the deadline.
    func nextEvent(until deadline: Instant? = nil) throws(ToolFailure) -> ConnectionEvent? {
        try withConnection { (connection) throws(ClientFailure) in try connection.nextEvent(until: deadline) }
    }

    // MARK: output

    func heading(_ text: String) { output.line(terminal.styled(SafeText.line(text), .bold)) }

    /// Prints a line of text that may come from outside.
    func line(_ text: String) { output.line(SafeText.line(text)) }

    func lines(_ lines: [String]) { for line in lines { output.line(line) } }

    func date(_ instant: Timestamp) -> String { times.date(instant) }

    func time(_ instant: Timestamp) -> String { times.time(instant) }

    /// A time within running text, also if a program reads it.
    func timeInText(_ instant: Timestamp) -> String { ShownTime(offset: times.offset, isComplete: false).time(instant) }

    /// Prints rows in columns that fit the terminal, or separated by tabs without a terminal; `empty` if there are no rows.
    func table(_ columns: [ColumnLayout.Column], _ rows: [[String]], empty: String) {
        if rows.isEmpty { return nothing(empty) }
        let layout = ColumnLayout(columns)
        lines(
            isSpoken
                ? layout.sentences(rows)
                : isTerminal ? layout.lines(rows, width: terminal.width) : ColumnLayout.tabSeparated(rows))
    }

    /// Shows a reply that has no view: rows as a table with a column for each simple member, other members as `name: value`, a single
    /// member as its value.
    func showMembers(of reply: JSONValue, _ members: [ObjectMember]) {
        let rows = RowTemplate.rows(members)
        for member in members where member.name != rows?.name {
            let text = RowTemplate.text(reply[member.name], member.idForm)
            if members.count == 1 { line(text) } else { row("\(member.name):", text) }
        }
        guard let rows else { return }
        let simple = rows.members.filter { !$0.isList && $0.nested == nil }
        table(
            simple.enumerated().map { .init($1.name.uppercased(), minimum: 8, dropRank: $0) },
            (reply[rows.name]?.arrayValue ?? []).map { row in
                simple.map { RowTemplate.text(row[$0.name], $0.idForm) }
            }, empty: "no \(rows.name)")
    }

    /// Says that there is nothing to show: on stderr if a program reads the output.
    func nothing(_ text: String) { if isTerminal { output.line(text) } else { aside(text) } }

    /// Prints a line for people, not among the rows that a program reads: on stderr, and with `--quiet` not at all.
    func aside(_ text: String) { if !isQuiet { warn(text) } }

    /// Prints a line on stderr, also with `--quiet`.
    func warn(_ text: String) { streams.errors.line("podcastctl: \(SafeText.line(text))") }

    /// Says that a list continues: below the table, or on stderr if a program reads it.
    func more(_ text: String) {
        guard let width = terminal.width else { return aside(text) }
        output.line(terminal.styled(TextLayout.fitted(text, width: width), .dim))
    }

    /// Prints `name: value` if there is a value.
    func row(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        output.line("\(terminal.styled(name, .dim)) \(SafeText.line(value))")
    }

    func rows(_ rows: KeyValuePairs<String, String?>) { for (name, value) in rows { row(name, value) } }

    func report(_ failures: [FailureReply]) {
        if failures.isEmpty { return }
        // The end of the program reports a failure.
        try? output.flush()
        for failure in failures {
            let names = [failure.feed, failure.url].compactMap(\.self)
            let subject = names.count == 2 && names[0] != names[1] ? "\(names[0]) (\(names[1]))" : names.first
            ControlProgram.declaration.report(
                ToolFailure(failure.exitStatus, (subject.map { "\($0): " } ?? "") + failure.what, hint: failure.hint),
                to: streams)
        }
    }
}
