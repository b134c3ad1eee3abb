internal import HTTP
internal import JSON
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Turns down the clients that hear a snapserver's stream, for as long as the server still has sound that should not be heard: a server
/// cannot be asked to discard the sound. Muted clients would get no sound at all, and be silent for longer. A thread connects to the
/// control port for each such time. The server stores volumes permanently, so the original volumes are in a file until they are
/// restored: after a crash of podcastd or of the server, the next start of either restores them. Any thread.
final class SnapserverControl: Sendable {
    private struct State {
        /// When the last sound that should not be heard was played.
        var end = Instant.distantPast
        /// While clients are turned down.
        var thread: DedicatedThread?
        var isRunning = false
        /// The clients that are turned down, with their volumes in percent.
        var owed: [String: Int64] = [:]
    }

    private let host: String
    private let port: UInt16
    /// Port of the stream's source.
    private let source: UInt16
    private let clock: any OutputClock
    /// Path of the file with the clients that are turned down.
    private let record: String?
    private let state: Mutex<State>

    /// - Parameter folder: of the file with the clients that are turned down; nil for no file.
    init(host: String, port: UInt16, source: UInt16, clock: any OutputClock, folder: String?) {
        self.host = host
        self.port = port
        self.source = source
        self.clock = clock
        record = folder.map { "\($0)/\(Self.recordName)\(port)-\(source)-\(host)" }
        let bytes = record.flatMap { try? StoredFile.contents(of: $0, limit: 1 << 20) } ?? []
        var state = State()
        if case .object(let members)? = try? JSONValue(parsing: String(utf8: bytes)) {
            for member in members { state.owed[member.name] = member.value.integerValue }
        }
        self.state = Mutex(state)
        restore()
    }

    /// The beginning of the files' names; the ports and the host follow.
    private static let recordName = "snapserver-volumes-"

    /// Gives the clients of all servers their volumes, also if the output was removed.
    static func restoreAll(in folder: String) {
        for name in (try? StoredFile.names(in: folder)) ?? [] where name.hasPrefix(recordName) {
            let parts = name.dropFirst(recordName.count).split(separator: "-", maxSplits: 2)
            guard parts.count == 3, let port = UInt16(parts[0]), let source = UInt16(parts[1]) else { continue }
            _ = SnapserverControl(
                host: String(parts[2]), port: port, source: source, clock: SystemOutputClock(), folder: folder)
        }
    }

    deinit { state.withLock { $0.thread?.detach() } }

    /// Turns the clients down until then.
    func turnDown(until end: Instant) {
        state.withLock { state in
            state.end = max(state.end, end)
            start(&state)
        }
    }

    /// Restores the volumes of clients that a crash of podcastd or of the server left turned down.
    func restore() { state.withLock { if !$0.owed.isEmpty { start(&$0) } } }

    /// Waits until all clients have their volumes again.
    func finish() { state.withLock { exchange(&$0.thread, with: nil) }?.join() }

    private func start(_ state: inout State) {
        guard !state.isRunning else { return }
        // The thread takes no lock after clearing `isRunning`, so waiting for the thread under the lock cannot deadlock.
        state.thread?.join()
        // Without a thread the sound in the server's buffer is heard.
        state.thread = try? DedicatedThread(name: .snapserver) { [self] in run() }
        state.isRunning = state.thread != nil
    }

    private func run() {
        var connection = try? SnapserverConnection(host, port, until: clock.now + Self.patience)
        repeat {
            if end != nil {
                let audible = (connection?.clients(ofSource: source) ?? []).filter { $0.isAudible }
                owe { for client in audible { $0[client.id] = client.volume } }
                for client in audible { connection?.setVolume(of: client.id, 0) }
            }
            while let end { clock.wait(readable: -1, until: end) }
            if let clients = connection?.clients(ofSource: source) { giveBack(clients, &connection) }
        } while state.withLock({ state in
            state.isRunning = clock.now < state.end
            return state.isRunning
        })
    }

    private func giveBack(
        _ clients: [(id: String, volume: Int64, isMuted: Bool, isAudible: Bool)],
        _ connection: inout SnapserverConnection?
    ) {
        let owed = state.withLock { $0.owed }
        // A user who set another volume in the meantime keeps it.
        for client in clients where client.volume == 0 {
            if let volume = owed[client.id] { connection?.setVolume(of: client.id, volume, isMuted: client.isMuted) }
        }
        owe { $0 = [:] }
    }

