internal import ControlLanguage
internal import ControlProtocol
internal import DaemonState
internal import SerialThreads

struct MetricsHandler: CommandHandler {
    let decisions: DecisionThread
    let board: MetricsBoard

    var answers: [AnsweredCommand] {
        [decisions.answer(get), .atOnce(figures)]
    }

    private func get(_ request: GetMetrics) async -> MetricListReply { MetricListReply(board.replies) }

    private func figures(_ request: GetFigures) -> FiguresReply { board.figures }
}
