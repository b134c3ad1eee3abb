internal import EpisodeCache
internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Opens the inputs on the command line: local files, and URLs through a temporary cache.
final class MediaOpener: MediaOpening {
    /// The cache of URLs and its folder; nil until the first URL is opened.
    private let remote = Mutex<(cache: EpisodeCache, folder: String)?>(nil)

    func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        guard HTTPURL.isHTTP(url) else { return try LocalFileSource(url) }
        return try remoteCache().open(url)
    }

    /// Deletes fetched bytes; call it after all sources were closed.
    func close() {
        guard let last = remote.withLock({ $0.take() }) else { return }
        last.cache.finish()
        StoredFile.removeTree(last.folder)
    }

    private func remoteCache() throws(MediaFailure) -> EpisodeCache {
        try remote.withLock { remote throws(MediaFailure) in
            if let remote { return remote.cache }
            let folder = try mapError(
                of: StoredFile.makeTemporaryFolder("\(CurrentProcess.variable("TMPDIR") ?? "/tmp")/podcast-play")
            ) { (error: SystemError) in
                MediaFailure(.storage, error.description)
            }
            do throws(MediaFailure) {
                let cache = try EpisodeCache(directory: folder, http: HTTPThread(), sizeLimit: .max)
                remote = (cache, folder)
                return cache
            } catch {
                StoredFile.removeTree(folder)
                throw error
            }
        }
    }

    /// Name of an input before its tags are known: the last component of its path.
    static func title(of input: String) -> String {
        var path = input[...]
        if HTTPURL.isHTTP(input) { path = path.prefix { $0 != "?" && $0 != "#" } }
        return path.split(separator: "/").last.map(String.init) ?? input
    }
}
