internal import MachineSupport
internal import PodcastModel
internal import SystemCalls

/// One connection on its own thread: reads requests and replies to them until one side closes it.
final class Connection {
    /// Maximum length of a request head.
    private static let maximumHead = 64 << 10

    private let socket: Int32
    private let number: Int
    private let core: ServerCore
    private var input: [UInt8] = []

    init(_ socket: Int32, number: Int, core: ServerCore) {
        self.socket = socket
        self.number = number
        self.core = core
    }

    func run() {
        do {
            while let request = try nextRequest() {
                let handler = core.state.update { state in
                    if state.log.count < ServerCore.maximumLog { state.log.append(request) }
                    return state.handlers[request.path]?.handler ?? state.fallback
                }
                let keepsOpen = request["connection"]?.lowercased() != "close"
                if try !answer(handler?(request) ?? .status(404), to: request) || !keepsOpen { return }
            }
        } catch {
            // The client closed the connection, or a fault did; there is no client to report to.
            return
        }
    }

    private func nextRequest() throws -> LoggedRequest? {
        while true {
            if let end = endOfHead() {
                defer { input.removeFirst(end) }
                return LoggedRequest(head: input[..<end], connection: number)
            }
            // Close at once: a TLS client would otherwise wait forever for the reply to its handshake.
            if let first = input.first, !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) { return nil }
            if input.count > Connection.maximumHead { return nil }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = try piece.withUnsafeMutableBytes { try StreamSocket.receive(socket, into: $0) }
            if count == 0 { return nil }
            input.append(contentsOf: piece[..<count])
        }
    }

    private func endOfHead() -> Int? {
        guard input.count >= 4 else { return nil }
        for index in 3..<input.count where input[index] == UInt8(ascii: "\n") && input[index - 2] == UInt8(ascii: "\n")
        {
            return index + 1
        }
        return nil
    }

    /// - Returns: whether the connection can be used for another request.
    private func answer(_ answer: Answer, to request: LoggedRequest) throws -> Bool {
        switch answer {
        case .after(let wait, let answer):
            return try core.pause(wait) && self.answer(answer, to: request)
        case .hangUp:
            return false
        case .raw(let bytes):
            try send(bytes)
            return false
        case .status(let code, let fields, let body):
            let length = code == 304 || code == 204 ? [] : [("Content-Length", "\(body.count)")]
            try send(head(code, fields + length) + (request.method == "HEAD" ? [] : body))
            return true
        case .resource(let resource, let faults):
            return try send(Reply(resource, faults, to: request), to: request)
        }
    }

    private func send(_ reply: Reply, to request: LoggedRequest) throws -> Bool {
        try send(head(reply.status, reply.fields))
        if request.method == "HEAD" || reply.span.isEmpty { return reply.keepsOpen }
        let pace = Pace(bytesPerSecond: reply.rate)
        var position = reply.span.lowerBound
        var breaks = reply.breaks[...]
        while true {
            if let next = breaks.first, next.offset <= position {
                breaks.removeFirst()
                switch next.what {
                case .wait(let wait): if !core.pause(wait) { return false }
                case .close: return false
                case .reset:
                    // Wait first: a reset discards data that is still being transferred.
                    while StreamSocket.unacknowledgedBytes(socket) > 0 {
                        if !core.pause(.time(.milliseconds(1))) { return false }
                    }
                    StreamSocket.resetOnClose(socket)
                    return false
                }
                continue
            }
            if position == reply.span.upperBound { break }
            let end = min(breaks.first?.offset ?? .max, reply.span.upperBound, position + pace.pieceSize)
            try sendPiece(reply, position..<end)
            position = end
            if !core.pause(.time(pace.delay(after: end - reply.span.lowerBound))) { return false }
        }
        if reply.isChunked { try send(Array("0\r\n\r\n".utf8)) }
        return reply.keepsOpen
    }

    private func sendPiece(_ reply: Reply, _ span: Range<Int>) throws {
        let bytes = try reply.bytes(span)
        if reply.isChunked {
            try send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
        } else {
            try send(bytes)
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try StreamSocket.send(socket, $0) }
    }

    private func head(_ status: Int, _ fields: [(name: String, value: String)]) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Connection.reasons[status] ?? "Status")\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    private static let reasons = [
        200: "OK", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        410: "Gone", 416: "Range Not Satisfiable", 429: "Too Many Requests", 500: "Internal Server Error",
        503: "Service Unavailable",
    ]
}

/// Limits the rate of a body.
private struct Pace {
    let bytesPerSecond: Int?
    private let start = Instant.now

    init(bytesPerSecond: Int?) { self.bytesPerSecond = bytesPerSecond }

    /// Small, so that a low rate looks like a slow network and not like bursts.
    var pieceSize: Int { bytesPerSecond.map { max(1, min(64 << 10, $0 / 20)) } ?? 64 << 10 }

    func delay(after count: Int) -> Duration {
        guard let bytesPerSecond else { return .zero }
        let due = start + .seconds(Double(count) / Double(bytesPerSecond))
        return max(.zero, due - .now)
    }
}
