internal import ControlProtocol
internal import Library
internal import SerialThreads

/// Answers `library`.
struct LibraryHandler: CommandHandler {
    let decisions: DecisionThread
    let backups: BackupService

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: LibraryCommand.self) {
        case .backup?:
            return decisions.answer { [backups] in
                let backup = try await backups.write()
                return BackupReply(path: backup.path, bytes: backup.bytes)
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }
}
