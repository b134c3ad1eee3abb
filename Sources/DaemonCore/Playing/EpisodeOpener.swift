internal import EpisodeCache
internal import MediaPorts
internal import SystemCalls

/// Opens the files of episodes in the cache for the player, on its own thread, because that may wait for the disk. The cache's
/// thread would not do: it may be synchronizing an index. The thread starts with the first episode.
final class EpisodeOpener: MediaOpening {
    private let cache: EpisodeCache
    private let worker = WorkerThread(name: .opening)

    init(_ cache: EpisodeCache) { self.cache = cache }

    func open(_ url: String) async throws(MediaFailure) -> any ByteSource {
        do {
            return try await worker.run { [cache] in try cache.open(url) }
        } catch let failure as MediaFailure {
            throw failure
        } catch {
            throw MediaFailure(.storage, "cannot open the episode: \(error)")
        }
    }

    /// Ends the thread.
    func close() { worker.finish() }
}
