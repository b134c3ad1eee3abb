public import ControlLanguage

extension CommandSection {
    public static let library = CommandSection(
        "library", [BackUpLibrary.self, GetStatistics.self, CompleteName.self])
}

/// Writes a copy of the library beside it.
public struct BackUpLibrary: Command {
    public static let form = CommandForm<BackupReply>(
        "library.backup", "Back up the library while the daemon runs.",
        result: "`path`: the copy, in a folder next to the library; `bytes`: its size", .admin, isLong: true,
        commandLine: CommandLineForm(
            ["backup"], group: "System",
            details: [
                "The copy is consistent. The newest five are kept. To restore one, stop the daemon, copy it over library.db, "
                    + "copy its .settings and .session files, if any, over settings and session, remove library.db-wal and "
                    + "library.db-shm if they exist, and start the daemon."
            ]))
    public init() {}
}
