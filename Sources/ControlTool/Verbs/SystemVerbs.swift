internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation

extension ListOutputs: TableVerb {
    static let none = "no outputs"

    static let table: [TableColumn<OutputReply>] = [
        .init("NAME", cell: \.name),
        .init("STATE") { row, _ in row.isEnabled ? "enabled" : "disabled" },
        .init("KIND", minimum: 8, cell: \.specification),
    ]

    static func rows(of reply: OutputListReply) -> [OutputReply] { reply.outputs }

    /// `output show NAME`.
    static let only = OptionDeclaration("output", nil, "NAME", isHidden: true, help: "")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(only) }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let view = try line.connect()
        guard let name = line.parsed.text(only) else { return try answer(ListOutputs(), view) }
        var reply = try view.call(ListOutputs())
        reply.outputs.removeAll { $0.name != name }
        if reply.outputs.isEmpty {
            throw ToolFailure(
                .noInput, "no output matches '\(SafeText.line(name))'", hint: "see 'podcastctl outputs'")
        }
        return try finish(reply, view)
    }
}

extension EnableOutput: CommandVerb {
    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.completeFirst(.output) }

    static func show(_ reply: OutputReply, _ view: View) throws(ToolFailure) { try ListOutputs.showRows([reply], view) }
}

extension DisableOutput: CommandVerb {
    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.completeFirst(.output) }

    static func show(_ reply: OutputReply, _ view: View) throws(ToolFailure) { try ListOutputs.showRows([reply], view) }
}

extension ListSettings: TableVerb {
    static let key = ArgumentDeclaration(
        "KEY", .name(of: CompleteVerb.Kind.setting.rawValue), count: .optional,
        help: "Name of the setting (default: all).")
    static let value = ArgumentDeclaration(
        "VALUE", .name(of: CompleteVerb.Kind.settingValue.rawValue), count: .optional,
        help: "The new value; without it the setting is shown.")
    static let reset = OptionDeclaration(
        flag: "reset", help: "Reset KEY to the value of the config file, or to its default.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        (subcommand.options, subcommand.arguments) = ([reset], [key, value])
    }

    static var details: [String] {
        [
            "TAKES EFFECT: when a change does; 'waits for restart' means that it was changed and the daemon still uses the "
                + "former value."
        ]
    }

    /// Lists, shows, sets or resets: `settings [--reset] [KEY [VALUE]]`.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let isReset = line.parsed.isSet(reset)
        let value = line.parsed.text(value)
        guard let key = line.parsed.text(key) else {
            if isReset { throw ToolFailure(.usage, "--reset needs the KEY of a setting") }
            return try answer(ListSettings(), line.connect())
        }
        if isReset {
            if value != nil { throw ToolFailure(.usage, "--reset takes no VALUE") }
            return try ResetSetting.answer(ResetSetting { $0.key = key }, line.connect())
        }
        if let value { return try SetSetting.answer(SetSetting { ($0.key, $0.value) = (key, value) }, line.connect()) }
        return try GetSetting.answer(GetSetting { $0.key = key }, line.connect())
    }

    static let none = "no settings"

    static let table: [TableColumn<SettingReply>] = [
        .init("KEY", cell: \.key), .init("VALUE", minimum: 8, cell: \.value),
        .init("DEFAULT", minimum: 7, dropRank: 3, says: "default {}", cell: \.defaultValue),
        .init("ORIGIN", dropRank: 2, cell: \.origin),
        .init("TAKES EFFECT", dropRank: 1, says: "takes effect {}") { row, _ in
            row.isWaiting ? "waits for restart" : row.needsRestart ? "at restart" : "at once"
        },
        .init("MEANING", minimum: 12, dropRank: 4, cell: \.help),
    ]

    static func rows(of reply: SettingListReply) -> [SettingReply] { reply.settings }
}

/// A command about one setting, which is shown.
protocol SettingVerb: CommandVerb where Reply == SettingReply {}

extension SettingVerb {
    static func show(_ setting: SettingReply, _ view: View) throws(ToolFailure) {
        let facts = [
            "from \(setting.origin)", "default \(setting.defaultValue.isEmpty ? "empty" : setting.defaultValue)",
            setting.needsRestart ? "a change needs a restart" : "a change takes effect at once",
            setting.isClientSettable ? nil : "can only be set in the config file",
        ]
        try view.line("\(setting.key) = \(setting.value)")
        try view.line("  \(facts.compactMap { $0 }.joinedText(", "))")
        if setting.isWaiting { try view.line("  in use: \(setting.active)") }
        if let note = setting.note { try view.line("  note: \(note)") }
    }
}

extension GetSetting: SettingVerb {}
extension SetSetting: SettingVerb {}
extension ResetSetting: SettingVerb {}

extension ListActivities: CommandVerb {
    static func show(_ reply: ActivityListReply, _ view: View) throws(ToolFailure) {
        if reply.activities.isEmpty { return try view.nothing("no activity") }
        try view.lines(reply.activities.map(StatusText.activity))
    }
}

extension GetMetrics: CommandVerb {
    static func show(_ reply: MetricListReply, _ view: View) throws(ToolFailure) {
        try view.output.write(OpenMetrics.text(reply.metrics))
    }
}

extension BackUpLibrary: CommandVerb {
    static func show(_ reply: BackupReply, _ view: View) throws(ToolFailure) { try view.line(reply.path) }
}

extension RunChecks: CommandVerb {
    /// Also works without a daemon.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus { try Doctor(line).run() }

    static func show(_ reply: CheckListReply, _ view: View) throws(ToolFailure) {
        try view.lines(CheckText.lines(reply.checks, terminal: view.terminal))
    }
}

extension GetVersion: CommandVerb {
    /// Without a daemon, shows the version of podcastctl alone.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let declared = VersionReply.members + [ObjectMember("client", String.typeName, "")]
        try line.checkTemplate(declared)
        var server: VersionReply?
        var problem = ""
        do throws(ClientFailure) {
            server = try ControlConnection(path: line.socket).call(GetVersion())
        } catch {
            problem = ToolFailure(error).message
        }
        let members: [JSONValue.Member]
        if case .object(let all)? = server?.json { members = all } else { members = [.init("server", .null)] }
        let client = JSONValue.Member("client", .string(ProductVersion.current))
        if try !line.printForProgram(.object(members + [client]), declared) {
            try line.streams.output.line("podcastctl \(ProductVersion.current)")
            try line.streams.output.line(server.map(text) ?? "podcastd: \(SafeText.line(problem))")
        }
        return .success
    }

    private static func text(_ server: VersionReply) -> String {
        SafeText.line("\(server.server) \(server.version), protocol \(server.protocol)")
    }

    static func show(_ server: VersionReply, _ view: View) throws(ToolFailure) {
        try view.line(text(server))
    }
}
