internal import Diagnostics
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Synchronization

/// Logs each failure of the player once, with the feed and the episode that it is about. From any thread.
final class PlaybackFaultLog: Sendable {
    private let logger: Logger
    private let last = Mutex<MediaFailure?>(nil)

    init(_ logger: Logger) { self.logger = logger }

    /// Looks at what the player says now.
    func note(_ status: PlayerStatus) {
        let isNew = last.withLock { last in
            defer { last = status.error }
            return last != status.error
        }
        guard isNew, let error = status.error else { return }
        var subjects: [LogSubject] = []
        if let feed = status.feed { subjects.append(.feed(feed.rawValue)) }
        if let entry = status.entry { subjects.append(.episode(entry.episode.rawValue)) }
        logger.log(.warning, .playback, "\(status.title ?? "episode"): \(error)", about: subjects)
    }
}
