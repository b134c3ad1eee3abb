internal import MediaPorts
internal import Synchronization

/// A byte source with two observers: the decoder's session takes the one place that a source has, and the player wants
/// to know what the network does.
final class WatchedSource: ByteSource {
    private struct State {
        var phase: ByteSourcePhase?
        var reader: (@Sendable (ByteSourceSnapshot) -> Void)?
        var watcher: (@Sendable (ByteSourcePhase) -> Void)?
    }

    private let source: any ByteSource
    private let state = Mutex(State())

    init(_ source: any ByteSource) {
        self.source = source
        source.observe { [weak self] snapshot in self?.pass(snapshot) }
    }

    /// Calls `watcher` with the present phase and with each that follows; bytes come in far more often than that.
    func watch(_ watcher: @escaping @Sendable (ByteSourcePhase) -> Void) {
        let phase = state.withLock { state in
            state.watcher = watcher
            return state.phase
        }
        if let phase { watcher(phase) }
    }

    private func pass(_ snapshot: ByteSourceSnapshot) {
        let (reader, watcher) = state.withLock { state in
            let isNew = state.phase != snapshot.phase
            state.phase = snapshot.phase
            return (state.reader, isNew ? state.watcher : nil)
        }
        reader?(snapshot)
        watcher?(snapshot.phase)
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
