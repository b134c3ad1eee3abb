internal import CommandLineTool
internal import ControlClient
internal import Diagnostics
internal import Glibc
internal import MPRISModel
internal import PodcastModel
internal import SessionBus
internal import SystemCalls

/// The loop between the session bus and the daemon.
struct MPRISLoop: ~Copyable {
    private static let name = "org.mpris.MediaPlayer2.podcastd"

    private let service: MPRISService
    private let bus: SessionBus
    private let signals: SignalDescriptor

    init(service: MPRISService) throws(ToolFailure) {
        let signals = try Self.catchSignals()
        let bus = try Self.connect(service)
        (self.service, self.bus) = (service, bus)
        self.signals = signals
    }

    private static func catchSignals() throws(ToolFailure) -> SignalDescriptor {
        do throws(SystemError) {
            return try SignalDescriptor(catching: [SIGTERM, SIGINT, SIGHUP])
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }

    private static func connect(_ service: MPRISService) throws(ToolFailure) -> SessionBus {
        do throws(BusError) {
            return try SessionBus(object: MPRISService.object) { service.answer($0) }
        } catch {
            throw ToolFailure(
                .unavailable, error.description,
                hint: "podcast-mpris needs a user's session with D-Bus; DBUS_SESSION_BUS_ADDRESS is its address")
        }
    }

    /// Serves until a signal ends it.
    func run() throws(ToolFailure) {
        let manager = ServiceNotifier.fromEnvironment()
        var isReady = false
        try usingBus { () throws(BusError) in try takeName() }
        while try !hasEnded() {
            try usingBus { () throws(BusError) in
                let changes = service.process()
                for signal in changes { try bus.emit(signal.interface, signal.member, signal.values) }
                service.answerFinished()
                try bus.process()
            }
            try checkConnection()
            if !isReady && service.isSettled {
                manager.ready()
                isReady = true
            }
        }
        manager.stopping()
        service.close()
    }

    private func usingBus(_ body: () throws(BusError) -> Void) throws(ToolFailure) {
        do throws(BusError) {
            try body()
        } catch {
            throw ToolFailure(.unavailable, error.description)
        }
    }

    /// Every player has its own name, so a second one adds its process id, as the specification says.
    private func takeName() throws(BusError) {
        do throws(BusError) {
            try bus.take(name: Self.name)
        } catch {
            guard error.isNameTaken else { throw error }
            try bus.take(name: "\(Self.name).instance\(CurrentProcess.number)")
        }
    }

    /// Waits until there is something to do.
    ///
    /// - Returns: whether a signal has come.
    private func hasEnded() throws(ToolFailure) -> Bool {
        let connection = service.connection
        var entries = [PollEntry(signals.raw), PollEntry(connection.descriptor), PollEntry(bus.descriptor)]
        if connection.wantsWriting { entries.append(PollEntry(connection.descriptor, forWriting: true)) }
        if bus.wantsWriting { entries.append(PollEntry(bus.descriptor, forWriting: true)) }
        let deadline = [connection.deadline, bus.deadline].compactMap(\.self).min() ?? .distantFuture
        do throws(SystemError) {
            try waitForAny(&entries, until: service.hasWork ? .now : deadline)
            return try signals.next(until: .now) != nil
        } catch {
            throw ToolFailure(.software, error.description)
        }
    }

    /// A failure that another attempt cannot change ends the program, so that the service manager reports it.
    private func checkConnection() throws(ToolFailure) {
        guard case .failed(let failure) = service.connection.state else { return }
        let isForbidden = if case .forbidden = failure { true } else { false }
        throw ToolFailure(isForbidden ? .noPermission : .protocolFault, SafeText.line(failure.message))
    }
}
