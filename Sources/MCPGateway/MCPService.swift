internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import GatewayKit
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// Stands between standard input and output and the daemon.
final class MCPService: GatewayService {
    /// How long calls may still take once standard input has ended.
    private static let shutdownLimit = Duration.seconds(30)

    let connection: ControlConnection
    private let output: ToolOutput
    private let permission: CommandDeclaration.Permission
    private var session: GatewaySession
    private var lines = MessageLines()
    /// When calls are given up after standard input has ended.
    private var end: Instant?
    private var tickets: [Int: ControlConnection.Ticket] = [:]
    /// Actions that results caused while the connection was being processed.
    private var pending: [GatewaySession.Action] = []

    init(path: String, permission: CommandDeclaration.Permission, listsAll: Bool, output: ToolOutput) {
        connection = ControlConnection(reconnectingTo: path, restrictedTo: permission)
        (self.output, self.permission) = (output, permission)
        session = GatewaySession(upTo: permission, listsAll: listsAll)
    }

    var waits: [PollEntry] { end == nil ? [PollEntry(0)] : [] }
    var deadline: Instant? { end }
    var staysWhenRefused: Bool { true }
    var isFinished: Bool { end.map { session.isIdle || $0 <= .now } ?? false }

    func process() throws(ToolFailure) {
        _ = connection.process()
        if end == nil, try read() { end = .now + Self.shutdownLimit }
        try perform()
    }

    /// - Returns: whether standard input has ended.
    private func read() throws(ToolFailure) -> Bool {
        guard waitForDescriptors(readable: 0, until: .now) else { return false }
        let bytes = try ToolFailure.wrapping(.ioError) { try TerminalInput.read(upTo: 64 << 10) }
        for line in bytes.isEmpty ? [lines.finish()].compactMap(\.self) : lines.append(bytes) {
            switch line {
            case .whole(let line): pending += session.receive(line)
            case .tooLong: pending.append(GatewaySession.refusal(ofLineLongerThan: MessageLines.maximum))
            }
        }
        return bytes.isEmpty
    }

    private func perform() throws(ToolFailure) {
        while !pending.isEmpty {
            let actions = pending
            pending = []
            for action in actions {
                switch action {
                case .send(let message):
                    var bytes: [UInt8] = []
                    message.write(to: &bytes)
                    bytes.append(0x0A)
                    try output.write(contentsOf: bytes)
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

/// Received bytes, taken as lines of limited length.
struct MessageLines {
    enum Line: Equatable {
        case whole([UInt8])
        /// A line that was discarded because it exceeded the limit.
        case tooLong
    }

    /// Bytes of a line at most, as on the daemon's socket.
    static let maximum = 1 << 20

    private var buffer = LineBuffer()
    /// Whether the rest of a long line is being discarded.
    private var isDiscarding = false

    /// Takes received bytes.
    /// - Returns: the lines that the bytes complete.
    mutating func append(_ more: [UInt8]) -> [Line] {
        more.withUnsafeBytes { buffer.append($0) }
        var lines: [Line] = []
        while let line = buffer.takeLine({ Array($0) }) {
            lines.append(isDiscarding || line.count > Self.maximum ? .tooLong : .whole(line))
            isDiscarding = false
        }
        if buffer.count > Self.maximum { isDiscarding = true }
        if isDiscarding { buffer = LineBuffer() }
        return lines
    }

    mutating func finish() -> Line? { isDiscarding || buffer.count > 0 ? append([0x0A]).first : nil }
}
