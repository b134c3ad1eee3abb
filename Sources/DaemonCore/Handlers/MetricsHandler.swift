internal import ControlProtocol
internal import Metrics
internal import SerialThreads

/// Answers `metrics`.
struct MetricsHandler: CommandHandler {
    let decisions: DecisionThread
    let board: MetricsBoard

    func answer(_ call: CommandCall) -> CommandAnswer {
        switch call.command(of: MetricsCommand.self) {
        case .get?: decisions.answer { [board] in MetricListReply(board.replies) }
        case .figures?: .reply(board.figures)
        case nil: .error(.unknownCommand(call.declaration.name))
        }
    }
}
