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
    private static let farewell = Duration.seconds(30)

    let connection: ControlConnection
    private let permission: CommandDeclaration.Permission
    private let output: ToolOutput
    private var session: GatewaySession
    private var lines = MessageLines()
    /// When calls are given up after standard input has ended.
    private var end: Instant?
    private var tickets: [Int: ControlConnection.Ticket] = [:]
    /// Calls that wait until the daemon has greeted and the permission is restricted.
    private var waiting: [(number: Int, method: String, params: JSONValue?)] = []
    /// Actions that results caused while the connection was being processed.
    private var pending: [GatewaySession.Action] = []
    private var isRestricted = false

    init(path: String, permission: CommandDeclaration.Permission, listsAll: Bool, output: ToolOutput) {
        connection = ControlConnection(reconnectingTo: path)
        self.permission = permission
        self.output = output
        session = GatewaySession(upTo: permission, listsAll: listsAll)
    }

    var waits: [PollEntry] { end == nil ? [PollEntry(0)] : [] }
    var deadline: Instant? { end }
    var staysWhenRefused: Bool { true }
    var isFinished: Bool { end.map { session.isIdle || $0 <= .now } ?? false }

    func process() throws(ToolFailure) {
        for event in connection.process() { take(event) }
        sendWaiting()
        if end == nil, try read() { end = .now + Self.farewell }
        try perform()
    }

    /// - Returns: whether standard input has ended.
    private func read() throws(ToolFailure) -> Bool {
        guard waitForDescriptors(readable: 0, until: .now) else { return false }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try TerminalInput.read(upTo: 64 << 10)
        } catch {
            throw ToolFailure(.ioError, error.description)
        }
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
                    waiting.append((number, method, params))
                    sendWaiting()
                case .cancel(let number):
                    waiting.removeAll { $0.number == number }
                    if let ticket = tickets.removeValue(forKey: number) { connection.cancel(ticket) }
                }
            }
        }
        try output.flush()
    }

    private func take(_ event: ConnectionEvent) {
        switch event {
        case .greeted:
            connection.restrict(to: permission)
            isRestricted = true
        case .lost: isRestricted = false
        case .snapshot, .changed: break
        }
    }

    private func sendWaiting() {
        switch connection.state {
        case .open where isRestricted:
            let calls = waiting
            waiting = []
            for call in calls { send(call.number, call.method, call.params) }
        case .open, .connecting, .greeting: break
        case .closed, .waiting, .failed:
            for call in waiting { fail(call.number) }
            waiting = []
        }
    }

    private func send(_ number: Int, _ method: String, _ params: JSONValue?) {
        tickets[number] = connection.send(method: method, params: params) { [self] outcome in
            tickets[number] = nil
            pending += session.finish(number, outcome)
        }
    }

    private func fail(_ number: Int) {
        pending += session.finish(number, .failure(.notRunning(path: connection.path)))
    }
}
