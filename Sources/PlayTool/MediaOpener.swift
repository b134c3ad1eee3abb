internal import EpisodeCache
internal import HTTP
internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Opens the inputs on the command line: local files, and URLs through a temporary cache.
final class MediaOpener: MediaOpening {
    private let folder = TemporaryFolder()
    private let cache = Mutex<EpisodeCache?>(nil)

    func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        guard HTTPURL.isHTTP(url) else { return try LocalFileSource(url) }
        return try remoteCache().open(url)
    }

    /// Deletes fetched bytes; call it after all sources were closed.
    func close() {
        let cache = self.cache.withLock { cache in
            defer { cache = nil }
            return cache
        }
        cache?.finish()
        folder.remove()
    }

    private func remoteCache() throws(MediaFailure) -> EpisodeCache {
        try cache.withLock { cache throws(MediaFailure) in
            if let cache { return cache }
            let path: String
            do throws(SystemError) {
                path = try folder.make()
            } catch {
                throw MediaFailure(.storage, error.description)
            }
            let made = try EpisodeCache(directory: path, http: HTTPThread(), sizeLimit: .max)
            cache = made
            return made
        }
    }

    /// Name of an input before its tags are known: the last component of its path.
    static func title(of input: String) -> String {
        var path = input[...]
        if HTTPURL.isHTTP(input) { path = path.prefix { $0 != "?" && $0 != "#" } }
        return path.split(separator: "/").last.map(String.init) ?? input
    }
}
