public import MediaPorts
internal import PodcastModel
internal import Synchronization
public import SystemCalls

/// Files that clients have handed over as descriptors, by the URLs of their episodes. They are gone after a restart.
public final class LocalFiles: Sendable {
    /// Open files at most; beyond that the one that was used least recently is closed.
    private static let maximum = 64

    private struct State {
        var files: [String: OpenFile] = [:]
        /// The URLs, the one used most recently last.
        var order: [String] = []

        mutating func use(_ url: String) {
            order.removeAll { $0 == url }
            order.append(url)
        }
    }

    private let state = Mutex(State())

    public init() {}

    public func keep(_ file: OpenFile, as url: String) {
        state.withLock { state in
            state.files[url] = file
            state.use(url)
            if state.order.count > Self.maximum { state.files[state.order.removeFirst()] = nil }
        }
    }

    /// A source for the URL of a file.
    /// - Throws: `MediaFailure` if the file was not handed over since the daemon's start.
    public func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        let path = FileAddress.path(of: url) ?? url
        let file = state.withLock { state in
            if state.files[url] != nil { state.use(url) }
            return state.files[url]
        }
        guard let file else {
            throw MediaFailure(
                .forbidden, "the file must be given again: podcastctl play '\(SafeText.line(path))'")
        }
        return try LocalFileSource(file, path: path)
    }
}

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
