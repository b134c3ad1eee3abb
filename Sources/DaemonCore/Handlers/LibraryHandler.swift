internal import ControlLanguage
internal import ControlProtocol
internal import LibraryUpkeep
internal import SerialThreads

/// Answers `library`.
struct LibraryHandler: CommandHandler {
    let decisions: DecisionThread
    let backups: BackupService
    let statistics: StatisticsHandler

    var answers: [AnsweredCommand] {
        LibrarySection.commands.answered(by: decisions.answer(backUp), decisions.answer(statistics.statistics))
    }

    private func backUp(_ request: BackUpLibrary) async throws -> BackupReply {
        let backup = try await backups.write()
        return BackupReply(path: backup.path, bytes: backup.bytes)
    }
}
