internal import MediaPorts
internal import Synchronization

/// A byte source with two observers. A source supports only one, which the decoder's session uses, but the player needs
/// the source's phase too.
final class WatchedSource: ByteSource {
    /// The state that the player is notified of.
    struct News: Equatable {
        var phase: ByteSourcePhase
        /// Set once the server states no length and sends the file only from its beginning: whether it says that it sends a
        /// live stream.
        var isLive: Bool?
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

    /// Calls `watcher` with the current state and after each change, but not each time that bytes arrive.
    func watch(_ watcher: @escaping @Sendable (News) -> Void) {
        let news = state.withLock { state in
            state.watcher = watcher
            return state.news
        }
        if let news { watcher(news) }
    }

    var indexDescriptor: Int32 { source.indexDescriptor }

    private func pass(_ snapshot: ByteSourceSnapshot) {
        var news = News(phase: snapshot.phase)
        if snapshot.isLive {
            news.isLive = true
        } else if snapshot.phase == .receiving, snapshot.length == nil, !snapshot.isSeekable {
            news.isLive = false
        }
        let (reader, watcher) = state.withLock { state in
            let isNew = state.news != news
            state.news = news
            return (state.reader, isNew ? state.watcher : nil)
        }
        reader?(snapshot)
        watcher?(news)
    }

    var descriptor: Int32 { source.descriptor }
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
