import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Synchronization
import Testing
import TestSupport

@Suite struct MetricsTests {
    private func metric(
        _ name: String, _ kind: String, unit: String? = nil, help: String = "", samples: [MetricSampleReply]
    ) -> MetricReply {
        var metric = MetricReply()
        (metric.name, metric.kind, metric.unit, metric.help, metric.samples) = (name, kind, unit, help, samples)
        return metric
    }

    @Test func theTextIsOpenMetrics() {
        let metrics = [
            metric(
                "podcastd_rebuffer_seconds", "counter", unit: "seconds", help: "Total time of these waits.",
                samples: [MetricSampleReply(1.5, suffix: "_total", labels: [.init("cause", "network")])]),
            metric("podcastd_queue_entries", "gauge", help: "Entries in the queue.", samples: [MetricSampleReply(3)]),
            metric(
                "podcastd_build", "info", help: "The program.",
                samples: [
                    MetricSampleReply(1, suffix: "_info", labels: [.init("version", "a\"b\\c\nd"), .init("x", "")])
                ]),
        ]
        expectEqual(
            OpenMetrics.text(metrics),
            """
            # TYPE podcastd_rebuffer_seconds counter
            # UNIT podcastd_rebuffer_seconds seconds
            # HELP podcastd_rebuffer_seconds Total time of these waits.
            podcastd_rebuffer_seconds_total{cause="network"} 1.5
            # TYPE podcastd_queue_entries gauge
            # HELP podcastd_queue_entries Entries in the queue.
            podcastd_queue_entries 3
            # TYPE podcastd_build info
            # HELP podcastd_build The program.
            podcastd_build_info{version="a\\"b\\\\c\\nd",x=""} 1
            # EOF

            """)
    }

    @Test func aMetricIsReadAsItWasWritten() {
        let list = MetricListReply([
            metric("podcastd_underruns", "counter", samples: [MetricSampleReply(7, suffix: "_total")])
        ])
        expectEqual(MetricListReply(json: list.json), list)
    }
}

/// Time that a test sets, and what a dispatcher reports.
private final class StubMeter: CommandMeter, Sendable {
    struct Report: Equatable {
        var duration: Duration
        var isFailure: Bool
    }
    private let state = Mutex((now: Instant(nanoseconds: 0), reports: [Report]()))
    var now: Instant { state.withLock { $0.now } }
    var reports: [Report] { state.withLock { $0.reports } }
    func advance(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }
    func answered(after duration: Duration, isFailure: Bool) {
        state.withLock { $0.reports.append(Report(duration: duration, isFailure: isFailure)) }
    }
}

/// Answers `pause` when the test says so, and `stop` at once.
private final class SlowHandler: CommandHandler, Sendable {
    let completions = Mutex<[CommandCompletion]>([])
    var answers: [AnsweredCommand] {
        [
            AnsweredCommand { (_: Stop, _) in .value([:]) },
            AnsweredCommand { [self] (_: Pause, _) in
                .later { completion in self.completions.withLock { $0.append(completion) } }
            },
        ]
    }
}

@Suite struct CommandMeterTests {
    private let meter = StubMeter()
    private let handler = SlowHandler()

    /// Says commands as a connection with the permission to control.
    private func say(_ lines: [String]) -> ControlSession {
        let host = ControlSession.Host(
            dispatcher: CommandDispatcher(handlers: [handler], version: "1", meters: ["playback": meter]),
            status: NoStatus(), deliver: { _, _, _ in })
        var session = ControlSession(
            caller: Caller(
                connection: ConnectionID(1), peer: PeerIdentity(process: 1, user: 1, group: 1), permission: .control))
        var output: [UInt8] = []
        for line in lines {
            Array(line.utf8).withUnsafeBytes { session.take(line: $0, host: host, sequence: 0, output: &output) }
        }
        return session
    }

    @Test func anAnswerAtOnceAndARefusalAreTold() {
        _ = say([
            #"{"jsonrpc":"2.0","id":1,"method":"playback.stop"}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"playback.stop","params":{"x":1}}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"no.such"}"#,
        ])
        expectEqual(
            meter.reports,
            [
                .init(duration: .zero, isFailure: false),
                .init(duration: .zero, isFailure: true),
            ])
    }

    @Test func aLateAnswerIsToldWithItsTime() throws {
        _ = say([#"{"jsonrpc":"2.0","id":1,"method":"playback.pause"}"#])
        #expect(meter.reports.isEmpty)
        meter.advance(.milliseconds(5))
        let completion = try #require(handler.completions.withLock { $0.popLast() })
        completion.finish(.failure(ControlError(.conflict, "nothing plays")))
        expectEqual(meter.reports, [.init(duration: .milliseconds(5), isFailure: true)])
    }
}

private struct NoStatus: StatusSource {
    func value(of part: StatusPart) -> JSONValue { .null }
}
