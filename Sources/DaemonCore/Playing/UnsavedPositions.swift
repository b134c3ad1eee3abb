internal import Library
internal import PodcastModel
internal import Synchronization

/// Positions that could not be saved, for example on a full disk. They are saved as soon as possible, unless the library has got
/// another position by then.
final class UnsavedPositions: Sendable {
    private struct Unsaved: Equatable {
        let position: MediaTime
        let time: Timestamp
        /// The position in the library.
        let stored: MediaTime
    }

    private static let retryInterval = Duration.seconds(5)

    private let library: LibraryService
    private let timers: any TimerClock
    private let positions = Mutex<[EpisodeID: Unsaved]>([:])

    /// - Parameter timers: timers on the library's thread.
    init(library: LibraryService, timers: any TimerClock) {
        self.library = library
        self.timers = timers
    }

    /// Where an episode continues.
    func position(of episode: EpisodeID, stored: MediaTime) -> MediaTime {
        guard let unsaved = positions.withLock({ $0[episode] }), unsaved.stored == stored else { return stored }
        return unsaved.position
    }

    func add(_ position: MediaTime, of episode: EpisodeID, at time: Timestamp) async {
        guard let stored = try? await library.read({ try $0.episodes.episode(episode).state.position }) else { return }
        let unsaved = Unsaved(position: position, time: time, stored: stored)
        positions.withLock { $0[episode] = unsaved }
        retryLater(unsaved, of: episode)
    }

    func remove(_ episode: EpisodeID) { positions.withLock { $0[episode] = nil } }

    private func retryLater(_ unsaved: Unsaved, of episode: EpisodeID) {
        timers.schedule(after: Self.retryInterval) { [weak self] in self?.retry(unsaved, of: episode) }
    }

    /// On the library's thread.
    private func retry(_ unsaved: Unsaved, of episode: EpisodeID) {
        guard positions.withLock({ $0[episode] == unsaved }) else { return }
        do {
            try library.performHere { store in
                guard try store.episodes.episode(episode).state.position == unsaved.stored else { return }
                try store.episodes.savePosition(unsaved.position, of: episode, at: unsaved.time, isDurable: true)
            }
        } catch LibraryError.notFound {
            // The episode was deleted.
        } catch { return retryLater(unsaved, of: episode) }
        positions.withLock { if $0[episode] == unsaved { $0[episode] = nil } }
    }
}
