internal import Activity
internal import CommandLineTool
internal import ControlProtocol
internal import ControlSocket
internal import EpisodeCache
internal import JSON
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import Synchronization
internal import SystemCalls

/// Gathers the figures of all parts. Reading them costs a system call or three; nobody counts for nobody's sake.
struct MetricsBoard: Sendable {
    let player: Player
    let playerWatch: PlayerWatch
    let decoders: MeteredDecoders
    let outputs: OutputSwitch
    let cache: EpisodeCache
    let refreshes: RefreshTally
    let queue: QueueService
    let activities: ActivityBoard
    let commands: [CommandDeclaration.Section: CommandTimes]
    let connections: ConnectionCounters
    let library: LibraryService
    let decisions: DecisionThread
    let startTime: Timestamp

    /// Every metric. Not for the server's thread: it looks into `/proc`.
    var replies: [MetricReply] { Metric.allCases.map { MetricReply($0, samples(of: $0)) } }

    private func samples(of metric: Metric) -> [MetricSampleReply] {
        switch metric {
        case .build:
            [MetricSampleReply(1, suffix: "_info", labels: [.init("version", .string(ProductVersion.current))])]
        case .underruns: [total(outputs.underruns)]
        case .rebuffers: rebuffers { Double($0.count) }
        case .rebufferTime: rebuffers { Double($0.nanoseconds) / 1e9 }
        case .bufferedTime: [MetricSampleReply(player.status.bufferSeconds)]
        case .decoderStarts: [total(decoders.starts.load(ordering: .relaxed))]
        case .decoderRestarts: [total(decoders.restarts.load(ordering: .relaxed))]
        case .decoderFailures: [total(decoders.failures.load(ordering: .relaxed))]
        case .refreshRuns: [total(refreshes.totals.runs)]
        case .refreshedFeeds: refreshedFeeds
        case .newEpisodes: [total(refreshes.totals.newEpisodes)]
        case .cacheOpens: cacheOpens
        case .cacheReusedBytes: [total(cache.statistics.reusedBytes)]
        case .cacheFetchedBytes: [total(cache.statistics.fetchedBytes)]
        case .queueEntries: [gauge(queue.extent.length)]
        case .activities: [gauge(activities.snapshot.count)]
        case .commandTime: commandTimes
        case .commandFailures:
            commandRows.map { total($1.failures.load(ordering: .relaxed), "section", $0.rawValue) }
        case .connections: [gauge(connections.values.open)]
        case .acceptedConnections: [total(connections.values.accepted)]
        case .refusedConnections: [total(connections.values.refused)]
        case .sentEvents: [total(connections.values.sentEvents)]
        case .droppedEvents: [total(connections.values.droppedEvents)]
        case .commitTime: histogram(library.commitTimes, [])
        case .waitingJobs:
            [
                MetricSampleReply(Double(decisions.waitingJobs), labels: [.init("thread", "decisions")]),
                MetricSampleReply(Double(library.waitingJobs), labels: [.init("thread", "library")]),
            ]
        case .processorTime: [MetricSampleReply(ProcessFigures.processorSeconds, suffix: "_total")]
        case .residentMemory: [gauge(ProcessFigures.residentBytes)]
        case .openDescriptors: [gauge(ProcessFigures.openDescriptors)]
        case .startTime: [MetricSampleReply(Double(startTime.milliseconds) / 1000)]
        }
    }

    private var commandRows: [(CommandDeclaration.Section, CommandTimes)] {
        CommandDeclaration.Section.allCases.compactMap { section in commands[section].map { (section, $0) } }
    }

    private var commandTimes: [MetricSampleReply] {
        commandRows.flatMap { histogram($1.durations, [.init("section", .string($0.rawValue))]) }
    }

    private var refreshedFeeds: [MetricSampleReply] {
        let totals = refreshes.totals
        return [
            total(totals.changed, "result", "changed"), total(totals.unchanged, "result", "unchanged"),
            total(totals.failed, "result", "failed"),
        ]
    }

    private var cacheOpens: [MetricSampleReply] {
        let statistics = cache.statistics
        return [
            total(statistics.complete, "found", "all"), total(statistics.partial, "found", "part"),
            total(statistics.missing, "found", "nothing"),
        ]
    }

    /// The waits of each cause so far.
    var waits: [(cause: RebufferLog.Cause, totals: RebufferLog.Totals)] {
        let (log, now) = (playerWatch.rebuffers, decisions.now)
        return RebufferLog.Cause.allCases.map { ($0, log.totals(of: $0, at: now)) }
    }

    private func rebuffers(_ value: (RebufferLog.Totals) -> Double) -> [MetricSampleReply] {
        waits.map { cause, totals in
            MetricSampleReply(value(totals), suffix: "_total", labels: [.init("cause", .string(cause.rawValue))])
        }
    }

    private func histogram(_ histogram: DurationHistogram, _ labels: [JSONValue.Member]) -> [MetricSampleReply] {
        let counts = histogram.cumulativeCounts
        let bounds = DurationHistogram.bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"]
        var samples = zip(bounds, counts).map { bound, count in
            MetricSampleReply(Double(count), suffix: "_bucket", labels: labels + [.init("le", .string(bound))])
        }
        samples.append(MetricSampleReply(Double(counts.last ?? 0), suffix: "_count", labels: labels))
        samples.append(MetricSampleReply(histogram.seconds, suffix: "_sum", labels: labels))
        return samples
    }

    private func gauge(_ value: Int) -> MetricSampleReply { MetricSampleReply(Double(value)) }

    private func total(_ value: some BinaryInteger) -> MetricSampleReply {
        MetricSampleReply(Double(value), suffix: "_total")
    }

    private func total(_ value: some BinaryInteger, _ label: String, _ word: String) -> MetricSampleReply {
        MetricSampleReply(Double(value), suffix: "_total", labels: [.init(label, .string(word))])
    }
}
