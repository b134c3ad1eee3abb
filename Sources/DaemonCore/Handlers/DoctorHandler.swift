internal import ControlProtocol

/// Answers `doctor`. Nothing of it happens on the server's thread or the one that decides.
struct DoctorHandler: CommandHandler {
    let rounds: CheckRounds

    var answers: [AnsweredCommand] { DoctorSection.commands.answered(by: .later(run)) }

    private func run(_ request: RunChecks, finish: @escaping @Sendable (CheckListReply) -> Void) {
        rounds.run { finish(CheckListReply($0)) }
    }
}