    /// When the clients have their volumes again; nil if that is due.
    private var end: Instant? { state.withLock { clock.now < $0.end ? $0.end : nil } }

    private func owe(_ change: (inout [String: Int64]) -> Void) {
        let owed = state.withLock { state in
            change(&state.owed)
            return state.owed
        }
        guard let record else { return }
        // If the disk is full, the volumes are lost only if the process also crashes before it restores them.
        if owed.isEmpty {
            try? StoredFile.remove(record)
        } else {
            let value = JSONValue.object(owed.map { .init($0.key, .integer($0.value)) })
            try? StoredFile.replace(record, with: Array(value.text.utf8), isDurable: false)
        }
    }

    private static let patience = Duration.seconds(1)

    /// Whether the server answers and has a stream from this source.
    static func hasStream(host: String, port: UInt16, source: UInt16) throws(UnreachableHost) -> Bool {
        var connection = try SnapserverConnection(host, port, until: .now + patience)
        return connection.streams(ofSource: source)?.isEmpty == false
    }
}

/// JSON-RPC by lines, as a snapserver speaks it (its `doc/json_rpc_api/control.md`).
struct SnapserverConnection: ~Copyable {
    private let socket: FileDescriptor
    private var buffer = LineBuffer()
    private var status: JSONValue?
    private let patience = Duration.seconds(1)
    private static let longestAnswer = 4 << 20

    init(_ host: String, _ port: UInt16, until deadline: Instant) throws(UnreachableHost) {
        self.init(opened: try InternetConnection.open(to: host, port: port, until: deadline))
    }

    // Swift 6.2.3 crashes at an initializer of a noncopyable type that sets `socket` after a `try`.
    private init(opened: consuming FileDescriptor) { socket = opened }

    /// Identifiers of the streams that the server reads from this port.
    mutating func streams(ofSource port: UInt16) -> [String]? {
        status = call("Server.GetStatus", "")?["result"]?["server"]
        return status?["streams"]?.arrayValue?.compactMap { stream in
            let source = stream["uri"]
            let isMeant =
                source?["scheme"]?.stringValue == "tcp" && source?["host"]?.stringValue?.hasSuffix(":\(port)") == true
            return isMeant ? stream["id"]?.stringValue : nil
        }
    }

    /// The clients of the streams, with their volumes in percent; nil without an answer.
    mutating func clients(ofSource port: UInt16) -> [(id: String, volume: Int64, isMuted: Bool, isAudible: Bool)]? {
        guard let streams = streams(ofSource: port) else { return nil }
        let groups = (status?["groups"]?.arrayValue ?? []).filter {
            $0["stream_id"]?.stringValue.map(streams.contains) == true
        }
        return groups.flatMap { group in
            (group["clients"]?.arrayValue ?? []).compactMap { client in
                let volume = client["config"]?["volume"]
                guard let id = client["id"]?.stringValue, let percent = volume?["percent"]?.integerValue else {
                    return nil
                }
                let isMuted = volume?["muted"]?.boolValue == true
                let isHeard =
                    percent > 0 && client["connected"]?.boolValue == true && !isMuted
                    && group["muted"]?.boolValue == false
                return (id, percent, isMuted, isHeard)
            }
        }
    }

    mutating func setVolume(of client: String, _ percent: Int64, isMuted: Bool = false) {
        let parameters: JSONValue = [
            "id": .string(client), "volume": ["muted": .bool(isMuted), "percent": .integer(percent)],
        ]
        _ = call("Client.SetVolume", ",\"params\":\(parameters.text)")
    }

    /// - Returns: the answer; nil without one in time.
    private mutating func call(_ method: String, _ parameters: String) -> JSONValue? {
        let request = Array("{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"\(method)\"\(parameters)}\r\n".utf8)
        // The request fits into the empty buffer of the connection.
        guard (try? request.withUnsafeBytes { try writeWithoutSignal(to: socket.raw, $0) }) == request.count else {
            return nil
        }
        let deadline = Instant.now + patience
        while true {
            let line = buffer.takeLine { bytes in try? JSONValue(parsing: bytes) }
            // Other lines are notifications.
            if let answer = line ?? nil, answer["id"] != nil { return answer }
            if line != nil { continue }
            guard buffer.count < Self.longestAnswer, waitForDescriptors(readable: socket.raw, until: deadline),
                let received = try? socket.readSome(upTo: 64 << 10), !received.isEmpty
            else { return nil }
            received.withUnsafeBytes { buffer.append($0) }
        }
    }
}
