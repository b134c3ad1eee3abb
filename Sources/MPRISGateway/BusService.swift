internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import PodcastModel
internal import SessionBus
internal import SystemCalls

/// Offers the player's object on the session bus.
final class BusService: GatewayService {
    private static let name = "org.mpris.MediaPlayer2.podcastd"

    private let service: MPRISService
    private let bus: SessionBus

    init(_ service: MPRISService) throws(ToolFailure) {
        self.service = service
        do throws(BusError) {
            bus = try SessionBus(object: MPRISService.object) { service.answer($0) }
        } catch {
            throw ToolFailure(
                .unavailable, error.description,
                hint: "podcast-mpris needs a user's session with D-Bus; DBUS_SESSION_BUS_ADDRESS is its address")
        }
        try usingBus { () throws(BusError) in try takeName() }
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

    private func usingBus(_ body: () throws(BusError) -> Void) throws(ToolFailure) {
        do throws(BusError) {
            try body()
        } catch {
            throw ToolFailure(.unavailable, error.description)
        }
    }

    var connection: ControlConnection { service.connection }
    var waits: [PollEntry] {
        [PollEntry(bus.descriptor)] + (bus.wantsWriting ? [PollEntry(bus.descriptor, forWriting: true)] : [])
    }
    var deadline: Instant? { service.hasWork ? .now : bus.deadline }
    var isReady: Bool { service.isSettled }

    func process() throws(ToolFailure) {
        try usingBus { () throws(BusError) in
            for signal in service.process() { try bus.emit(signal.interface, signal.member, signal.values) }
            service.answerFinished()
            try bus.process()
        }
    }

    func stop() { service.close() }
}
