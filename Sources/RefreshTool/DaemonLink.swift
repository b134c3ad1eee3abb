internal import ControlSocket
internal import JSON

/// A daemon that runs with the same library.
final class DaemonLink: DaemonConnection {
    /// Nanoseconds that one answer may take; a daemon that is slower is not told anything more.
    private static let patience: Int64 = 1_000_000_000
    private var client: ControlClient?

    /// Connects, if there is a daemon.
    ///
    /// With a library that was chosen only a socket that was named is used: a daemon at the usual place has another
    /// library, and its feeds other numbers.
    init?(option: String?, isLibraryChosen: Bool, variable: (String) -> String?) {
        if isLibraryChosen, option == nil, variable("PODCASTD_SOCKET") == nil { return nil }
        let path = SocketDiscovery(explicit: option, variable: variable).path
        guard let client = try? ControlClient(path: path, timeout: Self.patience) else { return nil }
        self.client = client
    }

    func call(_ method: String, _ parameters: JSONValue) -> JSONValue? {
        do throws(ControlClient.Failure) {
            return try client?.call(method, parameters)
        } catch {
            if case .refused = error { return nil }
            client = nil
            return nil
        }
    }
}
