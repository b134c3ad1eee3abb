internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import PodcastModel
internal import SessionBus
internal import SystemCalls

/// podcast-mpris, from command line to exit status.
public enum MPRISProgram {
    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-mpris", "Control the podcast player with media keys and from the desktop.",
            details: [
                "Offers the player on the session bus as org.mpris.MediaPlayer2.podcastd (MPRIS 2), so that media keys, "
                    + "desktop environments and playerctl control it and show the current episode. If another program has "
                    + "the name, it is org.mpris.MediaPlayer2.podcastd.instancePID.",
                "It has the permission 'control' at most. The daemon may be started and stopped while podcast-mpris runs.",
                "Shuffle shuffles the rest of the queue once. "
                    + "Episodes are never repeated, so the loop status is always 'None'.",
            ],
            options: [],
            ManualNotes(
                statuses: [.success, .usage, .unavailable, .software, .protocolFault, .noPermission],
                environment: [
                    ("DBUS_SESSION_BUS_ADDRESS", "The session bus (default: the one in XDG_RUNTIME_DIR).")
                ],
                files: [
                    (
                        "$XDG_RUNTIME_DIR/podcast-mpris/",
                        "The cover of the current episode; desktop environments read it from there."
                    )
                ],
                examples: [
                    (
                        "systemctl --user enable --now podcast-mpris.service", "Start it with the daemon from now on."
                    ),
                    ("playerctl -p podcastd play-pause", "Pause or resume."),
                    (
                        "playerctl -p podcastd metadata --format '{{artist}}: {{title}}'", "Show the current episode."
                    ),
                ], seeAlso: ["playerctl(1)", "podcastctl(1)", "podcastd(8)", "podcast-web(1)"]))
    }

    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            let cover = CoverFile(variable: CurrentProcess.variable, process: CurrentProcess.number)
            let connection = ControlConnection(reconnectingTo: launch.socket, restrictedTo: .control)
            try BusService(MPRISService(connection: connection, cover: cover)).run()
        }
    }
}

/// Offers the player's object on the session bus.
final class BusService: GatewayService {
    private static let name = "org.mpris.MediaPlayer2.podcastd"

    private let service: MPRISService
    private let bus: SessionBus

    init(_ service: MPRISService) throws(ToolFailure) {
        self.service = service
        let hint = "podcast-mpris needs a user's session with D-Bus; DBUS_SESSION_BUS_ADDRESS is its address"
        let bus = try ToolFailure.wrapping(.unavailable, hint: hint) {
            try SessionBus(object: MPRISService.object) { service.answer($0) }
        }
        try ToolFailure.wrapping(.unavailable) {
            // Every player has its own name, so a second one adds its process id, as the specification says.
            if try !bus.take(name: Self.name) {
                _ = try bus.take(name: "\(Self.name).instance\(CurrentProcess.number)")
            }
        }
        self.bus = bus
    }

    var connection: ControlConnection { service.connection }
    var waits: [PollEntry] {
        [PollEntry(bus.descriptor)] + (bus.wantsWriting ? [PollEntry(bus.descriptor, forWriting: true)] : [])
    }
    var deadline: Instant? { service.hasWork ? .now : bus.deadline }
    var isReady: Bool { service.isSettled }

    func process() throws(ToolFailure) {
        try ToolFailure.wrapping(.unavailable) {
            for signal in service.process() { try bus.emit(signal.interface, signal.member, signal.values) }
            service.answerFinished()
            try bus.process()
        }
    }

    func stop() { service.close() }
}
