public import CommandLineTool
public import ControlClient
internal import Glibc
public import PodcastModel
internal import Reporting
public import SystemCalls

/// Connects the daemon with a gateway's clients. All calls come on one thread.
public protocol GatewayService: AnyObject {
    var connection: ControlConnection { get }
    /// What `run` waits for besides the daemon.
    var waits: [PollEntry] { get }
    /// When `process` must be called at the latest; nil for any time.
    var deadline: Instant? { get }
    /// Whether clients can be served. The service manager gets a notification then.
    var isReady: Bool { get }
    /// Whether the gateway continues, and its clients get errors, if the daemon refuses the connection permanently.
    var staysWhenRefused: Bool { get }
    /// Whether the gateway's clients have gone, so that the gateway ends.
    var isFinished: Bool { get }

    /// Handles what the daemon and the clients sent, without waiting.
    func process() throws(ToolFailure)
    /// Reads the config file again, after SIGHUP.
    /// - Returns: false to end instead.
    func reload() -> Bool
    func stop()
}

extension GatewayService {
    public var isReady: Bool { true }
    public var staysWhenRefused: Bool { false }
    public var isFinished: Bool { false }
    public func reload() -> Bool { false }
    public func stop() {}

    /// Serves until `isFinished`, SIGTERM, SIGINT, or SIGHUP without `reload`. Without a daemon, says so once and waits for one.
    ///
    /// - Throws: also, unless `staysWhenRefused`, a failure of the connection to the daemon that another attempt cannot change, so
    ///   that the service manager reports it.
    public func run() throws(ToolFailure) {
        let signals = try ToolFailure.wrapping(.software) {
            try SignalDescriptor(catching: [SIGTERM, SIGINT, SIGHUP])
        }
        let manager = ServiceNotifier.fromEnvironment()
        let watchdogInterval = ServiceNotifier.watchdogInterval().map { $0 / 2 }
        var nextKeepAlive = watchdogInterval.map { .now + $0 } ?? .distantFuture
        var isAnnounced = false
        var isAbsenceReported = false
        while !isFinished {
            if isReady && !isAnnounced {
                manager.ready()
                isAnnounced = true
            }
            if let signal = try wait(for: signals, until: nextKeepAlive) {
                guard signal == SIGHUP, reload() else { break }
            }
            try process()
            if let watchdogInterval, nextKeepAlive <= .now {
                manager.watchdog()
                nextKeepAlive = .now + watchdogInterval
            }
            try checkConnection()
            if case .waiting = connection.state, !isAbsenceReported {
                isAbsenceReported = true
                ToolStreams.standard.errors.line("waiting for podcastd at \(SafeText.line(connection.path))")
            }
        }
        manager.stopping()
        stop()
    }

    /// Waits until there is something to do.
    ///
    /// - Returns: a signal that has come.
    private func wait(for signals: borrowing SignalDescriptor, until end: Instant) throws(ToolFailure) -> Int32? {
        var entries = [PollEntry(signals.raw), PollEntry(connection.descriptor)] + waits
        if connection.wantsWriting { entries.append(PollEntry(connection.descriptor, forWriting: true)) }
        return try ToolFailure.wrapping(.software) {
            try waitForAny(&entries, until: [connection.deadline, deadline, end].compactMap(\.self).min() ?? end)
            return try signals.next(until: .now)
        }
    }

    private func checkConnection() throws(ToolFailure) {
        guard !staysWhenRefused, case .failed(let failure) = connection.state else { return }
        let isForbidden = if case .forbidden = failure { true } else { false }
        throw ToolFailure(isForbidden ? .noPermission : .protocolFault, SafeText.line(failure.message))
    }
}
