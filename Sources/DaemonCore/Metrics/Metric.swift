internal import AudioOutput
internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import EpisodeCache
internal import JSON
internal import LineServing
internal import Playback
internal import PodcastModel
internal import Reporting
internal import SerialThreads
internal import SystemCalls

/// A figure that the daemon keeps of itself, by the words of OpenMetrics 1.0. docs/METRICS.md is made from the rows.
struct Metric {
    enum Kind: String {
        /// Rises from 0 at the daemon's start.
        case counter
        /// Goes up and down.
        case gauge
        /// Text about the daemon in labels.
        case info

        /// How the names of its samples end.
        fileprivate var suffix: String {
            switch self {
            case .counter: "_total"
            case .gauge: ""
            case .info: "_info"
            }
        }
    }

    typealias Label = (name: String, help: String)

    /// The family's name, without the sample's ending. It ends in the unit.
    let name: String
    let kind: Kind
    /// The label by which its samples differ.
    let label: Label?
    let help: String
    private let read: @Sendable (DaemonParts) -> [(label: String, value: Double)]

    private init(
        _ kind: Kind, _ name: String, by label: Label?, _ help: String,
        _ read: @escaping @Sendable (DaemonParts) -> [(label: String, value: Double)]
    ) {
        self.name = name
        self.kind = kind
        self.label = label
        self.help = help
        self.read = read
    }

    private init(_ kind: Kind, _ name: String, _ help: String, _ read: @escaping @Sendable (DaemonParts) -> Double) {
        self.init(kind, name, by: nil, help) { [("", read($0))] }
    }

    private init<Count: BinaryInteger & SendableMetatype>(
        _ kind: Kind, _ name: String, _ help: String, _ read: @escaping @Sendable (DaemonParts) -> Count
    ) { self.init(kind, name, help) { Double(read($0)) } }

    /// Every metric. Reads `/proc`, so not for the server's thread.
    static func list(of daemon: DaemonParts) -> MetricListReply {
        MetricListReply(
            all.map { metric in
                var reply = MetricReply()
                reply.name = metric.name
                reply.kind = metric.kind.rawValue
                reply.help = metric.help
                reply.unit = ["seconds", "bytes"].first { metric.name.hasSuffix("_\($0)") }
                reply.samples = metric.read(daemon).map { value in
                    let labels = metric.label.map { [JSONValue.Member($0.name, .string(value.label))] } ?? []
                    return MetricSampleReply(value.value, suffix: metric.kind.suffix, labels: labels)
                }
                return reply
            })
    }

    private static func waits(
        _ daemon: DaemonParts, _ value: (RebufferLog.Totals) -> Double
    ) -> [(label: String, value: Double)] {
        let log = daemon.playerMeter.rebuffers
        return RebufferLog.Cause.allCases.map { ($0.rawValue, value(log.totals(of: $0, at: daemon.decisions.now))) }
    }

    private static let cause = ("cause", "network, decoder or output: what playback waited for")

