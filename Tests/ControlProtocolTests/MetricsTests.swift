import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
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
