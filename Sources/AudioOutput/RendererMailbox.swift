internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Commands on their way to the sink thread, and whether there is a sink thread.
///
/// Commands that came before the thread looked are one: the newest of each kind. The thread looks at an atomic between
/// chunks, and tries the lock only after a command was left; it never waits for it.
final class RendererMailbox: Sendable {
    struct Load: Sendable {
        var source: any PCMSource
        var generation: UInt32
        var prebuffer: Double
        var rebuffer: Double
    }

    /// What was asked for since the thread looked last, to be done in this order.
    struct Orders: Sendable {
        var isShutdown = false
        var stops = false
        var load: Load?
        var generation: UInt32?
        /// Outer nil: no change. Inner nil: no sink any more.
        var sink: (any Sink)??
        var isPaused: Bool?
    }

    private struct State {
        var orders = Orders()
        var isRunning = false
        /// Whether the thread has a source, or will have one when it followed its orders.
        var isLoaded = false
        var sink: (any Sink)?
    }

    private let state: Mutex<State>
    private let news = Atomic<Bool>(false)
    private let gainBits = Atomic<UInt32>(Float(1).bitPattern)
    private let closeDelayBits: Atomic<UInt64>
    /// Rings when an order was left.
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

    /// Seconds after which a sink at rest is closed; any thread.
    var closeDelay: Double {
        get { Double(bitPattern: closeDelayBits.load(ordering: .relaxed)) }
        set { closeDelayBits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Whether there is a sink thread; any thread.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Leaves an order and wakes the sink thread; without a source there is nothing to wake it for, and the order waits
    /// for the next one.
    ///
    /// - Parameters:
    ///   - edit: changes the orders.
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

    /// Wakes the sink thread, if there is one, for what it sees without an order.
    func nudge() {
        let sink = state.withLock { $0.isRunning ? $0.sink : nil }
        bell.signal()
        sink?.interrupt()
    }

    /// Whether there are orders; the sink thread.
    var hasNews: Bool { news.load(ordering: .acquiring) }

    /// Takes the orders; the sink thread. Nil when somebody is leaving one just now: the bell rings when that is done.
    func take() -> Orders? {
        bell.clear()
        return state.withLockIfAvailable { state in
            news.store(false, ordering: .relaxed)
            let orders = state.orders
            state.orders = Orders()
            return orders
        }
    }

    /// Ends the sink thread's stay unless there are orders.
    /// - Returns: whether the thread must return now.
    func leave() -> Bool {
        state.withLock { state in
            guard !news.load(ordering: .relaxed) else { return false }
            state.isRunning = false
            return true
        }
    }

    /// Ends the sink thread's stay for good.
    func leaveForGood() { state.withLock { $0.isRunning = false } }
}
