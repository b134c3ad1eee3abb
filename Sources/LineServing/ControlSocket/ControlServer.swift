internal import Synchronization
public import ControlLanguage
public import SystemCalls

/// The server side of the control socket. Command handlers are called on the server's thread, `control`.
public final class ControlServer: Sendable {
    private let lines: LineServer
    private let mailbox: ControlMailbox
    private let makeService: @Sendable () -> ControlService

    /// - Parameters:
    ///   - eventInterval: minimum time between two events of one part.
    ///   - report: receives a log message if connections cannot be accepted. Called on the server's thread.
    ///   - failed: called if the server has to end; see `LineServer`. By default the process ends, because no client can reach it.
    public init(
        dispatcher: CommandDispatcher, status: any StatusSource, policy: any PermissionPolicy,
        limits: LineServer.Limits = LineServer.Limits(),
        eventInterval: Duration = .milliseconds(100),
        counters: ServerCounters = ServerCounters(), files: HandedFiles = HandedFiles(),
        report: @escaping @Sendable (String) -> Void = { _ in },
        failed: @escaping @Sendable (SystemError) -> Void = { fatalError($0.description) }
    ) throws(SystemError) {
        var limits = limits
        limits.line = Outgoing.maximumLine
        let lines = try LineServer(
            threadName: .control, limits: limits, counters: counters, report: report, failed: failed)
        let mailbox = ControlMailbox { lines.wake() }
        self.lines = lines
        self.mailbox = mailbox
        makeService = {
            ControlService(
                mailbox: mailbox, dispatcher: dispatcher, status: status, policy: policy,
                eventInterval: eventInterval, counters: counters, files: files)
        }
    }

    /// Call once.
    public func start(on listeners: [LineListener]) throws(SystemError) {
        try lines.start(makeService(), on: listeners)
    }

    /// Reports a change of a part: clients that watch the part get its value, read from the `StatusSource` at that
    /// time. Any thread; takes no lock. Costs one atomic operation if no client watches the part.
    public func publish(_ part: StatusPart) { mailbox.publish(StatusParts(part)) }

    /// Calls `answer` on the server's thread after its current work. Any thread.
    public func whenServing(_ answer: @escaping @Sendable () -> Void) { lines.whenServing(answer) }

    /// Closes all connections and waits until the thread has ended.
    public func stop() { lines.stop() }
}

/// Passes changed parts and results of commands from other threads to the server's thread.
final class ControlMailbox: Sendable {
    typealias Finished = (connection: ConnectionID, call: ControlSession.CallNumber, result: CommandResult)

    private let wake: @Sendable () -> Void
    private let changed = Atomic<UInt32>(0)
    private let watched = Atomic<UInt32>(0)
    private let finished = Mutex<[Finished]>([])

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func publish(_ parts: StatusParts) {
        // The server sets the bit of a watched part before it reads the value, and a writer writes the value before it
        // reads the bit: in a single order of all four, either the server reads the new value or the writer sees the bit.
        guard watched.load(ordering: .sequentiallyConsistent) & parts.rawValue != 0 else { return }
        let before = changed.bitwiseOr(parts.rawValue, ordering: .sequentiallyConsistent).oldValue
        if before & parts.rawValue != parts.rawValue { wake() }
    }

    func watch(_ parts: StatusParts) { watched.bitwiseOr(parts.rawValue, ordering: .sequentiallyConsistent) }

    func unwatch(_ parts: StatusParts) {
        watched.bitwiseAnd(~parts.rawValue, ordering: .sequentiallyConsistent)
        changed.bitwiseAnd(~parts.rawValue, ordering: .sequentiallyConsistent)
    }

    var changedParts: StatusParts { StatusParts(rawValue: changed.load(ordering: .sequentiallyConsistent)) }

    /// Call before the values are read, so that a change in between is published again.
    func take(_ parts: StatusParts) { changed.bitwiseAnd(~parts.rawValue, ordering: .sequentiallyConsistent) }

    @Sendable func deliver(_ connection: ConnectionID, _ call: ControlSession.CallNumber, _ result: CommandResult) {
        finished.withLock { $0.append((connection, call, result)) }
        wake()
    }

    func takeFinished() -> [Finished] { finished.withLock { exchange(&$0, with: []) } }
}

/// Per connection at most one descriptor that came with a request and that no command has used yet. The descriptor is
/// closed when the requests that came with it are processed.
public final class HandedFiles: Sendable {
    private let files = Mutex<[ConnectionID: OpenFile]>([:])

    public init() {}

    /// Removes and returns the descriptor of the request. Only while a command begins, on the server's thread.
    public func take(from connection: ConnectionID) -> OpenFile? {
        files.withLock { $0.removeValue(forKey: connection) }
    }

    func keep(_ file: OpenFile, from connection: ConnectionID) { files.withLock { $0[connection] = file } }
}
