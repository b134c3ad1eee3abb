internal import Glibc
internal import PodcastModel
internal import SystemCalls

/// What a service tells systemd: sd_notify(3). Without `NOTIFY_SOCKET` every call does nothing.
///
/// The protocol is one datagram of `NAME=value` lines; systemd promises it stable, so no library is linked for it.
public struct ServiceNotifier: Sendable {
    /// Unicode scalars of a field's value; systemd shows one line.
    private static let maximumLength = 1000

    private let address: String?

    /// A notifier for an address; `fromEnvironment` finds the real one.
    public init(address: String?) { self.address = address }

    /// Takes `NOTIFY_SOCKET` from the environment and removes it, so that no child speaks in our name.
    public static func fromEnvironment() -> ServiceNotifier {
        ServiceNotifier(address: CurrentProcess.takeVariable("NOTIFY_SOCKET"))
    }

    /// The library is open and the socket listens.
    public func ready() { send(("READY", "1")) }
    /// It is going down.
    public func stopping() { send(("STOPPING", "1"), waits: false) }
    /// It reads its settings again; `ready` follows. systemd wants the monotonic time in microseconds with it.
    public func reloading(monotonicMicroseconds: Int64) {
        send(("RELOADING", "1"), ("MONOTONIC_USEC", "\(monotonicMicroseconds)"))
    }
    /// What became of a line for people.
    public enum Delivery: Sendable {
        /// The manager has it.
        case taken
        /// The manager does not read just now; it will have room again.
        case noRoom
        /// Nobody is there to read it.
        case noManager
    }

    /// A line for people in `systemctl status`, which every user may read, so addresses in it keep their secrets. A
    /// manager that does not read holds nobody up; see `StatusLines`.
    @discardableResult
    public func status(_ line: String) -> Delivery {
        guard let address else { return .noManager }
        // Cleaned first, because control characters inside an address could hide its secrets from the redaction.
        let text = redactingAddresses(in: SafeText.line(line))
        do throws(SystemError) {
            try sendUnixDatagram(Self.datagram([("STATUS", text)]), to: address, waits: false)
            return .taken
        } catch {
            return error.code == EAGAIN || error.code == ENOBUFS ? .noRoom : .noManager
        }
    }
    /// It is alive.
    public func watchdog() { send(("WATCHDOG", "1"), waits: false) }

    /// A manager that went away is no reason to fail, and one that does not read must not keep the daemon from ending.
    private func send(_ fields: (name: String, value: String)..., waits: Bool = true) {
        guard let address else { return }
        try? sendUnixDatagram(Self.datagram(fields), to: address, waits: waits)
    }

    /// The lines of a message. Each value is one line, so that no text can add a field of its own.
    private static func datagram(_ fields: [(name: String, value: String)]) -> [UInt8] {
        Array(fields.map { "\($0)=\(SafeText.line($1, atMost: maximumLength))" }.joined(separator: "\n").utf8)
    }

    /// How often systemd wants to hear `watchdog`, in microseconds; nil when it does not. sd_watchdog_enabled(3).
    public static func watchdogInterval() -> Int64? {
        let interval = CurrentProcess.takeVariable("WATCHDOG_USEC").flatMap { Int64($0) }
        let process = CurrentProcess.takeVariable("WATCHDOG_PID").flatMap { Int32($0) }
        guard let interval, interval > 0, process ?? CurrentProcess.number == CurrentProcess.number else { return nil }
        return interval
    }
}

/// Sockets that systemd opened for us: sd_listen_fds(3).
public enum SocketActivation {
    /// The first number of a descriptor that is passed.
    private static let firstDescriptor: Int32 = 3

    /// The passed descriptors with their names, each now close-on-exec. The variables are removed.
    ///
    /// Nothing is taken when `LISTEN_PID` is not this process: the variables were then meant for another one.
    public static func inheritedSockets() -> [(name: String, descriptor: Int32)] {
        let process = CurrentProcess.takeVariable("LISTEN_PID").flatMap { Int32($0) }
        let count = CurrentProcess.takeVariable("LISTEN_FDS").flatMap { Int32($0) }
        let names = CurrentProcess.takeVariable("LISTEN_FDNAMES") ?? ""
        guard process == CurrentProcess.number, let count, (1...64).contains(count) else { return [] }
        let parts = names.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        return (0..<count).map { offset in
            let descriptor = firstDescriptor + offset
            setCloseOnExec(descriptor)
            return (Int(offset) < parts.count ? parts[Int(offset)] : "unknown", descriptor)
        }
    }
}
