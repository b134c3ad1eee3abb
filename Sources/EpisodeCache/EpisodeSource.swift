internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// One user's view of a cached episode; several may share the episode and its only connection.
final class EpisodeSource: ByteSource {
    let episode: CachedEpisode
    private let number: Int
    private let file: Mutex<Int32>

    init(_ episode: CachedEpisode, descriptor: consuming FileDescriptor) {
        self.episode = episode
        file = Mutex(descriptor.release())
        number = episode.addUser()
    }

    deinit { close() }

    var descriptor: Int32 { file.withLock { $0 } }
    var snapshot: ByteSourceSnapshot { episode.snapshot }
    func want(from offset: Int64) { episode.want(from: offset, user: number) }
    func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?) { episode.observe(handler, user: number) }
    func suspend() { episode.suspend(user: number) }

    func close() {
        let raw = file.withLock { file in
            defer { file = -1 }
            return file
        }
        if raw < 0 { return }
        _ = FileDescriptor(owning: raw)
        episode.close(user: number)
    }
}
