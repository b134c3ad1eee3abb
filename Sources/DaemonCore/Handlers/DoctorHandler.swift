internal import ControlLanguage
internal import ControlProtocol
internal import Reporting

/// Answers `doctor`. The checks run on their own threads.
struct DoctorHandler: CommandHandler {
    let runner: CheckRunner

    var answers: [AnsweredCommand] { [.later(run)] }

    private func run(_ request: RunChecks, finish: @escaping @Sendable (CheckListReply) -> Void) {
        runner.run { findings in finish(CheckListReply(findings.map { CheckReply($0) })) }
    }
}
