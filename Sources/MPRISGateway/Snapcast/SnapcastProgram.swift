internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// podcast-snapcast, from command line to exit status.
public enum SnapcastProgram {
    /// What snapserver passes; podcast-snapcast needs none of it.
    private static let passed = [
        OptionDeclaration("stream", nil, "NAME", .text, help: "The stream's name; passed by snapserver."),
        OptionDeclaration("snapcast-host", nil, "HOST", .text, help: "Snapserver's host; passed by snapserver."),
        OptionDeclaration("snapcast-port", nil, "PORT", .text, help: "Snapserver's HTTP port; passed by snapserver."),
    ]

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-snapcast",
            "Show in Snapcast's clients what the podcast player plays, and let them control the player.",
            details: [
                "A snapserver starts it as the control script of a stream and talks to it on standard input and output (JSON-RPC 2.0, "
                    + "Snapcast's stream plugin interface). Snapcast's clients then show title, podcast, cover, position and speed, and "
                    + "pause, seek, skip and set the volume and speed.",
                "It has the permission 'control' at most. The user that runs snapserver must be allowed to use the daemon's socket: "
                    + "adduser _snapserver podcastd.",
            ],
            options: passed, notification: nil,
            ManualNotes(
                statuses: [.success, .usage, .ioError, .protocolFault, .noPermission],
                examples: [
                    (
                        "source = tcp://0.0.0.0:4953/?name=podcasts&controlscript=/usr/bin/podcast-snapcast",
                        "In the section [stream] of snapserver.conf; the output of podcastd is snapcast:HOST."
                    )
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "snapserver(1)"]))
    }

    /// - Returns: the exit status of the process.
    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            let connection = ControlConnection(reconnectingTo: launch.socket, restrictedTo: .control)
            try SnapcastService(connection, launch.output).run()
        }
    }
}

/// Stands between snapserver, on standard input and output, and the daemon.
final class SnapcastService: GatewayService {
    private let follower: PlayerFollower
    private let output: ToolOutput
    private var lines = MessageLines(maximum: 1 << 20)
    /// What was reported to snapserver last.
    private var told: MPRISState?
    private(set) var isFinished = false

    init(_ connection: ControlConnection, _ output: ToolOutput) {
        follower = PlayerFollower(connection) { picture, _ in picture.data }
        self.output = output
        send(["jsonrpc": "2.0", "method": "Plugin.Stream.Ready"])
    }

    var connection: ControlConnection { follower.connection }
    var waits: [PollEntry] { [PollEntry(0)] }
    var deadline: Instant? { nil }

    func process() throws(ToolFailure) {
        follower.process()
        try read()
        let state = follower.state
        if told.map({ state.differs(from: $0, at: .now) }) ?? true {
            told = state
            let properties = state.snapcastProperties(at: .now)
            send(["jsonrpc": "2.0", "method": "Plugin.Stream.Player.Properties", "params": properties])
        }
        try output.flush()
    }

    private func send(_ message: JSONValue) { output.line(message.text) }

    private func read() throws(ToolFailure) {
        guard waitForDescriptors(readable: 0, until: .now) else { return }
        let bytes = try ToolFailure.wrapping(.ioError) { try TerminalInput.read(upTo: 64 << 10) }
        isFinished = bytes.isEmpty
        for case .whole(let line) in lines.append(bytes) {
            guard let message = try? line.withUnsafeBytes({ try JSONValue(parsing: $0) }), let id = message["id"] else {
                continue
            }
            answer(message, id)
        }
    }

    private func answer(_ message: JSONValue, _ id: JSONValue) {
        switch follower.state.action(for: message["method"]?.stringValue ?? "", message["params"], at: .now) {
        case .result(let result): reply(id, "result", result)
        case .fault(let code, let text): fail(id, code, text)
        case .command(let method, let params):
            connection.retry()
            connection.send(method: method, params: params) { [self] result in
                switch result {
                case .success: reply(id, "result", "ok")
                case .failure(let failure): fail(id, -32_000, SafeText.line(failure.text))
                }
            }
        }
    }

    private func fail(_ id: JSONValue, _ code: Int64, _ text: String) {
        reply(id, "error", ["code": .integer(code), "message": .string(text)])
    }

    private func reply(_ id: JSONValue, _ name: String, _ value: JSONValue) {
        send(["id": id, "jsonrpc": "2.0", name: value])
    }
}
