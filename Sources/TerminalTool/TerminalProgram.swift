internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import PodcastModel
internal import SystemCalls

/// podcast-tui, from command line to exit status.
public enum TerminalProgram {
    private static let socket = OptionDeclaration("socket", nil, "PATH", .file, help: "The daemon's control socket.")
    private static let plain = OptionDeclaration(
        flag: "plain", help: "Line mode: commands and answers line by line, for screen readers, braille and pipes.")
    private static let ascii = OptionDeclaration(flag: "ascii", help: "Draw with ASCII characters only.")
    private static let screen = OptionDeclaration(
        "screen", nil, "NAME", .choice(ScreenName.named.map(\.name)), help: "The screen to begin with (default: queue)."
    )
    private static let config = TerminalSettings.file.option("Keys, colours and pictures")

    private static var program: ProgramDeclaration {
        ProgramDeclaration(
            "podcast-tui", "Control the podcast player in a terminal.",
            details: [
                "Shows the daemon's queue, feeds, episodes, playlists, rules, downloads, outputs and settings, and plays. '?' lists the "
                    + "keys, 'q' leaves; playback continues.",
                "Line mode starts with --plain, if standard input or output is not a terminal, and on a terminal that cannot move its "
                    + "cursor. Type a command of podcastctl or a key on each line; replies and events are printed as lines. 'help' "
                    + "lists the commands, 'more' continues a long reply, 'where am I' and 'what is happening' describe the state.",
            ],
            options: [socket, plain, ascii, screen, config],
            manual: ManualNotes(
                statuses: [.success, .usage, .unavailable, .ioError, .configuration],
                environment: [
                    ("PODCASTD_SOCKET", "The daemon's control socket; --socket takes precedence."),
                    ("TERM", "The terminal's kind; 'dumb' means line mode."),
                    ("NO_COLOR", "If set and not empty, colours are disabled."),
                    ("KITTY_WINDOW_ID", "If set, covers are shown with the kitty graphics protocol."),
                    ("TERM_PROGRAM", "'ghostty' and 'WezTerm' show covers with the kitty graphics protocol."),
                    ("COLORFGBG", "Whether the terminal's background is light, where the terminal says so."),
                ],
                files: [
                    (
                        "~/.config/podcastd/tui.conf",
                        "Keys, colours and pictures: below [keys] lines such as 'f2 = screen-feeds' (nothing after the sign frees a key), below "
                            + "[colors] lines such as 'theme = light', 'heading = 4' or 'bar = 0 on 12', below [pictures] 'protocol "
                            + "= auto', 'kitty' or 'off' for covers on terminals with the kitty graphics protocol."
                    )
                ],
                examples: [
                    ("podcast-tui --screen playing", "Begin with the current episode."),
                    ("podcast-tui --plain", "Control the player line by line."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)"]))
    }

    public static func main() -> Int32 {
        let streams = ToolStreams.standard
        return program.run(streams: streams) { parsed, _ throws(ToolFailure) in
            let place = SocketDiscovery(explicit: parsed.text(socket), variable: CurrentProcess.variable)
            let settings = try TerminalSettings.file.read(explicit: parsed.text(config))
            let connection = ControlConnection(reconnectingTo: place.path)
            let isTerminal = TerminalInput.isTerminal(0) && streams.terminal.isInteractive
            if parsed.isSet(plain) || !isTerminal {
                if !parsed.isSet(plain) && TerminalInput.isTerminal(0) {
                    program.report(
                        ToolFailure(.success, "this terminal cannot move its cursor: line mode"), to: streams.errors)
                }
                return try LineMode(connection: connection, settings: settings, streams: streams)
                    .run(isEdited: isTerminal)
            }
            let first = parsed.text(screen).flatMap { name in ScreenName.named.first { $0.name == name }?.screen }
            return try FullScreen(
                connection: connection, settings: settings, first: first ?? .queue, isASCII: parsed.isSet(ascii)
            ).run()
        }.rawValue
    }
}
