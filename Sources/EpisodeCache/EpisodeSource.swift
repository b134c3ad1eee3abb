internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// One user's view of a cached episode; several may share the episode and its only connection.
final class EpisodeSource: ByteSource {
    let episode: CachedEpisode
    private let number: Int
    private let files: Mutex<Descriptors>

    private struct Descriptors {
        var file: Int32
        var index: Int32
    }

    init(_ episode: CachedEpisode, file: consuming FileDescriptor, _ priority: FetchPriority) {
        self.episode = episode
        var index: Int32 = -1
        if priority == .foreground, let frames = episode.file.openFrames() { index = frames.release() }
        files = Mutex(Descriptors(file: file.release(), index: index))
        number = episode.addUser(priority)
    }

    deinit { close() }

    var descriptor: Int32 { files.withLock { $0.file } }
    var indexDescriptor: Int32 { files.withLock { $0.index } }
    var snapshot: ByteSourceSnapshot { episode.snapshot }
    func want(from offset: Int64) { episode.want(from: offset, user: number) }
    func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?) { episode.observe(handler, user: number) }
    func suspend() { episode.suspend(user: number) }

    func close() {
        let open = files.withLock { files in
            defer { files = Descriptors(file: -1, index: -1) }
            return files
        }
        if open.file < 0 { return }
        _ = FileDescriptor(owning: open.file)
        if open.index >= 0 { _ = FileDescriptor(owning: open.index) }
        episode.close(user: number)
    }
}
