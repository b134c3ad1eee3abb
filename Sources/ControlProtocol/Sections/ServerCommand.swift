/// The server itself.
public enum ServerCommand: String, SectionCommands {
    /// Lists all declarations.
    case commands
    /// Tells who answers.
    case version

    /// The section.
    public static let section = CommandDeclaration.Section.server
}

/// This connection.
public enum SessionCommand: String, SectionCommands {
    /// Gives permissions up for good.
    case restrict
    /// Calls one command with less permission.
    case `as`

    /// The section.
    public static let section = CommandDeclaration.Section.session
}
