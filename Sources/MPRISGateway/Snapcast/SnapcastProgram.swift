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
    private static let coverPixels = 512

    let connection: ControlConnection
    private let output: ToolOutput
    private var lines = MessageLines(maximum: 1 << 20)
    private var player = SnapcastPlayer()
    private var model = ClientModel()
    /// What was reported to snapserver last.
    private var told: SnapcastPlayer?
    /// The episode of which details were asked for.
    private var detailed: EpisodeID?
    private(set) var isFinished = false

    init(_ connection: ControlConnection, _ output: ToolOutput) throws(ToolFailure) {
        self.connection = connection
        self.output = output
        connection.watch([.player, .queue])
        try send(["jsonrpc": "2.0", "method": "Plugin.Stream.Ready"])
    }

    var waits: [PollEntry] { [PollEntry(0)] }
    var deadline: Instant? { nil }

    func process() throws(ToolFailure) {
        for event in connection.process() { handle(event) }
        readDetails()
        try read()
        if told.map({ player.differs(from: $0, at: .now) }) ?? true {
            told = player
            let properties = player.properties(at: .now)
            try send(["jsonrpc": "2.0", "method": "Plugin.Stream.Player.Properties", "params": properties])
        }
        try output.flush()
    }

    private func send(_ message: JSONValue) throws(ToolFailure) { output.line(message.text) }

    // MARK: the daemon

    private func handle(_ event: ConnectionEvent) {
        model.apply(event)
        switch event {
        case .greeted(let hello): player.canControl = hello.permission >= .control
        case .lost:
            player = SnapcastPlayer()
            detailed = nil
        case .snapshot, .changed:
            player.player = model.player
            player.queue = model.queue
        }
    }

    /// Reads the details of the current episode when another one has become the current one.
    private func readDetails() {
        let playing = player.player.episode?.id
        guard playing != detailed else { return }
        player.episode = nil
        player.cover = nil
        detailed = playing
        guard let playing else { return }
        connection.send(GetEpisodes { $0.ids = [playing] }) { [self] result in
            guard detailed == playing, case .success(let rows) = result else { return }
            player.episode = rows.rows.first
        }
        connection.send(
            GetPicture {
                $0.what = playing.label
                $0.size = Self.coverPixels
            }
        ) { [self] result in
            guard detailed == playing, case .success(let picture) = result else { return }
            player.cover = picture.data
        }
    }

    // MARK: snapserver

    private func read() throws(ToolFailure) {
        guard waitForDescriptors(readable: 0, until: .now) else { return }
        let bytes = try ToolFailure.wrapping(.ioError) { try TerminalInput.read(upTo: 64 << 10) }
        isFinished = bytes.isEmpty
        for case .whole(let line) in lines.append(bytes) {
            guard let message = try? line.withUnsafeBytes({ try JSONValue(parsing: $0) }), let id = message["id"] else {
                continue
            }
            try answer(message, id)
        }
    }

    private func answer(_ message: JSONValue, _ id: JSONValue) throws(ToolFailure) {
        switch player.action(for: message["method"]?.stringValue ?? "", message["params"], at: .now) {
        case .result(let result): try send(["id": id, "jsonrpc": "2.0", "result": result])
        case .fault(let code, let text): try fail(id, code, text)
        case .command(let method, let params):
            connection.retry()
            connection.send(method: method, params: params) { [self] result in
                // Snapserver ended if its pipe cannot be written, and then standard input ends, too.
                switch result {
                case .success: try? send(["id": id, "jsonrpc": "2.0", "result": "ok"])
                case .failure(let failure): try? fail(id, -32_000, SafeText.line(failure.text))
                }
            }
        }
    }

    private func fail(_ id: JSONValue, _ code: Int64, _ text: String) throws(ToolFailure) {
        let error: JSONValue = ["code": .integer(code), "message": .string(text)]
        try send(["id": id, "jsonrpc": "2.0", "error": error])
    }
}
