internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// Commands for the sink thread, and whether that thread is running.
///
/// Commands are coalesced: until the thread reads them, only the newest of each kind is kept. Between chunks the thread
/// reads an atomic, and tries the lock only if there are commands; it never waits for the lock.
final class RendererMailbox: Sendable {
    struct Load {
        var source: any PCMSource
        var generation: UInt32
        var prebuffer: Duration
        var rebuffer: Duration
    }

    /// The next change of the frames that play.
    enum Course {
        case load(Load)
        /// Switches to a generation and discards the frames of the previous one.
        case turn(UInt32)
        /// Continues with a generation, without a gap.
        case join(UInt32)
    }

    /// The commands since the thread read them last, in the order in which they are carried out.
    struct Commands {
        var isShutdown = false
        var stops = false
        var course: Course?
        /// Outer nil: no change. Inner nil: remove the sink.
        var sink: (any Sink)??
        var isPaused: Bool?
        var gain: Float?
        var writesAgain = false
        /// Outer nil: no change. Inner nil: never close the sink.
        var closeDelay: Duration??
    }

    /// When a command starts the sink thread, if none is running.
    enum ThreadStart {
        case never
        /// If the thread has a source, or will have one. Without one the command waits.
        case withSource
        case always
    }

    private struct State {
        var commands = Commands()
        var isRunning = false
        /// Whether the thread has a source, or will have one after carrying out the commands.
        var isLoaded = false
        var sink: (any Sink)?
    }

    private let state: Mutex<State>
    private let hasUnread = Atomic<Bool>(false)
    let wakeUp: EventDescriptor

    init(sink: (any Sink)?) throws(SystemError) {
        wakeUp = try EventDescriptor()
        state = Mutex(State(commands: Commands(sink: .some(sink)), sink: sink))
    }

    /// Any thread.
    var isRunning: Bool { state.withLock { $0.isRunning } }
    var sink: (any Sink)? { state.withLock { $0.sink } }

    /// Adds a command and wakes the sink thread.
    /// - Parameter start: starts a thread; called under the lock.
    func post(
        thread: ThreadStart = .withSource, _ edit: (inout Commands) -> Void,
        start: () throws(SystemError) -> Void
    ) throws(SystemError) {
        let outcome: (sink: (any Sink)?, failure: SystemError?) = state.withLock { state in
            let wasLoaded = state.isLoaded
            edit(&state.commands)
            if state.commands.stops { state.isLoaded = false }
            if case .load = state.commands.course { state.isLoaded = true }
            hasUnread.store(true, ordering: .releasing)
            // Without a thread no call of the sink is blocked.
            let old = state.isRunning ? state.sink : nil
            if let sink = state.commands.sink { state.sink = sink }
            let starts =
                switch thread {
                case .never: false
                case .withSource: wasLoaded || state.isLoaded
                case .always: true
                }
            guard starts, !state.isRunning, !state.commands.isShutdown else { return (old, nil) }
            do throws(SystemError) {
                try start()
                state.isRunning = true
                return (old, nil)
            } catch { return (old, error) }
        }
        wakeUp.signal()
        outcome.sink?.interrupt()
        if let failure = outcome.failure { throw failure }
    }

    /// Whether there are commands; sink thread only.
    var hasCommands: Bool { hasUnread.load(ordering: .acquiring) }

    /// Removes and returns the commands; sink thread only. Nil while another thread has the lock; the eventfd is then signalled,
    /// so that the sink thread does not sleep before it has read the commands.
    func take() -> Commands? {
        wakeUp.clear()
        let taken = state.withLockIfAvailable { state in
            hasUnread.store(false, ordering: .relaxed)
            return exchange(&state.commands, with: Commands())
        }
        if taken == nil { wakeUp.signal() }
        return taken
    }

    /// Ends the sink thread's run unless there are commands.
    /// - Returns: whether the thread must return now.
    func leave() -> Bool {
        state.withLock { state in
            guard !hasUnread.load(ordering: .relaxed) else { return false }
            state.isRunning = false
            return true
        }
    }

    func close() { state.withLock { $0.isRunning = false } }
}
