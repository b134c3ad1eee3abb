public import ControlProtocol
internal import PodcastModel
internal import Synchronization

extension MetricsBoard {
    /// The figures for `metrics.figures`. Any thread; no system call.
    public var figures: FiguresReply {
        var figures = FiguresReply()
        let parts = parts()
        let waits = waits(at: parts.instant)
        figures.underruns = parts.underruns
        figures.rebuffers = waits.reduce(0) { $0 + $1.totals.count }
        figures.rebufferSeconds = waits.reduce(.zero) { $0 + $1.totals.duration }.inSeconds
        figures.rebufferCause =
            figures.rebuffers == 0
            ? nil : waits.max { $0.totals.duration < $1.totals.duration }?.cause.rawValue
        figures.decoderRestarts = Int(clamping: decoders.restarts.load(ordering: .relaxed))
        let refreshed = refreshes.totals
        figures.refreshedFeeds = refreshed.changed &+ refreshed.unchanged &+ refreshed.failed
        figures.failedFeeds = refreshed.failed
        figures.cacheReusedBytes = parts.cache.reusedBytes
        figures.cacheFetchedBytes = parts.cache.fetchedBytes
        for (_, times) in commands {
            figures.commands += times.durations.count
            figures.slowCommands += times.durations.slowCount
        }
        figures.waitingJobs = parts.waitingJobs.reduce(0) { $0 + $1.jobs }
        return figures
    }
}
