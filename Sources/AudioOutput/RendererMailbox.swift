internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Commands for the sink thread, and whether that thread is running.
///
/// Commands are coalesced: until the thread reads them, only the newest of each kind is kept. Between chunks the thread
/// reads an atomic, and tries the lock only if there are commands; it never waits for the lock.
final class RendererMailbox: Sendable {
    struct Load: Sendable {
        var source: any PCMSource
        var generation: UInt32
        var prebuffer: Double
        var rebuffer: Double
    }

    /// The commands since the thread read them last, in the order in which they are carried out.
    struct Orders: Sendable {
        var isShutdown = false
        var stops = false
        var load: Load?
        var generation: UInt32?
        /// Outer nil: no change. Inner nil: remove the sink.
        var sink: (any Sink)??
        var isPaused: Bool?
    }

    private struct State {
        var orders = Orders()
        var isRunning = false
        /// Whether the thread has a source, or will have one after carrying out the commands.
        var isLoaded = false
        var sink: (any Sink)?
    }

    private let state: Mutex<State>
    private let news = Atomic<Bool>(false)
    private let gainBits = Atomic<UInt32>(Float(1).bitPattern)
    private let closeDelayBits: Atomic<UInt64>
    /// Signalled when a command was added.
    let bell: EventDescriptor

    init(sink: (any Sink)?, closeDelay: Double) throws(SystemError) {
        bell = try EventDescriptor()
        closeDelayBits = Atomic(closeDelay.bitPattern)
        state = Mutex(State(orders: Orders(sink: .some(sink)), sink: sink))
    }

    /// Linear gain; any thread.
    var gain: Float {
        get { Float(bitPattern: gainBits.load(ordering: .relaxed)) }
        set { gainBits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Seconds after which an idle sink is closed; any thread.
    var closeDelay: Double {
        get { Double(bitPattern: closeDelayBits.load(ordering: .relaxed)) }
        set { closeDelayBits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Whether the sink thread is running; any thread.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Adds a command and wakes the sink thread. Without a source the thread is not started, and the command waits for
    /// the next one.
    ///
    /// - Parameters:
    ///   - edit: changes the commands.
    ///   - start: starts a thread; called under the lock.
    func post(_ edit: (inout Orders) -> Void, start: () throws(SystemError) -> Void) throws(SystemError) {
        let outcome: (sink: (any Sink)?, failure: SystemError?) = state.withLock { state in
            let wasLoaded = state.isLoaded
            edit(&state.orders)
            if state.orders.stops { state.isLoaded = false }
            if state.orders.load != nil { state.isLoaded = true }
            news.store(true, ordering: .releasing)
            let old = state.sink
            if let sink = state.orders.sink { state.sink = sink }
            guard !state.isRunning, wasLoaded || state.isLoaded, !state.orders.isShutdown else { return (old, nil) }
            do throws(SystemError) {
                try start()
                state.isRunning = true
                return (old, nil)
            } catch {
                return (old, error)
            }
        }
        bell.signal()
        outcome.sink?.interrupt()
        if let failure = outcome.failure { throw failure }
    }

    /// Wakes the sink thread, if it is running, because of a change outside the commands.
    func nudge() {
        let sink = state.withLock { $0.isRunning ? $0.sink : nil }
        bell.signal()
        sink?.interrupt()
    }

    /// Whether there are commands; sink thread only.
    var hasNews: Bool { news.load(ordering: .acquiring) }

    /// Removes and returns the commands; sink thread only. Nil if another thread is adding one; the eventfd is
    /// signalled when it has.
    func take() -> Orders? {
        bell.clear()
        return state.withLockIfAvailable { state in
            news.store(false, ordering: .relaxed)
            let orders = state.orders
            state.orders = Orders()
            return orders
        }
    }

    /// Ends the sink thread's run unless there are commands.
    /// - Returns: whether the thread must return now.
    func leave() -> Bool {
        state.withLock { state in
            guard !news.load(ordering: .relaxed) else { return false }
            state.isRunning = false
            return true
        }
    }

    /// Ends the sink thread's run permanently.
    func leaveForGood() { state.withLock { $0.isRunning = false } }
}
