internal import Configuration
internal import ControlClient
internal import ControlLanguage
internal import Library

/// A daemon that runs with the same library.
final class DaemonLink: DaemonConnection {
    /// One answer may take this long; a daemon that is slower is not told anything more.
    private static let patience = Duration.seconds(1)
    private var client: ControlConnection?

    /// Connects, if there is a daemon.
    ///
    /// Unless the user gave a socket, it is that of the daemon that has locked the library, which says in its lock where it
    /// listens. Nothing else depends on the environment, which cron does not have. Without such a daemon no socket is used:
    /// systemd may listen at the standard path, and a connection would start a daemon.
    init?(option: String?, library: DataFolder, variable: (String) -> String?) {
        guard
            let path = option ?? variable("PODCASTD_SOCKET") ?? LibraryLock.daemonSocket(in: library.path)
        else { return nil }
        guard let client = try? ControlConnection(path: path) else { return nil }
        client.timeout = Self.patience
        self.client = client
    }

    func call<Called: Command>(_ command: Called) -> Called.Reply? {
        do throws(ClientFailure) {
            return try client?.call(command)
        } catch {
            if case .refused = error { return nil }
            client = nil
            return nil
        }
    }
}
