internal import CommandLineTool
internal import Configuration
internal import ControlClient
internal import SystemCalls

/// podcast-tui, from command line to exit status.
public enum TerminalProgram {
    /// - Returns: the exit status of the process.
    public static func main() -> Int32 { run().rawValue }

    static func run(
        _ arguments: [String] = ProcessArguments.all, streams: ToolStreams = .standard,
        variable: (String) -> String? = CurrentProcess.variable
    ) -> ExitStatus {
        TerminalDeclaration.program.run(arguments, streams: streams) { parsed, _ throws(ToolFailure) in
            let place = SocketDiscovery(explicit: parsed.text(TerminalDeclaration.socket), variable: variable)
            let settings = try TerminalSettings.file.read(
                explicit: parsed.text(TerminalDeclaration.config), variable: variable)
            let isTerminal = TerminalInput.isTerminal(0) && streams.terminal.isInteractive
            if parsed.isSet(TerminalDeclaration.plain) || !isTerminal {
                if !parsed.isSet(TerminalDeclaration.plain) && TerminalInput.isTerminal(0) {
                    TerminalDeclaration.program.report(
                        ToolFailure(.success, "this terminal cannot move its cursor: line mode"), to: streams.errors)
                }
                return try LineMode(
                    connection: ControlConnection(reconnectingTo: place.path), socket: place.path, settings: settings,
                    streams: streams
                ).run(isEdited: isTerminal)
            }
            let first = parsed.text(TerminalDeclaration.screen).flatMap { name in
                ScreenName.named.first { $0.name == name }?.screen
            }
            return try FullScreen(
                connection: ControlConnection(reconnectingTo: place.path), socket: place.path, settings: settings,
                first: first ?? .queue,
                isASCII: parsed.isSet(TerminalDeclaration.ascii)
            ).run()
        }
    }
}
