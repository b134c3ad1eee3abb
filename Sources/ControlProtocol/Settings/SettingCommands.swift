public import ControlLanguage
public import PodcastModel

extension CommandSection {
    public static let settings = CommandSection(
        "settings", [ListSettings.self, GetSetting.self, SetSetting.self, ResetSetting.self])
}

enum SettingsSection {
    fileprivate static let key = "The setting's name."
}

public struct ListSettings: Command {
    public static let form = CommandForm<Self, SettingListReply>(
        Self(), "settings.list", "Show the settings, show one, or change one.", .read, verb: "settings",
        details: [
            "Precedence: daemon's command line, then podcastctl settings, then config file, then default. "
                + "Changes are permanent; 'undo' brings back the former value, --reset that of the config file."
        ])
}

public struct GetSetting: Command {
    public var key = ""

    public static let form = CommandForm<Self, SettingReply>(
        Self(), "settings.get", "Show a setting.", .read)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("key", &key, help: SettingsSection.key)
    }
}

public struct SetSetting: Command {
    public var key = ""
    public var value = ""

    public static let form = CommandForm<Self, SettingReply>(
        Self(), "settings.set", "Change a setting permanently.", .admin)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("key", &key, help: SettingsSection.key)
        parameters.require("value", &value, help: "The new value.")
    }
}

public struct ResetSetting: Command {
    public var key = ""

    public static let form = CommandForm<Self, SettingReply>(
        Self(), "settings.reset", "Restore the value of the config file, or the default.", .admin, isDestructive: true)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("key", &key, help: SettingsSection.key)
    }
}

public struct SettingReply: RowReply {
    public var key = ""
    public var label = ""
    public var value = ""
    public var active = ""
    public var defaultValue = ""
    public var origin = ""
    public var clientValue: String?
    public var needsRestart = false
    public var isWaiting = false
    public var isClientSettable = false
    public var note: String?
    public var help = ""
    public var kind = ValueKind.text

    public init() {}
    public static let rowsMember = "settings"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("key", &key, "Its name.")
        members.declare("label", &label, "Its name for people, without the section.")
        members.declare("value", &value, "The configured value.")
        members.declare(
            "active", &active, "The value in effect; differs while a change waits for a restart.")
        members.declare("default", &defaultValue, "The default.")
        members.declare("origin", &origin, "Where `value` comes from: default, config file, client or command line.")
        members.declare("clientValue", &clientValue, "The value set by clients, even if the command line overrides it.")
        members.declare("needsRestart", &needsRestart, "Whether a change needs a restart to take effect.")
        members.declare("isWaiting", &isWaiting, "Whether a change waits for a restart now.")
        members.declare("isClientSettable", &isClientSettable, "Whether `settings.set` may change it.")
        members.declare("note", &note, "When the configured value takes effect, if it is not in effect yet.")
        members.declare("help", &help, "What it does.")
        kind.declareMembers(&members)
    }
}

public typealias SettingListReply = ListReply<SettingReply>