    static let all: [Metric] = [
        Metric(.info, "podcastd_build", by: ("version", "the program's version"), "The program.") { _ in
            [(ProductVersion.current, 1)]
        },
        Metric(
            .counter, "podcastd_underruns", "Times the sound device ran dry while it played.", \.media.outputs.underruns
        ),
        Metric(
            .counter, "podcastd_rebuffers", by: cause, "Times playback stopped to wait for audio, not counting seeks."
        ) { waits($0) { Double($0.count) } },
        Metric(.counter, "podcastd_rebuffer_seconds", by: cause, "Total time of these waits.") {
            waits($0) { $0.duration.inSeconds }
        },
        Metric(
            .gauge, "podcastd_buffered_seconds", "Decoded audio ahead of the playhead.", \.player.status.bufferSeconds),
        Metric(.counter, "podcastd_decoder_starts", "Decoders started for an episode.", \.media.decoders.counts.starts),
        Metric(
            .counter, "podcastd_decoder_restarts", "Decoder processes that crashed or hung and were restarted.",
            \.media.decoders.counts.restarts),
        Metric(
            .counter, "podcastd_decoder_failures", "Episodes that could not be decoded completely.",
            \.media.decoders.counts.failures),
        Metric(
            .counter, "podcastd_refresh_runs", "Finished refreshes, including those started by cron or timers.",
            \.refreshes.runs),
        Metric(
            .counter, "podcastd_refreshed_feeds", by: ("result", "changed, unchanged or failed"),
            "Refreshed feeds, by result."
        ) {
            let totals = $0.refreshes.totals
            return [
                ("changed", Double(totals.changed)), ("unchanged", Double(totals.unchanged)),
                ("failed", Double(totals.failed)),
            ]
        },
        Metric(.counter, "podcastd_new_episodes", "New episodes found by refreshes.", \.refreshes.totals.newEpisodes),
        Metric(
            .counter, "podcastd_cache_opens", by: ("found", "all, part or nothing: how much was in the cache"),
            "Episodes opened."
        ) {
            let cache = $0.media.cache.statistics
            return [
                ("all", Double(cache.complete)), ("part", Double(cache.partial)), ("nothing", Double(cache.missing)),
            ]
        },
        Metric(
            .counter, "podcastd_cache_reused_bytes", "Bytes that were in the cache when an episode was opened.",
            \.media.cache.statistics.reusedBytes),
        Metric(
            .counter, "podcastd_cache_fetched_bytes", "Bytes of episodes fetched over the network.",
            \.media.cache.statistics.fetchedBytes),
        Metric(.gauge, "podcastd_queue_entries", "Entries in the queue.", \.queue.extent.length),
        Metric(.gauge, "podcastd_activities", "Activities in progress.", \.activities.snapshot.count),
        Metric(.gauge, "podcastd_connections", "Open connections to the control socket.", \.connections.values.open),
        Metric(.counter, "podcastd_accepted_connections", "Accepted connections.", \.connections.values.accepted),
        Metric(
            .counter, "podcastd_refused_connections",
            "Connections refused for lack of permission or because of a limit.", \.connections.values.refused),
        Metric(.counter, "podcastd_sent_events", "Events sent to clients.", \.connections.values.sentEvents),
        Metric(
            .counter, "podcastd_dropped_events",
            "Events not sent because a client reads slowly; it gets the newest value.",
            \.connections.values.droppedEvents),
        Metric(.gauge, "podcastd_waiting_jobs", by: ("thread", "decisions or library"), "Jobs that wait for a thread.")
        { [("decisions", Double($0.decisions.waitingJobs)), ("library", Double($0.library.waitingJobs))] },
        Metric(.counter, "process_cpu_seconds", "Processor time of the daemon, without other processes.") { _ in
            ProcessFigures.processorTime.inSeconds
        },
        Metric(.gauge, "process_resident_memory_bytes", "Resident memory of the daemon.") { _ in
            Double(ProcessFigures.residentBytes)
        },
        Metric(.gauge, "process_open_fds", "Open file descriptors.") { _ in Double(ProcessFigures.openDescriptors) },
        Metric(.gauge, "process_start_time_seconds", "Start time of the daemon, in seconds since 1970.") {
            Double($0.startTime.milliseconds) / 1000
        },
    ]

    /// docs/METRICS.md.
    static var manual: String {
        all.reduce(into: introduction) { text, metric in
            let label = metric.label.map { "`\($0.name)`: \($0.help)" } ?? ""
            text += "| `\(metric.name)` | \(metric.kind.rawValue) | \(label) | \(metric.help) |\n"
        }
    }

    private static let introduction = """
        # Metrics

        `podcastctl metrics` prints metrics in OpenMetrics format, for example for the text file collector of a monitoring system.
        `podcastctl metrics --json` and the command `metrics.get` return the same values as JSON. Counters start at
        0 with the daemon. As in OpenMetrics, the samples of a counter end in `_total`, and those of an info in `_info`;
        names end in their unit.

        | name | type | label | meaning |
        |---|---|---|---|

        """
}
