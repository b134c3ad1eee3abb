public import ControlProtocol
internal import JSON
public import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Makes metrics of the figures of all parts. Figures are computed on request; it takes two or three system calls.
public struct MetricsBoard: Sendable {
    let playerWatch: PlayerWatch
    let decoders: MeteredDecoders
    let refreshes: RefreshTally
    let commands: [(section: String, times: CommandTimes)]
    let commits: DurationHistogram
    let version: String
    let startTime: Timestamp
    let parts: @Sendable () -> PartReadings

    /// - Parameters:
    ///   - playerWatch: counts the player's waits.
    ///   - decoders: counts decoder sessions.
    ///   - refreshes: sums up refreshes.
    ///   - commands: times the commands of each section.
    ///   - commits: times the library's commits.
    ///   - version: the product's version.
    ///   - startTime: the daemon's start.
    ///   - parts: reads the figures of all other parts; from any thread, without a system call.
    public init(
        playerWatch: PlayerWatch, decoders: MeteredDecoders, refreshes: RefreshTally,
        commands: [(section: String, times: CommandTimes)], commits: DurationHistogram, version: String,
        startTime: Timestamp, parts: @escaping @Sendable () -> PartReadings
    ) {
        self.playerWatch = playerWatch
        self.decoders = decoders
        self.refreshes = refreshes
        self.commands = commands
        self.commits = commits
        self.version = version
        self.startTime = startTime
        self.parts = parts
    }

    /// Every metric. Not for the server's thread, because it reads `/proc`.
    public var replies: [MetricReply] {
        let parts = parts()
        return Metric.allCases.map { MetricReply($0, samples(of: $0, parts)) }
    }

    private func samples(of metric: Metric, _ parts: PartReadings) -> [MetricSampleReply] {
        switch metric {
        case .build:
            [MetricSampleReply(1, suffix: "_info", labels: [.init("version", .string(version))])]
        case .underruns: [total(parts.underruns)]
        case .rebuffers: rebuffers(at: parts.instant) { Double($0.count) }
        case .rebufferTime: rebuffers(at: parts.instant) { $0.duration.inSeconds }
        case .bufferedTime: [MetricSampleReply(parts.bufferedSeconds)]
        case .decoderStarts: [total(decoders.starts.load(ordering: .relaxed))]
        case .decoderRestarts: [total(decoders.restarts.load(ordering: .relaxed))]
        case .decoderFailures: [total(decoders.failures.load(ordering: .relaxed))]
        case .refreshRuns: [total(refreshes.totals.runs)]
        case .refreshedFeeds: refreshedFeeds
        case .newEpisodes: [total(refreshes.totals.newEpisodes)]
        case .cacheOpens: opens(parts.cache)
        case .cacheReusedBytes: [total(parts.cache.reusedBytes)]
        case .cacheFetchedBytes: [total(parts.cache.fetchedBytes)]
        case .queueEntries: [gauge(parts.queueEntries)]
        case .activities: [gauge(parts.activities)]
        case .commandTime: commandTimes
        case .commandFailures:
            commands.map { total($0.times.failures.load(ordering: .relaxed), "section", $0.section) }
        case .connections: [gauge(parts.connections.open)]
        case .acceptedConnections: [total(parts.connections.accepted)]
        case .refusedConnections: [total(parts.connections.refused)]
        case .sentEvents: [total(parts.connections.sentEvents)]
        case .droppedEvents: [total(parts.connections.droppedEvents)]
        case .commitTime: histogram(commits, [])
        case .waitingJobs:
            parts.waitingJobs.map { MetricSampleReply(Double($0.jobs), labels: [.init("thread", .string($0.thread))]) }
        case .processorTime: [MetricSampleReply(ProcessFigures.processorTime.inSeconds, suffix: "_total")]
        case .residentMemory: [gauge(ProcessFigures.residentBytes)]
        case .openDescriptors: [gauge(ProcessFigures.openDescriptors)]
        case .startTime: [MetricSampleReply(Double(startTime.milliseconds) / 1000)]
        }
    }

    private var commandTimes: [MetricSampleReply] {
        commands.flatMap { histogram($0.times.durations, [.init("section", .string($0.section))]) }
    }

    private var refreshedFeeds: [MetricSampleReply] {
        let totals = refreshes.totals
        return [
            total(totals.changed, "result", "changed"), total(totals.unchanged, "result", "unchanged"),
            total(totals.failed, "result", "failed"),
        ]
    }

    private func opens(_ cache: PartReadings.Cache) -> [MetricSampleReply] {
        [
            total(cache.complete, "found", "all"), total(cache.partial, "found", "part"),
            total(cache.missing, "found", "nothing"),
        ]
    }

    /// The waits so far, by cause.
    func waits(at instant: Instant) -> [(cause: RebufferLog.Cause, totals: RebufferLog.Totals)] {
        let log = playerWatch.rebuffers
        return RebufferLog.Cause.allCases.map { ($0, log.totals(of: $0, at: instant)) }
    }

    private func rebuffers(
        at instant: Instant, _ value: (RebufferLog.Totals) -> Double
    ) -> [MetricSampleReply] {
        waits(at: instant).map { cause, totals in
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
