internal import CommandLineTool
internal import ControlClient
internal import Glibc
internal import PodcastModel
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
            let settings = try settings(parsed.text(TerminalDeclaration.config), variable)
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

    private static func settings(
        _ explicit: String?, _ variable: (String) -> String?
    ) throws(ToolFailure) -> TerminalSettings {
        let own = StandardFolders(variable).configFile.map { StoredFile.folder(of: $0) + "/tui.conf" }
        guard let path = explicit ?? own else { return TerminalSettings() }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try StoredFile.contents(of: path, limit: 1 << 20)
        } catch {
            if explicit == nil && error.code == ENOENT { return TerminalSettings() }
            throw ToolFailure(.configuration, "\(path): \(error.reason)")
        }
        do throws(TerminalSettings.Failure) {
            return try TerminalSettings(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ToolFailure(.configuration, "\(path), \(error)")
        }
    }
}
