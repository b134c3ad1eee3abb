internal import MediaPorts
internal import Synchronization

/// A byte source with two observers: the decoder's session takes the one place that a source has, and the player wants
/// to know what the network does.
final class WatchedSource: ByteSource {
    /// What a watcher is told.
    struct News: Equatable {
        var phase: ByteSourcePhase
        /// Why bytes are kept in memory.
        var shortage: String?
    }

    private struct State {
        var news: News?
        var reader: (@Sendable (ByteSourceSnapshot) -> Void)?
        var watcher: (@Sendable (News) -> Void)?
    }

    private let source: any ByteSource
    private let state = Mutex(State())

    init(_ source: any ByteSource) {
        self.source = source
        source.observe { [weak self] snapshot in self?.pass(snapshot) }
    }

    /// Calls `watcher` with the present phase and with each that follows; bytes come in far more often than that.
    func watch(_ watcher: @escaping @Sendable (News) -> Void) {
        let news = state.withLock { state in
            state.watcher = watcher
            return state.news
        }
        if let news { watcher(news) }
    }

    private func pass(_ snapshot: ByteSourceSnapshot) {
        let news = News(phase: snapshot.phase, shortage: snapshot.shortage)
        let (reader, watcher) = state.withLock { state in
            let isNew = state.news != news
            state.news = news
            return (state.reader, isNew ? state.watcher : nil)
        }
        reader?(snapshot)
        watcher?(news)
    }

    var descriptor: Int32 { source.descriptor }
    var memoryDescriptor: Int32 { source.memoryDescriptor }
    var snapshot: ByteSourceSnapshot { source.snapshot }
    func want(from offset: Int64) { source.want(from: offset) }
    func observe(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?) { state.withLock { $0.reader = handler } }
    func suspend() { source.suspend() }
    func close() {
        source.observe(nil)
        state.withLock { $0 = State() }
        source.close()
    }
}
