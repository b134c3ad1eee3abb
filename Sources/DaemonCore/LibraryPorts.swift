internal import Library
internal import LibraryModel
internal import MediaPorts
internal import Playback
internal import PodcastModel

/// The player's view of the library.
struct LibraryPlaybackStore: PlaybackStore {
    let library: LibraryService
    let now: @Sendable () -> Timestamp
    /// Told after a change that other clients see.
    let changed: @Sendable (EpisodeID) -> Void

    func media(of episode: EpisodeID) async throws -> PlaybackMedia {
        try await library.perform { store in
            let found = try store.episode(episode)
            return PlaybackMedia(
                url: found.enclosure.url, title: found.title, feed: found.feed, feedTitle: found.feedTitle,
                resumePosition: found.state.isPlayed ? .zero : found.state.position, duration: found.duration,
                chapters: try store.notes(of: episode).chapters)
        }
    }

    func savePosition(_ position: MediaTime, of episode: EpisodeID, isDurable: Bool) async throws {
        let now = now()
        try await library.perform { store in
            try store.savePosition(position, of: episode, at: now, isDurable: isDurable)
        }
        if isDurable { changed(episode) }
    }

    func markPlayed(_ episode: EpisodeID) async throws {
        let now = now()
        try await library.perform { try $0.setPlayed(true, [episode], at: now) }
        changed(episode)
    }

    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws {
        try await library.perform { try $0.setMeasuredDuration(duration, of: episode) }
        changed(episode)
    }
}
