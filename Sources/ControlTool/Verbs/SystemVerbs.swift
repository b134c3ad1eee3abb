internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension ListOutputs: TableVerb {
    static let none = "no outputs"

    static let table: [TableColumn<OutputReply>] = [
        .init("NAME") { $0.name }, .init("STATE") { $0.isEnabled ? $0.phase.rawValue : "disabled" },
        .init("VOLUME", .right, says: "volume {} %") { "\($0.volume)" },
        .init("DELAY", .right, dropRank: 1, says: "delay {}") { row, view in
            row.delay == 0 && view.isSpoken ? "" : "\(row.delay) ms"
        },
        .init("FORMAT", dropRank: 2) { row, view in view.isSpoken ? "" : row.format ?? "" },
        .init("KIND", minimum: 8) { $0.specification },
        .init("REASON", minimum: 12) { $0.reason ?? ($0.isAtSpeedOne ? "plays at speed 1" : "") },
    ]
}

extension SetOutputVolume: CommandVerb {
    private static let output = ArgumentDeclaration("NAME", help: "")
    private static let level = ArgumentDeclaration("LEVEL", help: "Percentage: N, or +N / -N to change it.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.arguments = [subcommand.arguments[0], level]
    }

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        let (volume, change) = try SetVolume.level(view.text(level) ?? "")
        return SetOutputVolume {
            $0.name = view.text(output) ?? ""
            $0.volume = volume
            $0.change = change
        }
    }
}

extension AddOutput: CommandVerb {
    static let details = [
        "Without NAME and SPECIFICATION, lists devices that can be added, each with the line to type."
    ]

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        for index in subcommand.arguments.indices { subcommand.arguments[index].isRequired = false }
    }

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        if view.words.isEmpty { return FindOutputs() }
        guard view.words.count == 2 else {
            throw .usage(
                "an output needs a name and a specification", hint: "podcastctl output add kitchen pulse:DEVICE"
            )
        }
        return try read(view)
    }
}

extension FindOutputs: TableVerb {
    static let none = "no device found"

    static let table: [TableColumn<FoundOutput>] = [
        .init("DEVICE", minimum: 12) { $0.title },
        .init("COMMAND", minimum: 24) { row in
            row.output.map { "is the output \($0)" }
                ?? "podcastctl output add \(row.name) \(shellWord(row.specification))"
        },
    ]

    static func rows(of reply: FoundOutputsReply) -> [FoundOutput] { reply.found }

    static func show(_ reply: FoundOutputsReply, _ view: View) {
        showRows(reply.found, view)
        for failure in reply.failures { view.warn(failure) }
    }

    private static func shellWord(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || ":._-/@,=".contains($0) }
        return isPlain
            ? text
            : "'" + text.split(separator: "'", omittingEmptySubsequences: false).map(String.init).joinedText("'\\''")
                + "'"
    }
}

extension RemoveOutput: CommandVerb {
    static func text(_ reply: OutputReply) -> String? { "removed \(reply.name)" }
}

extension OutputReply: ShownReply {
    func show(_ view: View) { ListOutputs.showRows([self], view) }
}

extension ListSyncAccounts: TableVerb {
    static let none = "no accounts; see podcast-sync(1), in the package podcastd-web"

    /// `sync status` is the same as `sync`.
    private static let status = ArgumentDeclaration(
        "status", .choice(["status"]), isRequired: false, isRepeatable: true, help: "The default.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [status] }

    static let table: [TableColumn<SyncAccount>] = [
        .init("NAME") { $0.name }, .init("STATE") { $0.state.rawValue },
        .init("LAST") { row, times in row.lastSync.map { times.date($0) } ?? "never" },
        .init("RECEIVED", .right, dropRank: 2) { "\($0.received)" },
        .init("SENT", .right, dropRank: 2) { "\($0.sent)" },
        .init("SERVER", minimum: 12, dropRank: 1) { $0.server },
        .init("MESSAGE", minimum: 12) { row, times in
            let message = row.message ?? (row.state == .off ? "podcast-sync does not run" : "")
            return row.nextTry.map { "\(message); next attempt: \(times.date($0))" } ?? message
        },
    ]
}

extension Synchronize: CommandVerb {
    static func show(_ reply: SyncAccountListReply, _ view: View) throws(ToolFailure) {
        ListSyncAccounts.showRows(reply.rows, view)
        guard view.isQuiet else { return }
        for row in reply.rows where [.failed, .refused].contains(row.state) {
            view.streams.errors.line(SafeText.line("podcastctl: \(row.name): \(row.message ?? row.state.rawValue)"))
        }
        try view.streams.errors.flush()
    }

