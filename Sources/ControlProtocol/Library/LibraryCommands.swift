public import ControlLanguage

extension CommandSection {
    /// The library's file.
    public static let library = CommandSection("library") { LibrarySection.commands.types }
}

public enum LibrarySection {
    public static let commands = CommandList(BackUpLibrary.self)
}

/// Writes a copy of the library beside it.
public struct BackUpLibrary: Command {
    public static let form = CommandForm<BackupReply>(
        "library.backup", "Write a copy of the library beside it, while everything goes on.",
        result: "`path`: the copy, below the folder of the library; `bytes`: its size", .admin, isLong: true,
        commandLine: CommandLineForm(
            ["backup"], group: "System",
            details: [
                "The copy has the library as it is at one instant. The last five are kept. To go back to one, stop the "
                    + "daemon, copy it over library.db, remove library.db-wal and library.db-shm if they are there, "
                    + "and start the daemon."
            ]))
    public init() {}
}
