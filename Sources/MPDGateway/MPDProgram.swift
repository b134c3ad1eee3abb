internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import Glibc
internal import LineServing
internal import PasswordHashing
internal import PodcastModel
internal import Reporting
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
            let settings: MPDSettings = try SettingsFile.read(
                "mpd.conf", explicit: parsed.text(MPDDeclaration.config), variable: variable)
            let addresses = try GatewayOptions.addresses(
                parsed.texts(MPDDeclaration.listen), configured: settings.listen, port: MPDDeclaration.port)
            let place = SocketDiscovery(explicit: parsed.text(MPDDeclaration.socket), variable: variable)
            let listeners = try listeners(addresses, output)
            try serve(settings, socket: place.path, on: listeners)
            return .success
        }
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
        _ settings: MPDSettings, socket: String, on listeners: [LineListener]
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
            let service = MPDService(socket: socket, settings: settings, now: .now) { server.wake() }
            try server.start(service, on: listeners)
            // It connects to the daemon as soon as there is one.
            server.wake()
            let manager = ServiceNotifier.fromEnvironment()
            manager.ready()
            let patience = ServiceNotifier.watchdogInterval().map { $0 / 2 }
            while try signals.next(until: patience.map { .now + $0 } ?? .distantFuture) == nil {
                server.whenServing { manager.watchdog() }
            }
            manager.stopping()
            server.stop()
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }
}
