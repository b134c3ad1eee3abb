internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

/// `set FEED [KEY [VALUE]]`: lists, shows, sets or resets a feed's own settings.
extension SetFeed: CommandVerb {
    private static let reset = OptionDeclaration(flag: "reset", help: "Reset KEY to its default.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.arguments[1].kind = .name(of: CompleteVerb.Kind.feedSetting.rawValue)
        subcommand.arguments[1].count = .optional
        subcommand.arguments[1].help = "Name of the setting (default: list all)."
        subcommand.arguments[2].kind = .name(of: CompleteVerb.Kind.feedValue.rawValue)
        subcommand.arguments[2].help = "The new value; without it the setting is shown."
        subcommand.options.append(reset)
    }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let words = line.parsed.positionals
        let isReset = line.parsed.isSet(reset)
        if isReset, words.count != 2 {
            throw ToolFailure(.usage, "--reset needs the FEED and the KEY of a setting, and no VALUE")
        }
        if isReset || words.count > 2 { return try answer(command(line), line.connect()) }
        let key = words.count > 1 ? words[1] : nil
        if let key, FeedSetting(rawValue: key) == nil {
            throw ToolFailure(
                .usage, "unknown setting of a feed '\(SafeText.line(key))'",
                hint: "the settings are \(FeedSetting.allCases.map(\.rawValue).joinedText(", "))")
        }
        try line.checkTemplate(FeedSettingListReply.members)
        let view = try line.connect()
        var command = ListFeedSettings { $0.feed = words[0] }
        var reply = try view.call(settling: &command)
        if let key { reply.settings.removeAll { $0.key != key } }
        if try !line.printForProgram(reply.json, FeedSettingListReply.members) { try show(reply, view) }
        return .success
    }

    static func isQuery(_ line: CommandLineUse) -> Bool {
        line.parsed.positionals.count < 3 && !line.parsed.isSet(reset)
    }

    private static func show(_ reply: FeedSettingListReply, _ view: View) throws(ToolFailure) {
        try view.table(
            [
                .init("KEY"), .init("VALUE", minimum: 8), .init("DEFAULT", minimum: 7, dropRank: 2),
                .init("MEANING", minimum: 12, dropRank: 1),
            ],
            reply.settings.map { setting in
                // Without a default nothing is set.
                let unset = FeedSetting(rawValue: setting.key)?.hasDefault == false ? setting.defaultMeaning : "default"
                return [
                    setting.key, shown(setting.value, of: setting.key) ?? unset, setting.defaultMeaning, setting.help,
                ]
            },
            empty: "no settings")
    }

    /// A value as it is written: a time as `0:20`.
    private static func shown(_ value: String?, of key: String) -> String? {
        guard FeedSetting(rawValue: key)?.kind == .time, let seconds = value.flatMap(Int.init) else { return value }
        return "\(MediaTime(seconds: Double(seconds)))"
    }

    static func command(_ line: CommandLineUse) throws(ToolFailure) -> SetFeed {
        var command = try SetFeed(given: VerbSpelling.parameters(of: declaration, from: line.parsed))
        if command.value == SecretInput.word, secretKeys.contains(command.key) {
            command.value = try SecretInput.line(
                prompt: "\(command.key): ", ifEmpty: "use --reset to remove the password", on: line.streams.errors)
        }
        return command
    }

    static func show(_ reply: FeedSettingReply, _ view: View) throws(ToolFailure) {
        try view.line(
            reply.key
                + (shown(reply.value, of: reply.key).map { " = \($0)" } ?? reply.current.map { " reset to '\($0)'" }
                    ?? (FeedSetting(rawValue: reply.key)?.hasDefault == false ? " removed" : " reset to default")))
    }
}

extension FeedSetting {
    fileprivate var hasDefault: Bool { ![.username, .password, .loginHosts, .tags].contains(self) }
}
