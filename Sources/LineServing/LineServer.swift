internal import Synchronization
public import SystemCalls

/// Serves one protocol on one thread, which waits with epoll, without a timeout, for requests and wakes.
public final class LineServer: Sendable {
    public struct Limits: Sendable {
        /// Maximum number of connections. Lower if the process may not open that many files.
        public var connections = 1024
        /// Maximum number of connections of one account, unless it is the owner's.
        public var connectionsPerAccount = 256
        /// Maximum bytes of one account's unfinished requests and unread answers. Beyond this, the connections that
        /// hold most are closed. Must allow some lines of the maximum length.
        public var bytesPerAccount = 16 << 20
        /// Maximum bytes of a line.
        public var line = 1 << 20
        /// Number of unread bytes of answers at which the server stops reading from a connection.
        var unreadAnswers = 256 << 10
        /// No connections are accepted for this time after a failed accept(2).
        var acceptPause = Duration.milliseconds(500)
        var calls = Calls()

        /// Further connections for the owner's tools, in case others, or one of the owner's programs, occupy all.
        static let reservedConnections = 32
        /// A program that occupies all other connections must not occupy these too.
        static let reservedConnectionsPerProcess = 4
        /// Descriptors for the other work of the process. With a very low limit of open files, connections get half.
        static let otherDescriptors = 128

        public init() {}
    }

    /// The calls that a test replaces.
    struct Calls {
        /// Accepts a connection; nil if none is waiting.
        var accept: @Sendable (Int32) throws(SystemError) -> FileDescriptor? = { listener throws(SystemError) in
            try LocalSocket.accept(listener)
        }
        /// Called before each wait; an error counts as one of epoll_wait.
        var willWait: @Sendable () throws(SystemError) -> Void = { () throws(SystemError) in }
    }

    private let threadName: ThreadName
    let limits: Limits
    let counters: ServerCounters
    let report: @Sendable (String) -> Void
    private let failed: @Sendable (SystemError) -> Void
    private let thread = Mutex<DedicatedThread?>(nil)
    /// Wakes the server's thread for the requests of other threads.
    let wakeUp: EventDescriptor
    private let isStopping = Atomic(false)
    private let isWoken = Atomic(false)
    private let asked = Mutex<[@Sendable () -> Void]>([])

    /// - Parameters:
    ///   - report: receives a log message if connections cannot be accepted. Called on the server's thread.
    ///   - failed: called if the thread ends because waiting fails. The program is then unreachable and should exit.
    public init(
        threadName: ThreadName, limits: Limits = Limits(), counters: ServerCounters = ServerCounters(),
        report: @escaping @Sendable (String) -> Void, failed: @escaping @Sendable (SystemError) -> Void
    ) throws(SystemError) {
        self.threadName = threadName
        self.limits = limits
        self.counters = counters
        self.report = report
        self.failed = failed
        wakeUp = try EventDescriptor()
    }

    /// Call once.
    public func start(_ service: sending any LineService, on listeners: [LineListener]) throws(SystemError) {
        // Passes the loop to its thread; the thread that starts the server keeps no reference.
        let handover = Mutex<LineLoop?>(try LineLoop(service, listeners, of: self))
        let thread = try DedicatedThread(name: threadName) { [failed] in
            do throws(SystemError) { try handover.withLock { $0.take() }?.run() } catch { failed(error) }
        }
        self.thread.withLock { $0 = thread }
    }

    /// Makes the server call the service's `wake`. Any thread.
    public func wake() { if !isWoken.exchange(true, ordering: .sequentiallyConsistent) { wakeUp.signal() } }

    /// Call before the service looks for work, so that work which arrives meanwhile wakes it again.
    func takeWake() -> Bool { isWoken.exchange(false, ordering: .sequentiallyConsistent) }

    /// Calls `answer` on the server's thread after its current work. Any thread.
    public func whenServing(_ answer: @escaping @Sendable () -> Void) {
        asked.withLock { $0.append(answer) }
        wakeUp.signal()
    }

    func takeAsked() -> [@Sendable () -> Void] { asked.withLock { exchange(&$0, with: []) } }

    /// Closes all connections and waits for the end of the thread. Each listener removes its path.
    public func stop() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        isStopping.store(true, ordering: .sequentiallyConsistent)
        wakeUp.signal()
        thread.join()
    }

    var mustStop: Bool { isStopping.load(ordering: .sequentiallyConsistent) }
}

/// Counts the connections and events of a server. Written by the server's thread, readable from any thread.
public final class ServerCounters: Sendable {
    public struct Values: Equatable, Sendable {
        public var open = 0
        /// Connections since the start.
        public var accepted = 0
        /// Connections without permission or beyond a limit.
        public var refused = 0
        public var sentEvents = 0
        /// Events that a client did not get because it had not read earlier output.
        public var droppedEvents = 0
    }

    let accepted = Atomic(0)
    let closed = Atomic(0)
    let refused = Atomic(0)
    let sentEvents = Atomic(0)
    let droppedEvents = Atomic(0)

    public init() {}

    public var values: Values {
        let closed = closed.value
        let accepted = accepted.value
        return Values(
            open: max(0, accepted - closed), accepted: accepted, refused: refused.value, sentEvents: sentEvents.value,
            droppedEvents: droppedEvents.value)
    }
}

extension Atomic where Value == Int {
    var value: Int { load(ordering: .relaxed) }

    func increment() { wrappingAdd(1, ordering: .relaxed) }
}
