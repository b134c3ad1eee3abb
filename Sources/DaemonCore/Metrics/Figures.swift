internal import ControlProtocol
internal import EpisodeCache
internal import SerialThreads
internal import Synchronization

extension MetricsBoard {
    /// The figures for `status.get`. Any thread; no system call.
    var figures: FiguresReply {
        var figures = FiguresReply()
        let waits = waits
        figures.underruns = outputs.underruns
        figures.rebuffers = waits.reduce(0) { $0 + $1.totals.count }
        figures.rebufferSeconds = Double(waits.reduce(0) { $0 + $1.totals.nanoseconds }) / 1e9
        figures.rebufferCause =
            figures.rebuffers == 0
            ? nil : waits.max { $0.totals.nanoseconds < $1.totals.nanoseconds }?.cause.rawValue
        figures.decoderRestarts = Int(clamping: decoders.restarts.load(ordering: .relaxed))
        let refreshed = refreshes.totals
        figures.refreshedFeeds = refreshed.changed + refreshed.unchanged + refreshed.failed
        figures.failedFeeds = refreshed.failed
        let cached = cache.statistics
        figures.cacheReusedBytes = cached.reusedBytes
        figures.cacheFetchedBytes = cached.fetchedBytes
        for row in commands.values {
            figures.commands += row.durations.count
            figures.slowCommands += row.durations.slowCount
        }
        figures.waitingJobs = decisions.waitingJobs + library.waitingJobs
        return figures
    }
}
