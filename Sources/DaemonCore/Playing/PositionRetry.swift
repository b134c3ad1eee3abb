internal import Library
internal import PodcastModel
internal import SerialThreads

/// Saves positions that could not be saved as soon as possible, unless the library has got another position by then.
struct PositionRetry {
    private static let interval = Duration.seconds(5)

    let library: LibraryService
    /// On the library's thread.
    let timers: any TimerClock
    private let positions = Locked(UnsavedPositions())

    func position(of episode: EpisodeID, stored: MediaTime) -> MediaTime {
        positions.withLock { $0.position(of: episode, stored: stored) }
    }

    func add(_ position: MediaTime, of episode: EpisodeID, at time: Timestamp) async {
        guard let stored = try? await library.episode(episode).state.position else { return }
        let unsaved = UnsavedPositions.Unsaved(position: position, time: time, stored: stored)
        positions.withLock { $0.add(unsaved, of: episode) }
        retryLater(unsaved, of: episode)
    }

    func remove(_ episode: EpisodeID) { positions.withLock { $0.remove(episode) } }

    private func retryLater(_ unsaved: UnsavedPositions.Unsaved, of episode: EpisodeID) {
        timers.schedule(after: Self.interval) { retry(unsaved, of: episode) }
    }

    /// On the library's thread.
    private func retry(_ unsaved: UnsavedPositions.Unsaved, of episode: EpisodeID) {
        guard positions.withLock({ $0.isCurrent(unsaved, of: episode) }) else { return }
        do {
            try library.performHere { store in
                guard try store.episodes.episode(episode).state.position == unsaved.stored else { return }
                try store.episodes.savePosition(unsaved.position, of: episode, at: unsaved.time, isDurable: true)
            }
        } catch LibraryError.notFound {
            // The episode was deleted.
        } catch { return retryLater(unsaved, of: episode) }
        positions.withLock { $0.settle(unsaved, of: episode) }
    }
}
