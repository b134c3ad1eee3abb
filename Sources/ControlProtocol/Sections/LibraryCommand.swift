/// The library's file.
public enum LibraryCommand: String, SectionCommands {
    /// Writes a copy.
    case backup

    /// The section.
    public static let section = CommandDeclaration.Section.library
}
