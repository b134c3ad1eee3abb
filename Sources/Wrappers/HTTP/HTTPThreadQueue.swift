internal import Glibc
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// The parts of an `HTTPThread` that can fail.
struct HTTPThreadParts {
    var thread: @Sendable (@escaping @Sendable () -> Void) throws(SystemError) -> DedicatedThread = {
        body throws(SystemError) in
        try DedicatedThread(name: .http, body)
    }
    var multi: @Sendable (HTTPSettings) throws(HTTPError) -> HTTPMulti = { settings throws(HTTPError) in
        try HTTPMulti(settings: settings)
    }
}

/// State shared by an `HTTPThread` and its thread; each may outlive the other.
final class HTTPThreadQueue: Sendable {
    enum Command {
        case start(UInt64, HTTPRequest, any HTTPTransferDelegate & Sendable)
        /// The multi is nil while the thread has none, or if the thread could not start.
        case step(@Sendable (HTTPMulti?) -> Void)
        /// At an instant of CLOCK_MONOTONIC.
        case later(Instant, @Sendable () -> Void)
    }

    /// The parts of the thread's multi that other threads use.
    private struct Handles {
        let waker: HTTPWaker
        let sockets: SocketWatch
    }

    private enum Phase {
        case open
        /// Accepts no more commands. → ended
        case stopping
        case ended
    }

    private struct State {
        var phase = Phase.open
        var commands: [Command] = []
        var lastNumber: UInt64 = 0
        var thread: DedicatedThread?
        /// The thread's own id, to recognize a `stop` called on it.
        var itself: pthread_t?
        var handles: Handles?
        /// True if the thread will check `commands` before it sleeps.
        var isAwake = true
    }

    /// `join` waits this long for the thread, and again after shutting its connections down.
    private static let exitGrace = Duration.milliseconds(500)

    let settings: HTTPSettings
    let parts: HTTPThreadParts
    private let state = Mutex(State())
    /// Wakes the thread while it has no multi.
    let wakeUp = Semaphore()
    private let ended = Semaphore()

    init(_ settings: HTTPSettings, _ parts: HTTPThreadParts) {
        self.settings = settings
        self.parts = parts
    }

    var isRunning: Bool { state.withLock { $0.thread != nil } }

    func newNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    func post(_ command: Command) {
        let shortage: SystemError? = state.withLock { state in
            guard state.phase == .open else { return nil }
            if state.thread == nil {
                do throws(SystemError) {
                    state.thread = try parts.thread { [self] in HTTPLoop(self).run() }
                } catch {
                    return error
                }
            }
            state.commands.append(command)
            wake(&state)
            return nil
        }
        guard let shortage else { return }
        refuse([command], HTTPError(.exhausted, shortage.description))
        if case .step(let step) = command { step(nil) }
    }

    func stop() {
        state.withLock { state in
            if state.phase == .open { state.phase = .stopping }
            wake(&state)
        }
    }

    func join() {
        let (thread, itself) = state.withLock { ($0.thread.take(), $0.itself) }
        guard let thread else { return }
        if let itself, pthread_equal(itself, pthread_self()) != 0 { return thread.detach() }
        if !hasEnded(within: Self.exitGrace) { state.withLock { $0.handles }?.sockets.shutDownAll() }
        if hasEnded(within: Self.exitGrace) { thread.join() } else { thread.detach() }
    }

    func release() { state.withLock { $0.thread.take() }?.detach() }

    private func hasEnded(within grace: Duration) -> Bool {
        if state.withLock({ $0.phase }) != .ended { ended.wait(until: .now + grace) }
        return state.withLock { $0.phase } == .ended
    }

    private func wake(_ state: inout State) {
        if state.isAwake { return }
        state.isAwake = true
        if let handles = state.handles { handles.waker.wake() } else { wakeUp.post() }
    }

    /// Fails the requests among commands.
    func refuse(_ commands: [Command], _ error: HTTPError) {
        for command in commands {
            guard case .start(let id, let request, let delegate) = command else { continue }
            HTTPTransfer(id: id, request: request, delegate: delegate, multi: nil, now: .now, settings: settings)
                .handle(.failed(error))
        }
    }

    // MARK: - For the thread

    func begin() { state.withLock { $0.itself = pthread_self() } }

    /// Sets the multi that wakes the thread; nil while it has none.
    func use(_ multi: HTTPMulti?) {
        let handles = multi.map { Handles(waker: $0.waker, sockets: $0.sockets) }
        state.withLock { $0.handles = handles }
    }

    /// Takes all commands; nil if the thread must end.
    func take() -> [Command]? {
        state.withLock { state in
            guard state.phase == .open else { return nil }
            state.isAwake = true
            return exchange(&state.commands, with: [])
        }
    }

    /// True if the thread may sleep, because there were no commands since `take`.
    func mayWait() -> Bool {
        state.withLock { state in
            if !state.commands.isEmpty || state.phase != .open { return false }
            state.isAwake = false
            return true
        }
    }

    /// Fails late requests and releases `join`.
    func end() {
        refuse(state.withLock { exchange(&$0.commands, with: []) }, HTTPError(.aborted, "the transfer was stopped"))
        state.withLock { $0.phase = .ended }
        ended.post()
    }
}
