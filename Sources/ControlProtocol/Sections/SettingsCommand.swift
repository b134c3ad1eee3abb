/// Settings.
public enum SettingsCommand: String, SectionCommands {
    /// Lists settings.
    case list
    /// Reads one.
    case get
    /// Changes one.
    case set
    /// Takes a change back.
    case reset

    /// The section.
    public static let section = CommandDeclaration.Section.settings

    /// The command's declaration. `list` stands for all of them on a command line: `settings [KEY [VALUE]]`.
    public var declaration: CommandDeclaration {
        let key = ParameterDeclaration("key", .string, isRequired: true, help: "The setting's name.")
        return switch self {
        case .list:
            declared(
                "Show the settings, show one, or change one.", result: "`settings`: `Setting` objects", .read,
                commandLine: CommandLineForm(
                    ["settings"], group: "System",
                    details: [
                        "The daemon's command line wins over what clients set, that over the config file, and that over the "
                            + "default. What clients set is kept; --reset takes it back."
                    ]))
        case .get:
            declared("Show a setting.", [key], result: "a `Setting` object", .read)
        case .set:
            declared(
                "Change a setting; it is kept.",
                [key, ParameterDeclaration("value", .string, isRequired: true, help: "Its value.")],
                result: "a `Setting` object; its `note` says when it takes effect, if not at once", .admin)
        case .reset:
            declared(
                "Take back what clients set; the config file's value holds again, or the default.", [key],
                result: "a `Setting` object", .admin)
        }
    }
}
