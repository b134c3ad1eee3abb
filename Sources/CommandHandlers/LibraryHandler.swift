internal import ControlLanguage
internal import ControlProtocol
internal import SerialThreads

/// Answers `library`.
struct LibraryHandler: CommandHandler {
    let decisions: DecisionThread
    let backUp: @Sendable () async throws -> (path: String, bytes: Int64)
    let statistics: StatisticsHandler

    var answers: [AnsweredCommand] {
        LibrarySection.commands.answered(by: decisions.answer(writeBackup), decisions.answer(statistics.statistics))
    }

    private func writeBackup(_ request: BackUpLibrary) async throws -> BackupReply {
        let backup = try await backUp()
        return BackupReply(path: backup.path, bytes: backup.bytes)
    }
}
