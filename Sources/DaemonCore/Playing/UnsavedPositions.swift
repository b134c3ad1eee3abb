internal import PodcastModel

/// Positions that could not be saved, for example on a full disk. A value without I/O; `PositionRetry` saves them.
struct UnsavedPositions {
    struct Unsaved: Equatable {
        let position: MediaTime
        let time: Timestamp
        /// The position in the library.
        let stored: MediaTime
    }

    private var positions: [EpisodeID: Unsaved] = [:]

    /// Where an episode continues.
    func position(of episode: EpisodeID, stored: MediaTime) -> MediaTime {
        guard let unsaved = positions[episode], unsaved.stored == stored else { return stored }
        return unsaved.position
    }

    mutating func add(_ unsaved: Unsaved, of episode: EpisodeID) { positions[episode] = unsaved }

    mutating func remove(_ episode: EpisodeID) { positions[episode] = nil }

    /// Whether a position must still be saved: false if a later one was added or saved.
    func isCurrent(_ unsaved: Unsaved, of episode: EpisodeID) -> Bool { positions[episode] == unsaved }

    /// The library has this position, got another one in the meantime, or no longer has the episode.
    mutating func settle(_ unsaved: Unsaved, of episode: EpisodeID) {
        if isCurrent(unsaved, of: episode) { remove(episode) }
    }
}
