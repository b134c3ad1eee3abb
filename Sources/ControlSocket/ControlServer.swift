public import ControlProtocol
internal import JSON
internal import Synchronization
public import SystemCalls

/// The server's end of the control socket: one thread that waits for all its connections with epoll and never for
/// anything else.
///
/// Handlers are called on that thread. `publish` may be called from any thread and costs one atomic operation when
/// nobody watches; without connections, requests and changes the thread sleeps without a time-out.
public final class ControlServer: Sendable {
    /// What a server allows.
    public struct Limits: Equatable, Sendable {
        /// Connections at a time; more are refused with an error. Fewer if the process may not open that many files.
        public var connections = 1024
        /// Connections of one user at a time, unless that is the daemon's own or root.
        public var connectionsPerUser = 256
        /// Bytes of memory that unfinished requests and unread answers of all connections of one user may take, beyond which
        /// those that hold most are closed. Some lines of the greatest length fit.
        public var bytesPerUser = 16 << 20
        /// Bytes of a line at most.
        public var line = Outgoing.maximumLine
        /// Bytes of answers that a client has not read, beyond which it is not read from.
        public var unreadReplies = 256 << 10
        /// Nanoseconds between two events of one part at least.
        public var eventInterval: Int64 = 100_000_000
        /// Nanoseconds for which no connection is accepted after that failed.
        public var acceptPause: Int64 = 500_000_000

        /// Connections beyond the others for the daemon's own user and root, so that podcastctl works while others, or a
        /// program of theirs, occupy all.
        static let reservedConnections = 32
        /// How many of these one process may have: one that occupies all other connections must not occupy these too.
        static let reservedConnectionsPerProcess = 4
        /// Descriptors that playing, fetching and the library need. With a very low limit of open files connections get half.
        static let otherDescriptors = 128

        /// The usual limits.
        public init() {}
    }

    /// Accepts a connection: nil if none waits.
    typealias Accept = @Sendable (Int32) throws(SystemError) -> FileDescriptor?

    private let shared: Shared
    private let host: ControlSession.Host
    private let policy: any PermissionPolicy
    private let limits: Limits
    private let counters: ConnectionCounters
    private let accept: Accept
    private let report: @Sendable (String) -> Void
    private let thread = Mutex<DedicatedThread?>(nil)

    /// A server that is not started.
    ///
    /// - Parameters:
    ///   - dispatcher: finds handlers.
    ///   - status: values of the parts for snapshots and events.
    ///   - policy: what each peer may do.
    ///   - counters: counts connections and events.
    ///   - report: takes a message for the log if connections cannot be accepted. Called on the server's thread.
    public convenience init(
        dispatcher: CommandDispatcher, status: any StatusSource, policy: any PermissionPolicy,
        limits: Limits = Limits(), counters: ConnectionCounters = ConnectionCounters(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SystemError) {
        try self.init(
            dispatcher: dispatcher, status: status, policy: policy, limits: limits, counters: counters, report: report,
            accept: { listener throws(SystemError) in try LocalSocket.accept(listener) })
    }

    /// As above, with another way to accept connections.
    init(
        dispatcher: CommandDispatcher, status: any StatusSource, policy: any PermissionPolicy,
        limits: Limits, counters: ConnectionCounters, report: @escaping @Sendable (String) -> Void,
        accept: @escaping Accept
    ) throws(SystemError) {
        self.counters = counters
        self.report = report
        self.accept = accept
        let shared = try Shared()
        self.shared = shared
        self.policy = policy
        self.limits = limits
        host = ControlSession.Host(
            dispatcher: dispatcher, status: status, willWatch: { shared.watch($0) },
            deliver: { shared.deliver(.init(connection: $0, call: $1, result: $2)) })
    }

    /// Starts to serve on all listeners; once.
    public func start(on listeners: [ControlListener]) throws(SystemError) {
        let loop = try ServerLoop(
            shared: shared, host: host, policy: policy, limits: limits, counters: counters, accept: accept,
            report: report)
        try loop.prepare(listeners)
        let handover = Handover(loop)
        let thread = try DedicatedThread(name: "control", stackSize: 512 << 10) { handover.take()?.run() }
        self.thread.withLock { $0 = thread }
    }

    /// Tells that a part has changed: whoever watches it will get its value, read from the `StatusSource` at that time.
    /// Any thread; takes no lock.
    public func publish(_ part: StatusPart) { shared.publish(StatusParts(part)) }

    /// Calls back on the server's thread when it has done what it is at. Any thread.
    public func whenServing(_ answer: @escaping @Sendable () -> Void) { shared.ask(answer) }

    /// Closes all connections and waits until the thread has ended. Paths of its own are removed with the listeners.
    public func stop() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        shared.stop()
        thread.join()
    }
}

/// Carries the loop to its thread. Whoever starts the server lets go of it before the thread is told to run.
private final class Handover: Sendable {
    private let held: Mutex<ServerLoop?>
    init(_ loop: sending ServerLoop) { held = Mutex(loop) }
    func take() -> ServerLoop? { held.withLock { $0.take() } }
}

/// What other threads leave for the server's.
final class Shared: Sendable {
    struct Finished {
        let connection: ConnectionID
        let call: ControlSession.CallNumber
        let result: Result<JSONValue, ControlError>
    }

    let bell: EventDescriptor
    private let changed = Atomic<UInt32>(0)
    private let watched = Atomic<UInt32>(0)
    private let isStopping = Atomic(false)
    private let finished = Mutex<[Finished]>([])
    private let asked = Mutex<[@Sendable () -> Void]>([])

    init() throws(SystemError) { bell = try EventDescriptor() }

    func publish(_ parts: StatusParts) {
        // A watcher sets its bit before it reads the value, and a writer writes the value before it looks at the bit:
        // in a single order of all four, either the watcher reads the new value or the writer sees the bit.
        guard watched.load(ordering: .sequentiallyConsistent) & parts.rawValue != 0 else { return }
        let before = changed.bitwiseOr(parts.rawValue, ordering: .sequentiallyConsistent).oldValue
        if before & parts.rawValue != parts.rawValue { bell.signal() }
    }

    func watch(_ parts: StatusParts) { watched.bitwiseOr(parts.rawValue, ordering: .sequentiallyConsistent) }

    func unwatch(_ parts: StatusParts) {
        watched.bitwiseAnd(~parts.rawValue, ordering: .sequentiallyConsistent)
        changed.bitwiseAnd(~parts.rawValue, ordering: .sequentiallyConsistent)
    }

    /// Parts that have changed and were not taken yet.
    var changedParts: StatusParts { StatusParts(rawValue: changed.load(ordering: .sequentiallyConsistent)) }

    /// To be called before the values are read, so that a change that comes in between is told again.
    func take(_ parts: StatusParts) { changed.bitwiseAnd(~parts.rawValue, ordering: .sequentiallyConsistent) }

    func deliver(_ one: Finished) {
        let isFirst = finished.withLock { finished in
            finished.append(one)
            return finished.count == 1
        }
        if isFirst { bell.signal() }
    }

    func takeFinished() -> [Finished] {
        finished.withLock { finished in
            guard !finished.isEmpty else { return [] }
            defer { finished = [] }
            return finished
        }
    }

    func ask(_ answer: @escaping @Sendable () -> Void) {
        asked.withLock { $0.append(answer) }
        bell.signal()
    }

    func takeAsked() -> [@Sendable () -> Void] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }

    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        bell.signal()
    }

    var mustStop: Bool { isStopping.load(ordering: .sequentiallyConsistent) }
}
