public import ControlLanguage

extension CommandSection {
    public static let settings = CommandSection("settings") { SettingsSection.commands.types }
}

public enum SettingsSection {
    public static let commands = CommandList(
        ListSettings.self, GetSetting.self, SetSetting.self, ResetSetting.self)

    fileprivate static let key = "The setting's name."
}

public struct ListSettings: Command {
    public static let form = CommandForm<SettingListReply>(
        "settings.list", "Show the settings, show one, or change one.", result: "`settings`: `Setting` objects", .read,
        commandLine: CommandLineForm(
            ["settings"], group: "System",
            details: [
                "The daemon's command line wins over what clients set, that over the config file, and that over the "
                    + "default. What clients set is kept; --reset takes it back."
            ]))
    public init() {}
}

/// Shows a setting.
public struct GetSetting: Command {
    /// Its name.
    public var key = ""

    public static let form = CommandForm<SettingReply>(
        "settings.get", "Show a setting.", result: "a `Setting` object", .read)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("key", &key, isRequired: true, help: SettingsSection.key)
    }
}

/// Changes a setting.
public struct SetSetting: Command {
    /// Its name.
    public var key = ""
    public var value = ""

    public static let form = CommandForm<SettingReply>(
        "settings.set", "Change a setting; it is kept.",
        result: "a `Setting` object; its `note` says when it takes effect, if not at once", .admin)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("key", &key, isRequired: true, help: SettingsSection.key)
        parameters.declare("value", &value, isRequired: true, help: "Its value.")
    }
}

/// Undoes what clients set.
public struct ResetSetting: Command {
    /// The setting's name.
    public var key = ""

    public static let form = CommandForm<SettingReply>(
        "settings.reset", "Take back what clients set; the config file's value holds again, or the default.",
        result: "a `Setting` object", .admin)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("key", &key, isRequired: true, help: SettingsSection.key)
    }
}
