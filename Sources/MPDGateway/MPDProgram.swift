internal import CommandLineTool
internal import ControlClient
internal import Diagnostics
internal import GatewayKit
internal import Glibc
internal import LineServing
internal import PasswordHashing
internal import PodcastModel
internal import SystemCalls

/// podcast-mpd, from command line to exit status.
public enum MPDProgram {
    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        CurrentProcess.ignore(SIGPIPE)
        return run().rawValue
    }

    private static func run(
        _ arguments: [String] = ProcessArguments.all, streams: ToolStreams = .standard,
        variable: (String) -> String? = CurrentProcess.variable
    ) -> ExitStatus {
        MPDDeclaration.program.run(arguments, streams: streams) { parsed, output throws(ToolFailure) in
            if parsed.isSet(MPDDeclaration.hashPassword) {
                let password = try SecretInput.line(prompt: "Password: ", on: streams.errors)
                guard let hash = PasswordHash.make(from: password) else {
                    throw ToolFailure(.badData, "the password is longer than 511 bytes")
                }
                try output.line(hash.text)
                return .success
            }
            let settings = try settings(parsed.text(MPDDeclaration.config), variable)
            let place = SocketDiscovery(explicit: parsed.text(MPDDeclaration.socket), variable: variable)
            let listeners = try listeners(try addresses(parsed, settings), output)
            try serve(MPDService(socket: place.path, settings: settings, now: .now), on: listeners)
            return .success
        }
    }

    private static func addresses(
        _ parsed: ParsedArguments, _ settings: MPDSettings
    ) throws(ToolFailure) -> [ListenAddress] {
        var addresses: [ListenAddress] = []
        for text in parsed.texts(MPDDeclaration.listen) {
            guard let address = ListenAddress(parsing: text) else {
                throw ToolFailure(.usage, "--listen: '\(text)' is not \(ListenAddress.syntax)")
            }
            addresses.append(address)
        }
        if addresses.isEmpty { addresses = settings.listen }
        return addresses.isEmpty ? [.internet(host: "localhost", port: MPDDeclaration.port)] : addresses
    }

    private static func listeners(
        _ addresses: [ListenAddress], _ output: ToolOutput
    ) throws(ToolFailure) -> [LineListener] {
        var listeners: [LineListener] = []
        var ports: [UInt16] = []
        for descriptor in try GatewayListeners.open(addresses) {
            if let port = InternetListener.port(of: descriptor), !ports.contains(port) { ports.append(port) }
            do throws(SystemError) {
                listeners.append(try LineListener(adopting: FileDescriptor(owning: descriptor)))
            } catch {
                throw ToolFailure(.unavailable, error.description)
            }
        }
        for port in ports { try output.line("localhost:\(port)") }
        try output.flush()
        return listeners
    }

    /// Serves until a signal ends it.
    private static func serve(
        _ service: sending MPDService, on listeners: [LineListener]
    ) throws(ToolFailure) {
        do throws(SystemError) {
            // Its clients may be many: the usual limit of 1024 descriptors is lower than that of connections.
            try? DescriptorLimit.raise()
            let signals = try SignalDescriptor(catching: [SIGTERM, SIGINT, SIGHUP])
            var limits = LineServer.Limits()
            (limits.connections, limits.connectionsPerAccount) = (2048, 1536)
            (limits.line, limits.bytesPerAccount) = (64 << 10, 32 << 20)
            let log = Logger(
                levels: LogLevels(.info),
                to: .ofProcess(identifier: "podcast-mpd", variable: CurrentProcess.variable))
            let server = try LineServer(
                threadName: .control, limits: limits, report: { log.log(.warning, .control, $0) },
                failed: { error in
                    log.log(.error, .control, error.description)
                    exit(ExitStatus.software.rawValue)
                })
            try server.start(service, on: listeners)
            // It connects to the daemon as soon as there is one.
            server.wake()
            let manager = ServiceNotifier.fromEnvironment()
            manager.ready()
            _ = try signals.next(until: .distantFuture)
            manager.stopping()
            server.stop()
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }

    private static func settings(
        _ explicit: String?, _ variable: (String) -> String?
    ) throws(ToolFailure) -> MPDSettings {
        let folder =
            variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? variable("HOME").map { "\($0)/.config" }
        guard let path = explicit ?? folder.map({ "\($0)/podcastd/mpd.conf" }) else { return MPDSettings() }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try StoredFile.contents(of: path, limit: 1 << 20)
        } catch {
            if explicit == nil && error.code == ENOENT { return MPDSettings() }
            throw ToolFailure(.configuration, "\(path): \(error.reason)")
        }
        do throws(MPDSettings.Failure) {
            return try MPDSettings(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ToolFailure(.configuration, "\(path), \(error)")
        }
    }
}
