internal import AudioOutput
internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import ControlSocket
internal import EpisodeCache
internal import JSON
internal import LibraryUpkeep
internal import LineServing
internal import Playback
internal import PodcastModel
internal import Queueing
internal import Reporting
internal import SerialThreads
internal import Synchronization
internal import SystemCalls

/// What metrics are read from.
struct MeasuredDaemon: Sendable {
    let parts: DaemonParts
    let commands: [(section: String, times: CommandTimes)]
    let startTime: Timestamp

    /// Every metric. Reads `/proc`, so not for the server's thread.
    var metrics: MetricListReply { MetricListReply(Metric.all.map { $0.reply(for: self) }) }

    fileprivate func waits(_ value: (RebufferLog.Totals) -> Double) -> [(label: String, value: Double)] {
        let log = parts.playerMeter.rebuffers
        return RebufferLog.Cause.allCases.map { ($0.rawValue, value(log.totals(of: $0, at: parts.decisions.now))) }
    }
}

/// A figure that the daemon keeps of itself, by the words of OpenMetrics 1.0. docs/METRICS.md is made from the rows.
struct Metric: Sendable {
    enum Kind: String {
        /// Rises from 0 at the daemon's start.
        case counter
        /// Goes up and down.
        case gauge
        /// Durations counted in buckets.
        case histogram
        /// Text about the daemon in labels.
        case info
    }

    private enum Reader: Sendable {
        case numbers(@Sendable (MeasuredDaemon) -> [(label: String, value: Double)])
        case durations(@Sendable (MeasuredDaemon) -> [(label: String, value: DurationHistogram)])
    }

    typealias Label = (name: String, help: String)

    /// The family's name, without the sample's ending. It ends in the unit.
    let name: String
    let kind: Kind
    /// The label by which its samples differ.
    let label: Label?
    let help: String
    private let reader: Reader

    private init(_ name: String, _ kind: Kind, _ label: Label?, _ help: String, _ reader: Reader) {
        (self.name, self.kind, self.label, self.help, self.reader) = (name, kind, label, help, reader)
    }

    private static func counter(
        _ name: String, by label: Label, _ help: String,
        _ read: @escaping @Sendable (MeasuredDaemon) -> [(label: String, value: Double)]
    ) -> Metric { Metric(name, .counter, label, help, .numbers(read)) }

    private static func counter(
        _ name: String, _ help: String,
        _ read: @escaping @Sendable (MeasuredDaemon) -> some BinaryInteger & SendableMetatype
    ) -> Metric { Metric(name, .counter, nil, help, .numbers { [("", Double(read($0)))] }) }

    private static func gauge(
        _ name: String, _ help: String, _ read: @escaping @Sendable (MeasuredDaemon) -> Int
    ) -> Metric { Metric(name, .gauge, nil, help, .numbers { [("", Double(read($0)))] }) }

    private static func seconds(
        _ name: String, _ kind: Kind, _ help: String, _ read: @escaping @Sendable (MeasuredDaemon) -> Double
    ) -> Metric { Metric(name, kind, nil, help, .numbers { [("", read($0))] }) }

    private static func durations(
        _ name: String, by label: Label? = nil, _ help: String,
        _ read: @escaping @Sendable (MeasuredDaemon) -> [(label: String, value: DurationHistogram)]
    ) -> Metric { Metric(name, .histogram, label, help, .durations(read)) }

    // MARK: the table

    static var all: [Metric] { playing + refreshing + serving + process }

    private static var playing: [Metric] {
        let cause = ("cause", "network, decoder or output: what playback waited for")
        return [
            Metric(
                "podcastd_build", .info, ("version", "the program's version"), "The program.",
                .numbers { _ in [(ProductVersion.current, 1)] }),
            counter("podcastd_underruns", "Times the sound device ran dry while it played.") {
                $0.parts.media.outputs.underruns
            },
            counter("podcastd_rebuffers", by: cause, "Times playback stopped to wait for audio, not counting seeks.") {
                $0.waits { Double($0.count) }
            },
            counter("podcastd_rebuffer_seconds", by: cause, "Total time of these waits.") {
                $0.waits { $0.duration.inSeconds }
            },
            seconds("podcastd_buffered_seconds", .gauge, "Decoded audio ahead of the playhead.") {
                $0.parts.player.status.bufferSeconds
            },
            counter("podcastd_decoder_starts", "Decoders started for an episode.") {
                $0.parts.media.decoders.starts.load(ordering: .relaxed)
            },
            counter("podcastd_decoder_restarts", "Decoder processes that crashed or hung and were restarted.") {
                $0.parts.media.decoders.restarts.load(ordering: .relaxed)
            },
            counter("podcastd_decoder_failures", "Episodes that could not be decoded completely.") {
                $0.parts.media.decoders.failures.load(ordering: .relaxed)
            },
        ]
    }

