public import ControlLanguage

extension CommandSection {
    public static let settings = CommandSection(
        "settings", [ListSettings.self, GetSetting.self, SetSetting.self, ResetSetting.self])
}

enum SettingsSection {
    fileprivate static let key = "The setting's name."
}

public struct ListSettings: Command {
    public static let form = CommandForm<SettingListReply>(
        "settings.list", "Show the settings, show one, or change one.", result: "`settings`: `Setting` objects", .read,
        commandLine: CommandLineForm(
            ["settings"], group: "System",
            details: [
                "Precedence: daemon's command line, then podcastctl settings, then config file, then default. "
                    + "Changes are permanent; 'undo' brings back the former value, --reset that of the config file."
            ]))
    public init() {}
}

public struct GetSetting: Command {
    public var key = ""

    public static let form = CommandForm<SettingReply>(
        "settings.get", "Show a setting.", result: "a `Setting` object", .read)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("key", &key, isRequired: true, help: SettingsSection.key)
    }
}

public struct SetSetting: Command {
    public var key = ""
    public var value = ""

    public static let form = CommandForm<SettingReply>(
        "settings.set", "Change a setting permanently.",
        result: "a `Setting` object; its `note` says when it takes effect, if not at once", .admin)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("key", &key, isRequired: true, help: SettingsSection.key)
        parameters.declare("value", &value, isRequired: true, help: "The new value.")
    }
}

/// Undoes what clients set.
public struct ResetSetting: Command {
    public var key = ""

    public static let form = CommandForm<SettingReply>(
        "settings.reset", "Restore the value of the config file, or the default.",
        result: "a `Setting` object", .admin, isDestructive: true)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("key", &key, isRequired: true, help: SettingsSection.key)
    }
}
