internal import Glibc
public import PodcastModel
internal import SystemCalls

/// A service's messages to systemd: sd_notify(3). Without `NOTIFY_SOCKET` every call does nothing.
///
/// The protocol, one datagram of `NAME=value` lines, is stable and documented, so libsystemd is not linked.
public struct ServiceNotifier: Sendable {
    private let address: String?

    public init(address: String?) { self.address = address }

    /// Reads `NOTIFY_SOCKET` and removes the variable, so that child processes do not send messages for this process.
    public static func fromEnvironment() -> ServiceNotifier {
        ServiceNotifier(address: CurrentProcess.takeVariable("NOTIFY_SOCKET"))
    }

    /// Reports that the library is open and the socket listens.
    public func ready() { send("READY=1") }
    public func stopping() { send("STOPPING=1", waits: false) }
    /// Reports that the service reads its settings again; call `ready` afterwards.
    /// - Parameter instant: CLOCK_MONOTONIC; systemd requires it.
    public func reloading(at instant: Instant) { send("RELOADING=1\nMONOTONIC_USEC=\(instant.nanoseconds / 1000)") }

    public func watchdog() { send("WATCHDOG=1", waits: false) }

    /// Ignores failures. Without `waits` the call does not wait for a full socket, so that the daemon can always end.
    private func send(_ lines: String, waits: Bool = true) {
        guard let address else { return }
        try? sendUnixDatagram(Array(lines.utf8), to: address, waits: waits)
    }

    /// The interval in which systemd expects `watchdog`; nil without a watchdog: sd_watchdog_enabled(3).
    public static func watchdogInterval() -> Duration? {
        let interval = CurrentProcess.takeVariable("WATCHDOG_USEC").flatMap { Int64($0) }
        let process = CurrentProcess.takeVariable("WATCHDOG_PID").flatMap { Int32($0) }
        guard let interval, interval > 0, process ?? CurrentProcess.number == CurrentProcess.number else { return nil }
        return .microseconds(interval)
    }
}

/// Sockets from systemd: sd_listen_fds(3).
public enum SocketActivation {
    /// The descriptors, close-on-exec; empty if `LISTEN_PID` is not this process. Removes the variables.
    public static func inheritedSockets() -> [Int32] {
        let process = CurrentProcess.takeVariable("LISTEN_PID").flatMap { Int32($0) }
        let count = CurrentProcess.takeVariable("LISTEN_FDS").flatMap { Int32($0) }
        _ = CurrentProcess.takeVariable("LISTEN_FDNAMES")
        guard process == CurrentProcess.number, let count, (1...64).contains(count) else { return [] }
        // SD_LISTEN_FDS_START.
        let sockets = Array(3..<3 + count)
        for socket in sockets { try? FileDescriptor.setCloseOnExec(socket) }
        return sockets
    }
}