    private static var refreshing: [Metric] {
        [
            counter("podcastd_refresh_runs", "Finished refreshes, including those started by cron or timers.") {
                $0.parts.refreshes.totals.runs
            },
            counter(
                "podcastd_refreshed_feeds", by: ("result", "changed, unchanged or failed"),
                "Refreshed feeds, by result."
            ) {
                let totals = $0.parts.refreshes.totals
                return [
                    ("changed", Double(totals.changed)), ("unchanged", Double(totals.unchanged)),
                    ("failed", Double(totals.failed)),
                ]
            },
            counter("podcastd_new_episodes", "New episodes found by refreshes.") {
                $0.parts.refreshes.totals.newEpisodes
            },
            counter(
                "podcastd_cache_opens", by: ("found", "all, part or nothing: how much was in the cache"),
                "Episodes opened."
            ) {
                let cache = $0.parts.media.cache.statistics
                return [
                    ("all", Double(cache.complete)), ("part", Double(cache.partial)),
                    ("nothing", Double(cache.missing)),
                ]
            },
            counter("podcastd_cache_reused_bytes", "Bytes that were in the cache when an episode was opened.") {
                $0.parts.media.cache.statistics.reusedBytes
            },
            counter("podcastd_cache_fetched_bytes", "Bytes of episodes fetched over the network.") {
                $0.parts.media.cache.statistics.fetchedBytes
            },
        ]
    }

    private static var serving: [Metric] {
        let section = ("section", "the part of the command's name before the dot")
        return [
            gauge("podcastd_queue_entries", "Entries in the queue.") { $0.parts.queue.extent.length },
            gauge("podcastd_activities", "Activities in progress.") { $0.parts.activities.snapshot.count },
            durations("podcastd_command_seconds", by: section, "Time from a command to its answer.") {
                $0.commands.map { ($0.section, $0.times.durations) }
            },
            counter("podcastd_command_failures", by: section, "Commands answered with an error.") {
                $0.commands.map { ($0.section, Double($0.times.failures.load(ordering: .relaxed))) }
            },
            gauge("podcastd_connections", "Open connections to the control socket.") {
                $0.parts.connections.values.open
            },
            counter("podcastd_accepted_connections", "Accepted connections.") {
                $0.parts.connections.values.accepted
            },
            counter(
                "podcastd_refused_connections", "Connections refused for lack of permission or because of a limit."
            ) { $0.parts.connections.values.refused },
            counter("podcastd_sent_events", "Events sent to clients.") { $0.parts.events.sent },
            counter(
                "podcastd_dropped_events", "Events not sent because a client reads slowly; it gets the newest value."
            ) { $0.parts.events.dropped },
            durations("podcastd_library_commit_seconds", "Duration of commits to the library.") {
                [("", $0.parts.commitTimes)]
            },
            Metric(
                "podcastd_waiting_jobs", .gauge, ("thread", "decisions or library"), "Jobs that wait for a thread.",
                .numbers {
                    [
                        ("decisions", Double($0.parts.decisions.waitingJobs)),
                        ("library", Double($0.parts.library.waitingJobs)),
                    ]
                }),
        ]
    }

    private static var process: [Metric] {
        [
            seconds("process_cpu_seconds", .counter, "Processor time of the daemon, without other processes.") { _ in
                ProcessFigures.processorTime.inSeconds
            },
            gauge("process_resident_memory_bytes", "Resident memory of the daemon.") { _ in
                ProcessFigures.residentBytes
            },
            gauge("process_open_fds", "Open file descriptors.") { _ in ProcessFigures.openDescriptors },
            seconds("process_start_time_seconds", .gauge, "Start time of the daemon, in seconds since 1970.") {
                Double($0.startTime.milliseconds) / 1000
            },
        ]
    }

    // MARK: samples

    fileprivate func reply(for daemon: MeasuredDaemon) -> MetricReply {
        var reply = MetricReply()
        (reply.name, reply.kind, reply.help) = (name, kind.rawValue, help)
        reply.unit = ["seconds", "bytes"].first { name.hasSuffix("_\($0)") }
        switch reader {
        case .numbers(let read):
            let suffix =
                switch kind {
                case .counter: "_total"
                case .info: "_info"
                case .gauge, .histogram: ""
                }
            reply.samples = read(daemon).map { MetricSampleReply($0.value, suffix: suffix, labels: labels($0.label)) }
        case .durations(let read): reply.samples = read(daemon).flatMap { samples($0.value, labels($0.label)) }
        }
        return reply
    }

    private func labels(_ value: String) -> [JSONValue.Member] { label.map { [.init($0.name, .string(value))] } ?? [] }

    private func samples(_ histogram: DurationHistogram, _ labels: [JSONValue.Member]) -> [MetricSampleReply] {
        let counts = histogram.cumulativeCounts
        let bounds = DurationHistogram.bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"]
        return zip(bounds, counts).map { bound, count in
            MetricSampleReply(Double(count), suffix: "_bucket", labels: labels + [.init("le", .string(bound))])
        } + [
            MetricSampleReply(Double(counts.last ?? 0), suffix: "_count", labels: labels),
            MetricSampleReply(histogram.seconds, suffix: "_sum", labels: labels),
        ]
    }

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
        `podcastctl metrics --json` and the command `metrics.get` return the same values as JSON. Counters and histograms start at
        0 with the daemon. As in OpenMetrics, the samples of a counter end in `_total`, those of a histogram in `_bucket`,
        `_count` and `_sum`, and those of an info in `_info`; names end in their unit.

        | name | type | label | meaning |
        |---|---|---|---|

        """
}
