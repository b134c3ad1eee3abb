internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// podcast-mcp, from command line to exit status.
public enum MCPProgram {
    private static let levels = CommandDeclaration.Permission.words
    private static let permission = OptionDeclaration(
        "permission", nil, "LEVEL", .choice(levels),
        help: "Offer commands up to this permission: read, control or admin (default: read).")
    private static let allTools = OptionDeclaration(
        flag: "all-tools", help: "List every command as a tool, not only the fifteen that most requests need.")

    private static var program: ProgramDeclaration {
        .gateway(
            "podcast-mcp", "Offer the podcast player's commands to language models.",
            details: [
                "Speaks the Model Context Protocol (MCP) on standard input and output, so that an MCP client can start it. Each "
                    + "command of the daemon is a tool: 'queue.list' is the tool queue_list. A client sees the few tools that most requests "
                    + "need, unless --all-tools is given, and may call all. Tools that change something are "
                    + "offered only with --permission control or --permission admin, and the daemon refuses others.",
                "The daemon may be started and stopped while podcast-mcp runs: a call without a daemon fails, and the next one "
                    + "connects again.",
            ],
            options: [permission, allTools], notification: nil,
            ManualNotes(
                statuses: [.success, .usage, .ioError],
                examples: [
                    (
                        "{\"mcpServers\": {\"podcastd\": {\"command\": \"podcast-mcp\"}}}",
                        "An entry for the configuration file of an MCP client."
                    ),
                    ("podcast-mcp --permission control", "Also play, queue and mark."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }

    public static func main() -> Int32 {
        program.runGateway { launch throws(ToolFailure) in
            let permission = launch.parsed.text(permission).flatMap { CommandDeclaration.Permission(rawValue: $0) }
            try MCPService(
                path: launch.socket, permission: permission ?? .read,
                listsAll: launch.parsed.isSet(allTools), output: launch.output
            ).run()
        }
    }
}

/// Stands between standard input and output and the daemon.
final class MCPService: GatewayService {
    /// How long calls may still take once standard input has ended.
    private static let shutdownLimit = Duration.seconds(30)

    let connection: ControlConnection
    private let output: ToolOutput
    private let permission: CommandDeclaration.Permission
    private var session: GatewaySession
    /// Lines of at most as many bytes as on the daemon's socket.
    private var lines = MessageLines(maximum: 1 << 20)
    /// When calls are given up after standard input has ended.
    private(set) var deadline: Instant?
    private var tickets: [Int: ControlConnection.Ticket] = [:]
    /// Actions that results caused while the connection was being processed.
    private var pending: [GatewaySession.Action] = []

    init(path: String, permission: CommandDeclaration.Permission, listsAll: Bool, output: ToolOutput) {
        connection = ControlConnection(reconnectingTo: path, restrictedTo: permission)
        self.output = output
        self.permission = permission
        session = GatewaySession(upTo: permission, listsAll: listsAll)
    }

    var waits: [PollEntry] { deadline == nil ? [PollEntry(0)] : [] }
    var staysWhenRefused: Bool { true }
    var isFinished: Bool { deadline.map { session.isIdle || $0 <= .now } ?? false }

    func process() throws(ToolFailure) {
        _ = connection.process()
        if deadline == nil, try read() { deadline = .now + Self.shutdownLimit }
        try perform()
    }

    /// - Returns: whether standard input has ended.
    private func read() throws(ToolFailure) -> Bool {
        guard waitForDescriptors(readable: 0, until: .now) else { return false }
        let bytes = try ToolFailure.wrapping(.ioError) { try TerminalInput.read(upTo: 64 << 10) }
        for line in bytes.isEmpty ? [lines.finish()].compactMap(\.self) : lines.append(bytes) {
            switch line {
            case .whole(let line): pending += session.receive(line)
            case .tooLong: pending.append(GatewaySession.refusal(ofLineLongerThan: lines.maximum))
            }
        }
        return bytes.isEmpty
    }

    private func perform() throws(ToolFailure) {
        while !pending.isEmpty {
            for action in exchange(&pending, with: []) {
                switch action {
                case .send(let message): output.line(message.text)
                case .call(let number, let method, let params):
                    connection.retry()
                    tickets[number] = connection.send(method: method, params: params, as: permission) {
                        [self] outcome in
                        pending += session.finish(number, outcome)
                    }
                case .cancel(let number):
                    if let ticket = tickets.removeValue(forKey: number) { connection.cancel(ticket) }
                }
            }
        }
        if session.isIdle { tickets = [:] }
        try output.flush()
    }
}