    static func status(of reply: SyncAccountListReply) -> ExitStatus { reply.status }
}

extension TrySynchronization: CommandVerb {
    static func show(_ reply: SyncAccountListReply, _ view: View) throws(ToolFailure) {
        view.lines(
            reply.rows.flatMap { row in
                ["\(row.name): \(row.message ?? row.state.rawValue)"] + row.details.map { "  \($0)" }
            })
    }

    static func status(of reply: SyncAccountListReply) -> ExitStatus { reply.status }
}

extension SyncAccountListReply {
    fileprivate var status: ExitStatus {
        if rows.contains(where: { $0.state == .failed }) { return .tryAgain }
        return rows.contains { $0.state == .refused } ? .noPermission : .success
    }
}

extension ListDevices: TableVerb {
    static let none = "no devices"

    static let table: [TableColumn<SyncDevice>] = [
        .init("NAME") { $0.name }, .init("CAPTION", dropRank: 2) { $0.caption },
        .init("TYPE", dropRank: 1) { $0.kind.rawValue },
        .init("SEEN") { row, times in times.date(row.lastContact) }, .init("ACTS", .right) { "\($0.acts)" },
    ]
}

extension PairDevice: CommandVerb {
    /// podcast-web knows its address and the user, and makes the password.
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let caption = Array(view.parsed.texts(ofArgument: "CAPTION")).joinedText(" ")
        let error = replaceProcess("podcast-web", ["--socket", view.socket, "--add-device", caption])
        throw ToolFailure(.unavailable, "cannot \(error)")
    }
}

extension RemoveDevice: CommandVerb {
    static func text(_ reply: SyncDevice) -> String? { "forgot \(reply.name)" }
}

extension ListActivities: CommandVerb {
    static func show(_ reply: ActivityListReply, _ view: View) {
        if reply.rows.isEmpty { return view.nothing("no activity") }
        view.lines(reply.rows.map(StatusText.activity))
    }
}

extension GetMetrics: CommandVerb {
    static func show(_ reply: MetricListReply, _ view: View) { view.output.write(OpenMetrics.text(reply.rows)) }
}

extension BackupReply: OneLineReply {
    var line: String { path }
}

extension RunChecks: CommandVerb {
    func run(_ view: View) throws(ToolFailure) -> ExitStatus { try Doctor(view: view).run() }
}

extension GetVersion: CommandVerb {
    static func members(_ view: View) -> [ObjectMember]? {
        VersionReply.members + [ObjectMember("client", String.typeName, "")]
    }

    /// Without a daemon, shows the version of podcastctl alone.
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        var server: VersionReply?
        var problem = ""
        do throws(ClientFailure) { server = try view.attempt(self) } catch {
            problem = ToolFailure(error).message
        }
        let members: [JSONValue.Member]
        if case .object(let all)? = server?.json { members = all } else { members = [.init("server", .null)] }
        let client = JSONValue.Member("client", ProductVersion.current)
        if !view.printForProgram(.object(members + [client]), Self.members(view)) {
            view.streams.output.line("podcastctl \(ProductVersion.current)")
            let text = server.map { "\($0.server) \($0.version), protocol \($0.protocol)" } ?? "podcastd: \(problem)"
            view.streams.output.line(SafeText.line(text))
        }
        return .success
    }
}

extension GetStatistics: TableVerb {
    private static let by = OptionDeclaration(
        "by", nil, "feed|month|year", .choice(["feed", "month", "year"]), help: "Rows of the table (default: feed).")

    static let none = "history is empty"

