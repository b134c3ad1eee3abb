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
    /// With --data-dir only a socket that the user gave is used, because the daemon at the standard path has another
    /// library with other feed ids. The standard socket is not used unless a daemon has locked the library: systemd may
    /// listen there, and a connection would start the daemon.
    init?(option: String?, isLibraryChosen: Bool, library: DataFolder, variable: (String) -> String?) {
        let isNamed = option != nil || variable("PODCASTD_SOCKET") != nil
        guard isNamed || (!isLibraryChosen && LibraryLock.isHeld(.daemon, in: library.path)) else { return nil }
        let path = SocketDiscovery(explicit: option, variable: variable).path
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
