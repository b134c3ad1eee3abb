/// The library's file.
public enum LibraryCommand: String, SectionCommands {
    /// Writes a copy.
    case backup

    /// The section.
    public static let section = CommandDeclaration.Section.library

    /// The command's declaration.
    public var declaration: CommandDeclaration {
        switch self {
        case .backup:
            declared(
                "Write a copy of the library beside it, while everything goes on.",
                result: "`path`: the copy, below the folder of the library; `bytes`: its size", .admin, isLong: true,
                commandLine: CommandLineForm(
                    ["backup"], group: "System",
                    details: [
                        "The copy has the library as it is at one instant. The last five are kept. To go back to one, stop the "
                            + "daemon, copy it over library.db, remove library.db-wal and library.db-shm if they are there, "
                            + "and start the daemon."
                    ]))
        }
    }
}
