internal import ControlLanguage
internal import ControlProtocol
internal import SerialThreads

struct MetricsHandler: CommandHandler {
    let decisions: DecisionThread
    let metrics: @Sendable () -> MetricListReply

    var answers: [AnsweredCommand] { [decisions.answer(get)] }

    private func get(_ request: GetMetrics) async -> MetricListReply { metrics() }
}
