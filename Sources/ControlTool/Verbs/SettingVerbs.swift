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
        subcommand.arguments[1].isRequired = false
        subcommand.arguments[1].help = "Name of the setting (default: list all)."
        subcommand.arguments[2].kind = .string.offering(.feedValue)
        subcommand.arguments[2].help = "The new value; without it the setting is shown."
        subcommand.options.append(reset)
    }

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        let (feed, words) = words(view)
        let isReset = view.isSet(reset)
        if isReset, words.count != 1 {
            throw .usage("--reset needs the FEED and the KEY of a setting, and no VALUE")
        }
        let isChange = isReset || words.count > 1 && FeedSetting(rawValue: words[0]) != nil
        return try isChange ? read(view) : ListFeedSettings { $0.feed = feed }
    }

    /// A title may have several words, up to the name of a setting.
    fileprivate static func words(_ view: View) -> (feed: String, rest: [String]) {
        let words = view.words
        let place = words.indices.dropFirst().first { FeedSetting(rawValue: words[$0]) != nil } ?? 1
        return (words[..<place].map(\.self).joinedText(" "), Array(words[place...]))
    }

    mutating func complete(_ view: View) throws(ToolFailure) {
        let words: [String]
        (feed, words) = Self.words(view)
        key = words[0]
        value = words.count > 1 ? words.dropFirst().map(\.self).joinedText(" ") : nil
        if value == SecretInput.word, Self.secretKeys.contains(key) {
            value = try SecretInput.line(
                prompt: "\(key): ", ifEmpty: "use --reset to remove the password", on: view.streams.errors)
        }
    }
}

extension FeedSettingReply: OneLineReply {
    var line: String {
        if let value = FeedSetting.shown(value, of: key) { return "\(key) = \(value)" }
        if let current { return "\(key) reset to '\(current)'" }
        return key + (FeedSetting(rawValue: key)?.hasDefault == false ? " removed" : " reset to default")
    }
}

extension ListFeedSettings: TableVerb {
    static let none = "no settings"

    /// Shows all settings, or that of the KEY. Words that name no setting may belong to the title.
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let key = SetFeed.words(view).rest.first
        if let key, FeedSetting(rawValue: key) == nil {
            let title = view.words.joinedText(" ")
            guard let reply = try? view.attempt(Self { $0.feed = title }) else {
                throw .usage(
                    "unknown setting of a feed '\(SafeText.line(key))'",
                    hint: "the settings are \(FeedSetting.words.joinedText(", "))")
            }
            return try finish(reply, view)
        }
        var reply = try view.call(self)
        if let key { reply.settings.removeAll { $0.key != key } }
        return try finish(reply, view)
    }

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
        "KEY", .string.offering(.setting), isRequired: false,
        help: "Name of the setting (default: all).")
    static let value = ArgumentDeclaration(
        "VALUE", .string.offering(.settingValue), isRequired: false,
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
    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        let isReset = view.isSet(reset)
        let value = view.text(value)
        guard let key = view.text(key) else {
            if isReset { throw .usage("--reset needs the KEY of a setting") }
            return ListSettings()
        }
        if isReset {
            if value != nil { throw .usage("--reset takes no VALUE") }
            return ResetSetting { $0.key = key }
        }
        guard let value else { return GetSetting { $0.key = key } }
        return SetSetting {
            $0.key = key
            $0.value = value
        }
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
    func show(_ view: View) {
        let facts = [
            "from \(origin)", "default \(defaultValue.isEmpty ? "empty" : defaultValue)",
            needsRestart ? "a change needs a restart" : "a change takes effect at once",
            isClientSettable ? nil : "can only be set in the config file",
        ]
        view.line("\(key) = \(value)")
        view.line("  \(facts.compactMap(\.self).joinedText(", "))")
        if isWaiting { view.line("  in use: \(active)") }
        if let note { view.line("  note: \(note)") }
    }
}

extension GetSetting: CommandVerb {}
extension SetSetting: CommandVerb {}
extension ResetSetting: CommandVerb {}
