internal import AudioOutput
internal import ControlSocket
internal import DaemonState
internal import EpisodeCache
internal import LibraryUpkeep
internal import LineServing
internal import Playback
internal import PodcastModel
internal import Queueing
internal import Reporting
internal import SerialThreads

extension DaemonParts {
    /// The values of the parts for metrics. Any thread; no system call.
    var readings: PartReadings {
        var readings = PartReadings()
        readings.underruns = media.outputs.underruns
        readings.bufferedSeconds = player.status.bufferSeconds
        let cached = media.cache.statistics
        readings.cache.complete = cached.complete
        readings.cache.partial = cached.partial
        readings.cache.missing = cached.missing
        readings.cache.reusedBytes = cached.reusedBytes
        readings.cache.fetchedBytes = cached.fetchedBytes
        let connected = connections.values
        readings.connections.open = connected.open
        readings.connections.accepted = connected.accepted
        readings.connections.refused = connected.refused
        readings.connections.sentEvents = events.sent
        readings.connections.droppedEvents = events.dropped
        readings.queueEntries = queue.extent.length
        readings.activities = activities.snapshot.count
        readings.waitingJobs = [("decisions", decisions.waitingJobs), ("library", library.waitingJobs)]
        readings.instant = decisions.now
        return readings
    }
}
