internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

/// `set FEED [KEY [VALUE]]`: lists, shows, sets or resets a feed's own settings.
extension SetFeed: CommandVerb {
    private static let reset = OptionDeclaration(flag: "reset", help: "Reset KEY to its default.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.arguments[1].kind = .string.offering(.feedSetting)
        subcommand.arguments[1].count = .optional
        subcommand.arguments[1].help = "Name of the setting (default: list all)."
        subcommand.arguments[2].kind = .string.offering(.feedValue)
        subcommand.arguments[2].help = "The new value; without it the setting is shown."
        subcommand.options.append(reset)
    }

    static func members(_ view: View) -> [ObjectMember]? {
        isQuery(view) ? FeedSettingListReply.members : Reply.members
    }

    static func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let (feed, words) = words(view)
        if view.isSet(reset), words.count != 1 {
            throw ToolFailure(.usage, "--reset needs the FEED and the KEY of a setting, and no VALUE")
        }
        guard isQuery(view) else { return try run(command(view), view) }
        let key = words.first
        if let key, FeedSetting(rawValue: key) == nil {
            let title = view.parsed.positionals.map(\.self).joinedText(" ")
            if let reply = try? view.attempt(ListFeedSettings { $0.feed = title }) {
                return try ListFeedSettings.finish(reply, view)
            }
            throw ToolFailure(
                .usage, "unknown setting of a feed '\(SafeText.line(key))'",
                hint: "the settings are \(FeedSetting.words.joinedText(", "))")
        }
        var reply = try view.call(ListFeedSettings { $0.feed = feed })
        if let key { reply.settings.removeAll { $0.key != key } }
        return try ListFeedSettings.finish(reply, view)
    }

    static func isQuery(_ view: View) -> Bool {
        let words = words(view).rest
        return !view.isSet(reset) && (words.count < 2 || FeedSetting(rawValue: words[0]) == nil)
    }

    /// A title may have several words, up to the name of a setting.
    private static func words(_ view: View) -> (feed: String, rest: [String]) {
        let words = view.parsed.positionals
        let place = words.indices.dropFirst().first { FeedSetting(rawValue: words[$0]) != nil } ?? 1
        return (words[..<place].map(\.self).joinedText(" "), Array(words[place...]))
    }

    static func command(_ view: View) throws(ToolFailure) -> SetFeed {
        var command = try read(view)
        let (feed, words) = words(view)
        command.feed = feed
        command.key = words[0]
        command.value = words.count > 1 ? words.dropFirst().map(\.self).joinedText(" ") : nil
        if command.value == SecretInput.word, secretKeys.contains(command.key) {
            command.value = try SecretInput.line(
                prompt: "\(command.key): ", ifEmpty: "use --reset to remove the password", on: view.streams.errors)
        }
        return command
    }

    static func text(_ reply: FeedSettingReply) -> String? {
        if let value = FeedSetting.shown(reply.value, of: reply.key) { return "\(reply.key) = \(value)" }
        if let current = reply.current { return "\(reply.key) reset to '\(current)'" }
        return reply.key + (FeedSetting(rawValue: reply.key)?.hasDefault == false ? " removed" : " reset to default")
    }
}

extension ListFeedSettings: TableVerb {
    static let none = "no settings"

    static let table: [TableColumn<DeclaredFeedSettingReply>] = [
        .init("KEY") { $0.key },
        .init("VALUE", minimum: 8) {
            // Without a default nothing is set.
            let unset = FeedSetting(rawValue: $0.key)?.hasDefault == false ? $0.defaultMeaning : "default"
            return FeedSetting.shown($0.value, of: $0.key) ?? unset
        },
        .init("DEFAULT", minimum: 7, dropRank: 2) { $0.defaultMeaning },
        .init("MEANING", minimum: 12, dropRank: 1) { $0.help },
    ]

    static func rows(of reply: FeedSettingListReply) -> [DeclaredFeedSettingReply] { reply.settings }
}

extension FeedSetting {
    /// A value as people write it: a time as `0:20`.
    fileprivate static func shown(_ value: String?, of key: String) -> String? {
        guard FeedSetting(rawValue: key)?.kind.syntax == .duration, let seconds = value.flatMap(Int.init) else {
            return value
        }
        return "\(MediaTime(seconds: Double(seconds)))"
    }

    fileprivate var hasDefault: Bool { ![.username, .password, .loginHosts, .tags].contains(self) }
}

extension ListSettings: TableVerb {
    static let key = ArgumentDeclaration(
        "KEY", .string.offering(.setting), count: .optional,
        help: "Name of the setting (default: all).")
    static let value = ArgumentDeclaration(
        "VALUE", .string.offering(.settingValue), count: .optional,
        help: "The new value; without it the setting is shown.")
    static let reset = OptionDeclaration(
        flag: "reset", help: "Reset KEY to the value of the config file, or to its default.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.options = [reset]
        subcommand.arguments = [key, value]
    }

    static var details: [String] {
        [
            "TAKES EFFECT: when a change does; 'waits for restart' means that it was changed and the daemon still uses the "
                + "former value."
        ]
    }

    /// Lists, shows, sets or resets: `settings [--reset] [KEY [VALUE]]`.
    static func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let isReset = view.isSet(reset)
        let value = view.parsed.text(value)
        guard let key = view.parsed.text(key) else {
            if isReset { throw ToolFailure(.usage, "--reset needs the KEY of a setting") }
            return try run(ListSettings(), view)
        }
        if isReset {
            if value != nil { throw ToolFailure(.usage, "--reset takes no VALUE") }
            return try ResetSetting.run(ResetSetting { $0.key = key }, view)
        }
        if let value {
            return try SetSetting.run(
                SetSetting {
                    $0.key = key
                    $0.value = value
                }, view)
        }
        return try GetSetting.run(GetSetting { $0.key = key }, view)
    }

    static let none = "no settings"

    static let table: [TableColumn<SettingReply>] = [
        .init("KEY") { $0.key }, .init("VALUE", minimum: 8) { $0.value },
        .init("DEFAULT", minimum: 7, dropRank: 3, says: "default {}") { $0.defaultValue },
        .init("ORIGIN", dropRank: 2) { $0.origin },
        .init("TAKES EFFECT", dropRank: 1, says: "takes effect {}") {
            $0.isWaiting ? "waits for restart" : $0.needsRestart ? "at restart" : "at once"
        },
        .init("MEANING", minimum: 12, dropRank: 4) { $0.help },
    ]
}

extension SettingReply: ShownReply {
    func show(_ view: View) throws(ToolFailure) {
        let facts = [
            "from \(origin)", "default \(defaultValue.isEmpty ? "empty" : defaultValue)",
            needsRestart ? "a change needs a restart" : "a change takes effect at once",
            isClientSettable ? nil : "can only be set in the config file",
        ]
        try view.line("\(key) = \(value)")
        try view.line("  \(facts.compactMap(\.self).joinedText(", "))")
        if isWaiting { try view.line("  in use: \(active)") }
        if let note { try view.line("  note: \(note)") }
    }
}

extension GetSetting: CommandVerb {}
extension SetSetting: CommandVerb {}
extension ResetSetting: CommandVerb {}
