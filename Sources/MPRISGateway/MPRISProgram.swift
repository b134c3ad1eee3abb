internal import CommandLineTool
internal import ControlClient
internal import GatewayKit
internal import SystemCalls

/// podcast-mpris, from command line to exit status.
public enum MPRISProgram {
    /// Help, manual and completions come from it.
    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-mpris", "Control the podcast player with media keys and from the desktop.",
            details: [
                "Offers the player on the session bus as org.mpris.MediaPlayer2.podcastd (MPRIS 2), so that media keys, "
                    + "desktop environments and playerctl control it and show what plays. If another program has the name, it is "
                    + "org.mpris.MediaPlayer2.podcastd.instancePID.",
                "It has the permission 'control' at most. The daemon may be started and stopped while podcast-mpris runs.",
                "The track list is the part of the queue around the current entry. Shuffle shuffles the rest of the queue once. "
                    + "Episodes are never repeated, so the loop status is always 'None'.",
            ],
            options: [],
            ManualNotes(
                statuses: [.success, .usage, .unavailable, .software, .protocolFault, .noPermission],
                environment: [
                    .init("DBUS_SESSION_BUS_ADDRESS", "The session bus (default: the one in XDG_RUNTIME_DIR).")
                ],
                files: [
                    .init(
                        "$XDG_RUNTIME_DIR/podcast-mpris/",
                        "The cover of the current episode; desktop environments read it from there.")
                ],
                examples: [
                    .init(
                        "systemctl --user enable --now podcast-mpris.service", "Start it with the daemon from now on."),
                    .init("playerctl -p podcastd play-pause", "Pause or resume."),
                    .init("playerctl -p podcastd metadata --format '{{artist}}: {{title}}'", "Show what plays."),
                ], seeAlso: ["playerctl(1)", "podcastctl(1)", "podcastd(8)", "podcast-web(1)"]))
    }

    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            let cover = CoverFile(variable: CurrentProcess.variable, process: CurrentProcess.number)
            let connection = ControlConnection(reconnectingTo: launch.socket)
            try BusService(MPRISService(connection: connection, cover: cover)).run()
        }
    }
}
