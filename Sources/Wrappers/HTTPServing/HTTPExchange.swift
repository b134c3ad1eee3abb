internal import CMicroHTTPD
internal import PodcastModel

/// One request and its response. Belongs to the server's thread.
@safe public final class HTTPExchange {
    public private(set) var request: HTTPRequest

    private let server: HTTPServer
    private let connection: OpaquePointer
    private var answer: HTTPResponse?
    /// The body of the answer, if it is sent in pieces.
    private var stream: HTTPStream?
    private var bodyHandler: ((HTTPExchange) -> Void)?
    /// Bytes of the longest body.
    private var bodyBytes: Int
    private var isSuspended = false
    /// True if the body is being received or was refused.
    private var hasBegun = false
    /// True if the client has gone or everything was sent.
    private(set) var isFinished = false
    /// Bytes of the body that count against what all may hold.
    private var held = 0
    private var excess = 0

    init(_ server: HTTPServer, _ connection: OpaquePointer, method: String, path: String, version: String) {
        self.server = server
        bodyBytes = server.limits.bodyBytes
        unsafe self.connection = unsafe connection
        var text = [CChar](repeating: 0, count: 64)
        let isLocal = unsafe text.withUnsafeMutableBufferPointer {
            unsafe shim_client(server.library, connection, $0.baseAddress, UInt32($0.count)) != 0
        }
        request = unsafe HTTPRequest(
            method, path, query: Self.fields(server, connection, .GET_ARGUMENT_KIND),
            headers: Self.fields(server, connection, .HEADER_KIND), isLocal: isLocal)
        request.version = version
        request.address = String(utf8: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
    }

    private static func fields(_ server: HTTPServer, _ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [HTTPField]
    {
        var fields: [HTTPField] = []
        _ = unsafe withUnsafeMutablePointer(to: &fields) { fields in
            unsafe server.library.pointee.MHD_get_connection_values(
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

    /// Only the first response counts.
    public func respond(_ response: HTTPResponse) {
        if answer != nil || isFinished { return }
        answer = response
        resume()
    }

    /// Responds with a stream that stays open until `end`.
    /// - Parameter length: bytes of the body; a stream that ends before, or after a HEAD request, sends fewer. Nil if it is unknown.
    public func stream(_ status: Int, headers: [HTTPField], length: UInt64? = nil) -> HTTPStream {
        let stream = unsafe HTTPStream(connection, server, length: length)
        if answer == nil { self.stream = stream }
        respond(HTTPResponse(status, headers))
        return stream
    }

    /// Receives the body, which is `request.body` when `done` is called. Not called if the request is answered without it.
    /// - Parameter bytes: nil for the usual limit.
    public func receiveBody(atMost bytes: Int? = nil, _ done: @escaping (HTTPExchange) -> Void) {
        if answer != nil || isFinished { return }
        bodyBytes = bytes ?? bodyBytes
        if announcedBytes > bodyBytes, announcedBytes != .max { return refuse(server.tooLong(bodyBytes)) }
        bodyHandler = done
        resume()
    }

    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        server.suspended -= 1
        unsafe server.setDeadline(of: connection)
        unsafe server.library.pointee.MHD_resume_connection(connection)
    }

    private func suspend() -> MHD_Result {
        isSuspended = true
        server.suspended += 1
        unsafe server.endDeadline(of: connection)
        unsafe server.library.pointee.MHD_suspend_connection(connection)
        return .YES
    }

    private func refuse(_ refusal: HTTPResponse) {
        var response = refusal
        response.headers.append(HTTPField("Connection", "close"))
        respond(response)
    }

    // MARK: the server's calls

    /// The headers are complete. A response before the body is possible only now.
    func begin() -> MHD_Result {
        server.handler(self)
        return admit()
    }

    /// Refuses or admits the body, or waits for that decision.
    private func admit() -> MHD_Result {
        if answer == nil, bodyHandler == nil { return suspend() }
        hasBegun = true
        // After a response now libmicrohttpd closes the connection, but not after a short body or without one.
        let canWait = announcedBytes <= min(Self.freeBytes, bodyBytes)
        return answer != nil && !canWait ? queue() : .YES
    }

    /// Bytes of the body according to the headers; `Int.max` for chunks.
    private var announcedBytes: Int {
        if request.headers.contains(where: { $0.name.lowercased() == "transfer-encoding" }) { return .max }
        return request.headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    }

    /// - Returns: false if the connection must be closed.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if answer == nil {
            if request.body.count + bytes.count > bodyBytes {
                drop()
                refuse(server.tooLong(bodyBytes))
            } else if !hold(bytes.count) {
                drop()
                refuse(server.noRoom)
            }
        }
        if answer != nil {
            // The response can be sent only after the body.
            excess += bytes.count
            return excess < 4 * server.limits.bodyBytes
        }
        unsafe request.body.append(contentsOf: bytes)
        return true
    }

    /// Bytes of each body that are not counted against the shared limit.
    private static let freeBytes = 16 << 10

    /// Reserves memory for more of the body. Returns false if all bodies together would exceed the limit.
    private func hold(_ more: Int) -> Bool {
        let bytes = max(0, request.body.count + more - Self.freeBytes)
        guard server.heldBytes - held + bytes <= server.limits.allBodiesBytes else { return false }
        server.heldBytes += bytes - held
        held = bytes
        return true
    }

    private func drop() {
        request.body = []
        release()
    }

    private func release() {
        server.heldBytes -= held
        held = 0
    }

    /// Called when the body is complete, or the connection was resumed.
    func proceed() -> MHD_Result {
        // Resumed before the body: libmicrohttpd repeats its first call.
        if !hasBegun { return admit() }
        if answer == nil, let done = bodyHandler {
            bodyHandler = nil
            done(self)
        }
        return answer != nil ? queue() : suspend()
    }

    func queue() -> MHD_Result {
        guard let given = answer else { return .NO }
        let made: OpaquePointer?
        if let stream {
            unsafe server.endDeadline(of: connection)
            unsafe made = stream.makeResponse()
        } else {
            unsafe server.setDeadline(of: connection)
            unsafe made = given.body.withUnsafeBytes { bytes in
                unsafe server.library.pointee.MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        }
        guard let response = unsafe made else { return .NO }
        defer { unsafe server.library.pointee.MHD_destroy_response(response) }
        for field in given.headers {
            _ = unsafe server.library.pointee.MHD_add_response_header(response, field.name, field.value)
        }
        return unsafe server.library.pointee.MHD_queue_response(connection, UInt32(given.status), response)
    }

    func finish() {
        isFinished = true
        release()
        bodyHandler = nil
        stream?.finish()
    }
}
