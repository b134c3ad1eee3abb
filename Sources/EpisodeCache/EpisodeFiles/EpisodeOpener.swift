public import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Opens the files of episodes in the cache, and files that were handed over, for the player, on its own thread, because that may
/// wait for the disk. The cache's thread would not do: it may be synchronizing an index. The thread starts with the first episode.
public final class EpisodeOpener: MediaOpening {
    private let cache: EpisodeCache
    private let worker = WorkerThread(name: .opening)

    private let files: LocalFiles

    public init(_ cache: EpisodeCache, _ files: LocalFiles) { (self.cache, self.files) = (cache, files) }

    public func open(_ url: String) async throws(MediaFailure) -> any ByteSource {
        do {
            return try await worker.run { [cache, files] in
                FileAddress.isFile(url) ? try files.open(url) : try cache.open(url)
            }
        } catch let failure as MediaFailure {
            throw failure
        } catch {
            throw MediaFailure(.storage, "cannot open the episode: \(error)")
        }
    }

    public func close() { worker.finish() }
}
