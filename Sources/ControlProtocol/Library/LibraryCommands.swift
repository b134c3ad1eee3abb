public import ControlLanguage

extension CommandSection {
    public static let library = CommandSection(
        "library", [BackUpLibrary.self, GetStatistics.self, CompleteName.self])
}

public struct BackUpLibrary: Command {
    public static let form = CommandForm<BackupReply>(
        "library.backup", "Back up the library while the daemon runs.", .admin, isLong: true, verb: "backup",
        details: [
            "The copy is consistent. The newest five are kept. To restore one, stop the daemon, copy it over library.db, "
                + "copy its .settings and .session files, if any, over settings and session, remove library.db-wal and "
                + "library.db-shm if they exist, and start the daemon."
        ])
    public init() {}
}

public struct BackupReply: ReplyObject {
    public var path = ""
    public var bytes: Int64 = 0

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("path", &path, isRequired: true, "The path of the copy, in a folder next to the library.")
        members.declare("bytes", &bytes)
    }
}
