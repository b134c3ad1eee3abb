internal import CMicroHTTPD

/// A header or a query parameter.
public struct HTTPField: Equatable, Sendable {
    public var name: String
    public var value: String
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// One request and its answer. Belongs to the server's thread.
@safe public final class HTTPExchange {
    public let method: String
    /// The path with its escapes resolved.
    public let path: String
    /// The query's parameters, escapes resolved, in order.
    public let query: [HTTPField]
    public let headers: [HTTPField]
    /// The client's address as text; empty for one at a Unix socket.
    public let address: String
    /// Whether the client is on this machine.
    public let isLocal: Bool
    public private(set) var body: [UInt8] = []

    private enum Answer {
        case bytes([UInt8])
        case stream(HTTPStream)
    }

    private let server: HTTPServer
    private let connection: OpaquePointer
    private var answer: (status: Int, headers: [HTTPField], answer: Answer)?
    private var isDelivered = false
    private var isSuspended = false
    /// Whether the client has gone or everything was sent.
    public private(set) var isFinished = false
    private var isTooLong = false
    private var excess = 0

    init(_ server: HTTPServer, _ connection: OpaquePointer, method: String, path: String) {
        self.server = server
        unsafe self.connection = unsafe connection
        (self.method, self.path) = (method, path)
        query = unsafe Self.fields(connection, .GET_ARGUMENT_KIND)
        headers = unsafe Self.fields(connection, .HEADER_KIND)
        var text = [CChar](repeating: 0, count: 64)
        isLocal = unsafe text.withUnsafeMutableBufferPointer {
            unsafe shim_client(connection, $0.baseAddress, UInt32($0.count)) != 0
        }
        address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func fields(_ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [HTTPField] {
        var fields: [HTTPField] = []
        _ = unsafe withUnsafeMutablePointer(to: &fields) { fields in
            unsafe MHD_get_connection_values(
                connection, kind,
                { context, _, name, value in
                    guard let name = unsafe name else { return .YES }
                    let field = unsafe HTTPField(String(cString: name), value.map { unsafe String(cString: $0) } ?? "")
                    unsafe context!.assumingMemoryBound(to: [HTTPField].self).pointee.append(field)
                    return .YES
                }, fields)
        }
        return fields
    }

    /// Answers the request; only the first answer counts.
    public func respond(_ status: Int, headers: [HTTPField], body: [UInt8]) {
        give(status, headers, .bytes(body))
    }

    /// Answers with a stream that stays open until it is ended.
    public func stream(_ status: Int, headers: [HTTPField]) -> HTTPStream {
        let stream = unsafe HTTPStream(connection, server)
        give(status, headers, .stream(stream))
        return stream
    }

    private func give(_ status: Int, _ headers: [HTTPField], _ body: Answer) {
        if answer != nil || isFinished { return }
        answer = (status, headers, body)
        if isSuspended {
            isSuspended = false
            server.suspended -= 1
            unsafe MHD_resume_connection(connection)
        }
    }

    // MARK: the server's calls

    /// Whether the headers announce a longer body than is allowed.
    var announcesTooMuch: Bool {
        headers.contains { field in
            field.name.lowercased() == "content-length"
                && (Int(field.value).map { $0 > server.limits.bodyBytes } ?? false)
        }
    }

    func refuseBody() {
        respond(
            413, headers: server.refusal.headers + [HTTPField("Connection", "close")], body: server.refusal.body)
    }

    /// - Returns: false if the connection is to be closed.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isTooLong || body.count + bytes.count > server.limits.bodyBytes {
            isTooLong = true
            body = []
            excess += bytes.count
            return excess < 4 * server.limits.bodyBytes
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    /// The body is complete, or the connection was resumed.
    func proceed() -> MHD_Result {
        if !isDelivered {
            isDelivered = true
            if isTooLong { refuseBody() } else { server.handler(self) }
        }
        if answer != nil { return queue() }
        isSuspended = true
        server.suspended += 1
        unsafe MHD_suspend_connection(connection)
        return .YES
    }

    func queue() -> MHD_Result {
        guard let given = answer else { return .NO }
        let made: OpaquePointer?
        switch given.answer {
        case .bytes(let bytes):
            unsafe made = bytes.withUnsafeBytes { bytes in
                unsafe MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream(let stream): unsafe made = stream.makeResponse()
        }
        guard let response = unsafe made else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        for field in given.headers { _ = unsafe MHD_add_response_header(response, field.name, field.value) }
        return unsafe MHD_queue_response(connection, UInt32(given.status), response)
    }

    func finish() {
        isFinished = true
        if case .stream(let stream)? = answer?.answer { stream.finish() }
    }
}
