internal import CommandLineTool
internal import ControlClient
internal import Diagnostics
internal import Glibc
internal import HTTPServing
internal import PodcastModel
internal import SystemCalls

/// The loop between HTTP clients and the daemon.
struct WebLoop: ~Copyable {
    private let connection: ControlConnection
    private let service: WebService
    private let servers: [HTTPServer]
    private let signals: SignalDescriptor

    /// - Parameter listeners: listening sockets, which it owns from now on.
    init(connection: ControlConnection, service: WebService, listeners: [Int32]) throws(ToolFailure) {
        let signals = try Self.catchSignals()
        let servers = try Self.servers(service, listeners)
        self.connection = connection
        self.service = service
        self.servers = servers
        self.signals = signals
    }

    private static func catchSignals() throws(ToolFailure) -> SignalDescriptor {
        do throws(SystemError) {
            return try SignalDescriptor(catching: [SIGTERM, SIGINT, SIGHUP])
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }

    private static func servers(_ service: WebService, _ listeners: [Int32]) throws(ToolFailure) -> [HTTPServer] {
        var servers: [HTTPServer] = []
        for listener in listeners {
            do throws(HTTPServingError) {
                servers.append(
                    try HTTPServer(listener: FileDescriptor(owning: listener)) { service.answer($0) })
            } catch {
                throw ToolFailure(.software, "the HTTP server cannot start")
            }
        }
        return servers
    }

    /// Serves until a signal ends it.
    func run() throws(ToolFailure) {
        let manager = ServiceNotifier.fromEnvironment()
        manager.ready()
        do throws(SystemError) {
            while try signals.next(until: .now) == nil { try turn() }
        } catch {
            throw ToolFailure(.software, error.description)
        }
        manager.stopping()
    }

    private func turn() throws(SystemError) {
        let deadlines = [connection.deadline, service.deadline].compactMap(\.self)
        let timeouts = servers.compactMap(\.nextTimeout).map { Instant.now + $0 }
        var entries = [PollEntry(signals.raw), PollEntry(connection.descriptor)]
        if connection.wantsWriting { entries.append(PollEntry(connection.descriptor, forWriting: true)) }
        entries += servers.map { PollEntry($0.descriptor) }
        _ = try waitForAny(&entries, until: (deadlines + timeouts).min() ?? .distantFuture)
        for event in connection.process() { service.take(event) }
        service.keepAlive(at: .now)
        for server in servers { server.run() }
    }
}
