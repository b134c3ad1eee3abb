public import ControlProtocol
internal import Glibc
public import JSON
public import SystemCalls

/// A client of the control socket that waits for its answers. One thread.
public final class ControlConnection {
    /// Why there is no answer.
    public enum Failure: Error, Equatable, Sendable {
        /// Nobody serves the path: the daemon does not run.
        case notRunning(path: String)
        /// The path may not be used by this user.
        case forbidden(path: String)
        /// The server answered with an error.
        case refused(ControlError)
        /// The server has closed the connection.
        case closed
        /// No answer in time.
        case timedOut
        /// The server does not speak this protocol.
        case protocolFault(String)
        /// A system call failed.
        case system(SystemError)
    }

    /// Bytes of a line from the server at most; a server that sends more is not ours.
    private static let maximumLine = 4 << 20

    private let socket: FileDescriptor
    private var input: [UInt8] = []
    private var start = 0
    private var lastID: Int64 = 0
    /// Events that came while an answer was waited for: of each part the newest.
    private var events: [EventReply] = []
    private var hasHello = false
    /// The time-out that the socket has: nil before one was set, `.some(nil)` for none.
    private var applied: Int64??
    /// Nanoseconds that an answer is waited for; nil for ever.
    public var timeout: Int64?

    /// Connects. The server's greeting is read with the first answer, so that a single command costs one exchange.
    ///
    /// - Parameter timeout: nanoseconds that an answer is waited for; nil for ever.
    public init(path: String, timeout: Int64? = 30_000_000_000) throws(Failure) {
        do throws(SystemError) {
            socket = try LocalSocket.connect(to: path)
        } catch {
            switch error.code {
            case ENOENT, ECONNREFUSED, ENOTDIR: throw .notRunning(path: path)
            case EACCES, EPERM: throw .forbidden(path: path)
            default: throw .system(error)
            }
        }
        self.timeout = timeout
    }

    /// Calls a command and waits for its reply.
    ///
    /// - Throws: `refused` with what the server says, or why there is no reply.
    public func call<Called: Command>(_ command: Called) throws(Failure) -> Called.Reply {
        let answer = try call(Called.name, command.params)
        guard let reply = Called.Reply(json: answer) else {
            throw .protocolFault("the answer to \(Called.name) cannot be read")
        }
        return reply
    }

    /// Calls a command by its name and waits for its answer as it is on the wire.
    ///
    /// - Parameter onEvent: takes changes that come meanwhile; unless given they wait for `nextEvent`.
    /// - Throws: `refused` with what the server says, or why there is no answer.
    public func call(
        _ method: String, _ params: JSONValue? = nil, onEvent: ((EventReply) -> Void)? = nil
    ) throws(Failure) -> JSONValue {
        lastID += 1
        var line: [UInt8] = []
        Request(id: .integer(lastID), method: method, params: params).write(to: &line)
        if line.count > Outgoing.maximumLine {
            throw .refused(ControlError(.invalidArgument, "the request is longer than a line may be"))
        }
        try send(line)
        let deadline = timeout.map { monotonicNanoseconds() + $0 }
        while true {
            guard let message = try nextMessage(until: deadline) else { throw .timedOut }
            guard let id = message["id"] else {
                try takeNotification(message)
                if let onEvent {
                    events.forEach(onEvent)
                    events = []
                }
                continue
            }
            if let error = message["error"] {
                // An error without an id concerns the connection, so this call too.
                if id == .integer(lastID) || id == .null { throw .refused(ControlError(json: error)) }
            } else if id == .integer(lastID) {
                return message["result"] ?? .null
            }
        }
    }

    /// Waits for the next change of a watched part.
    ///
    /// - Parameter deadline: monotonic nanoseconds; nil waits for ever.
    /// - Returns: nil when none came in time.
    public func nextEvent(until deadline: Int64? = nil) throws(Failure) -> EventReply? {
        while events.isEmpty {
            guard let message = try nextMessage(until: deadline) else { return nil }
            if let error = message["error"] { throw .refused(ControlError(json: error)) }
            try takeNotification(message)
        }
        return events.removeFirst()
    }

    private func takeNotification(_ message: JSONValue) throws(Failure) {
        switch message["method"]?.stringValue {
        case "hello":
            let version = message["params"].flatMap { HelloReply(json: $0) }?.server.protocol ?? 0
            if version != Outgoing.protocolVersion {
                throw .protocolFault(
                    "the daemon speaks version \(version) of the protocol, not \(Outgoing.protocolVersion)")
            }
            hasHello = true
        case "event":
            // Parts that this version does not know are passed over.
            guard let event = message["params"].flatMap({ EventReply(json: $0) }) else { return }
            events.removeAll { $0.part == event.part }
            events.append(event)
        default:
            if !hasHello { throw .protocolFault("no podcastd answers on this socket") }
        }
    }

    private func send(_ line: [UInt8]) throws(Failure) {
        var rest = 0
        applyTimeout(timeout)
        while rest < line.count {
            let outcome = line.withUnsafeBytes { bytes in
                Result { () throws(SystemError) in
                    try LocalSocket.send(socket.raw, UnsafeRawBufferPointer(rebasing: bytes[rest...]))
                }
            }
            switch outcome {
            case .success(.bytes(let count)): rest += count
            case .success(.wouldWait): throw .timedOut
            // The server may have said why before it closed: that is read as the answer.
            case .success(.ended): return
            case .failure(let error): throw .system(error)
            }
        }
    }

    /// Sets the socket's time-outs. Long ones in whole seconds, so that one command sets them once.
    private func applyTimeout(_ nanoseconds: Int64?) {
        let second: Int64 = 1_000_000_000
        let wanted = nanoseconds.map { $0 > 2 * second ? ($0 + second - 1) / second * second : $0 }
        if let applied, applied == wanted { return }
        LocalSocket.setTimeouts(socket.raw, nanoseconds: wanted)
        applied = .some(wanted)
    }

    private func nextMessage(until deadline: Int64?) throws(Failure) -> JSONValue? {
        var searched = start
        while true {
            if let end = input.withUnsafeBytes({ Self.lineBreak(in: $0, from: searched) }) {
                defer {
                    start = end + 1
                    if start == input.count {
                        input.removeAll(keepingCapacity: true)
                        start = 0
                    }
                }
                let line = input[start..<end]
                let outcome = line.withUnsafeBytes { bytes in
                    Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
                }
                switch outcome {
                case .success(let message): return message
                case .failure(let error): throw .protocolFault("the answer is no JSON: \(error)")
                }
            }
            searched = input.count
            if input.count - start > Self.maximumLine {
                throw .protocolFault("the answer is longer than a line may be")
            }
            if start > 0 {
                input.removeSubrange(..<start)
                searched -= start
                start = 0
            }
            guard try receive(until: deadline) else { return nil }
        }
    }

    /// - Returns: false when nothing came in time.
    private func receive(until deadline: Int64?) throws(Failure) -> Bool {
        let left = deadline.map { $0 - monotonicNanoseconds() }
        if let left, left <= 0 { return false }
        applyTimeout(left)
        let outcome = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            let outcome = Result { () throws(SystemError) in try LocalSocket.receive(socket.raw, into: buffer) }
            if case .success(.bytes(let count)) = outcome { input.append(contentsOf: buffer[..<count]) }
            return outcome
        }
        switch outcome {
        case .success(.bytes): return true
        case .success(.wouldWait): return false
        case .success(.ended): throw .closed
        case .failure(let error): throw .system(error)
        }
    }

    private static func lineBreak(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
