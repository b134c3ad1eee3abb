internal import HTTP
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// JSON-RPC by lines, as a snapserver speaks it (its `doc/json_rpc_api/control.md`). All calls together end at the deadline, and
/// read a limited number of bytes.
struct SnapserverConnection: ~Copyable {
    private let socket: FileDescriptor
    private var buffer = LineBuffer()
    private var status: JSONValue?
    private let deadline: Instant
    /// Number of bytes that may still be read.
    private var budget = 8 << 20

    init(_ host: String, _ port: UInt16, until deadline: Instant) throws(UnreachableHost) {
        self.init(opened: try InternetConnection.open(to: host, port: port, until: deadline), deadline)
    }

    // Swift 6.2.3 crashes at an initializer of a noncopyable type that sets `socket` after a `try`.
    private init(opened: consuming FileDescriptor, _ deadline: Instant) {
        socket = opened
        self.deadline = deadline
    }

    struct Client {
        var id: String
        /// In percent.
        var volume: Int64
        var isMuted: Bool
        var isAudible: Bool
    }

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
    mutating func clients(ofSource port: UInt16) -> [Client]? {
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
                return Client(id: id, volume: percent, isMuted: isMuted, isAudible: isHeard)
            }
        }
    }

    /// - Returns: whether the server has answered.
    mutating func setVolume(of client: String, _ percent: Int64, isMuted: Bool = false) -> Bool {
        let parameters: JSONValue = [
            "id": .string(client), "volume": ["muted": .bool(isMuted), "percent": .integer(percent)],
        ]
        return call("Client.SetVolume", ",\"params\":\(parameters.text)") != nil
    }

    /// - Returns: the answer; nil without one in time.
    private mutating func call(_ method: String, _ parameters: String) -> JSONValue? {
        let request = Array("{\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"\(method)\"\(parameters)}\r\n".utf8)
        // The request fits into the empty buffer of the connection.
        guard (try? request.withUnsafeBytes { try writeWithoutSignal(to: socket.raw, $0) }) == request.count else {
            return nil
        }
        while Instant.now < deadline {
            let line = buffer.takeLine { bytes in try? JSONValue(parsing: bytes) }
            // Other lines are notifications.
            if let answer = line ?? nil, answer["id"] != nil { return answer }
            if line != nil { continue }
            guard budget > 0, waitForDescriptors(readable: socket.raw, until: deadline),
                let received = try? socket.readSome(upTo: 64 << 10), !received.isEmpty
            else { return nil }
            budget -= received.count
            received.withUnsafeBytes { buffer.append($0) }
        }
        return nil
    }
}