    static let table: [TableColumn<ListeningReply>] = [
        .init("NAME", minimum: 12) { $0.name },
        .init("HEARD", .right, says: "heard {}") { hours($0.heard) },
        .init("BY SPEED", .right, dropRank: 2, says: "saved {} by speed") { hours($0.savedBySpeed) },
        .init("BY SILENCE", .right, dropRank: 1, says: "saved {} by silence") {
            hours($0.savedBySilence)
        },
    ]

    static func rows(of reply: StatisticsReply) -> [ListeningReply] { reply.feeds }

    static let options = [by]

    /// The rows of `--format` are those of the table.
    static func members(_ view: View) -> [ObjectMember]? {
        let list = "\(view.text(by) ?? "feed")s"
        return Reply.members.map { member in
            var member = member
            if member.name == list { member.holdsRows = true }
            return member
        }
    }

    static func show(_ reply: StatisticsReply, _ view: View) {
        let rows =
            switch view.text(by) {
            case "month": reply.months
            case "year": reply.years
            case _: reply.feeds
            }
        showRows(rows, view)
        if view.isTerminal, !rows.isEmpty {
            let since = reply.since.map { " since \($0)" } ?? ""
            view.line(
                "heard \(hours(reply.total.heard))\(since); saved \(hours(reply.total.savedBySpeed)) by speed, "
                    + "\(hours(reply.total.savedBySilence)) by silence")
        }
    }

    /// `12 h 34 min` for people; programs read `--json`.
    private static func hours(_ time: MediaTime) -> String {
        let minutes = (time.milliseconds + 30_000) / 60_000
        if minutes == 0 { return time.milliseconds > 0 ? "under 1 min" : "0 min" }
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension ListCommands: CommandVerb {
    static let columns: [ColumnLayout.Column] = [
        .init("COMMAND", minimum: 24), .init("SUMMARY", minimum: 24),
    ]

    static let details = [
        "With --json, each command has its arguments and options. What the daemon's socket accepts is in "
            + "podcastd-protocol(7), and its command server.commands lists it."
    ]

    static func members(_ view: View) -> [ObjectMember]? { replyMembers }

    /// Lists what podcastctl accepts, which needs no daemon.
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let commands = Verb.all.filter { $0.subcommand.group != nil }
        if !view.printForProgram(["commands": .array(commands.map(Self.json))], Self.replyMembers) {
            view.table(Self.columns, commands.map { [$0.subcommand.synopsis, $0.subcommand.summary] }, empty: "")
        }
        return .success
    }

    // MARK: JSON

    private static let replyMembers = [
        ObjectMember("commands", "", "", isList: true) {
            ["name", "synopsis", "summary", "group", "call"].map { ObjectMember($0, String.typeName, "") }
                + ["details", "arguments", "options"].map { ObjectMember($0, JSONValue.typeName, "", isList: true) }
        }
    ]

    private static func json(_ verb: Verb) -> JSONValue {
        let command = verb.subcommand
        var call: String?
        if case .command(let type) = verb { call = type.name }
        return JSONValue(members: [
            "name": command.name, "synopsis": command.synopsis, "summary": command.summary, "group": command.group,
            "call": call, "details": command.details, "arguments": command.arguments.map(json),
            "options": command.options.filter { !$0.isHidden }.map(json),
        ])
    }

    private static func json(_ argument: ArgumentDeclaration) -> JSONValue {
        JSONValue(members: [
            "name": argument.name, "required": argument.isRequired, "repeatable": argument.isRepeatable,
            "choices": choices(argument.kind), "help": argument.help,
        ])
    }

    private static func json(_ option: OptionDeclaration) -> JSONValue {
        JSONValue(members: [
            "name": "--\(option.name)", "letter": option.letter.map { "-\($0)" }, "value": option.placeholder,
            "choices": choices(option.kind), "help": option.help,
        ])
    }

    private static func choices(_ kind: ValueKind) -> [String]? {
        kind.syntax == .choice ? kind.choices : nil
    }
}

extension HandOver: CommandVerb {
    static func text(_ reply: SyncAccount) -> String? { "\(reply.name) plays on" }
}
