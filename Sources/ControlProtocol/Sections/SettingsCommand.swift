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
}
