internal import CMicroHTTPD
internal import Glibc
internal import PodcastModel
public import SystemCalls

/// Why there is no server.
public enum HTTPServingError: Error, Equatable, CustomStringConvertible {
    case notInstalled
    /// libmicrohttpd gives no reason.
    case refused

    public var description: String {
        switch self {
        case .notInstalled: "libmicrohttpd is missing; install podcastd-web"
        case .refused: "libmicrohttpd refuses"
        }
    }
}

/// A server on one socket. When `descriptor` is readable or `nextTimeout` has passed, call `run`. One thread.
@safe public final class HTTPServer {
    public struct Limits: Sendable {
        public var connections: UInt32 = 128
        /// 0: the same as `connections`.
        public var connectionsPerAddress: UInt32 = 32
        /// The numeric address of a client that always finds room, because all others together have at most `others` connections; nil
        /// for none.
        public var favored: (address: String, others: Int)?
        /// Seconds in which a client must send or read something.
        public var timeoutSeconds: UInt32 = 30
        /// Bytes of memory kept for each client. Somewhat more than half of it is for a request's line and headers;
        /// libmicrohttpd itself answers longer ones with 414 or 431.
        var clientBytes = 8 << 10
        /// Values of a query. Each value takes about 80 of a client's bytes besides its text. When the bytes do not suffice,
        /// libmicrohttpd sends no answer, so the server itself refuses more values with 414.
        public static let queryValues = 50
        /// Bytes of a body, unless a handler wants longer ones.
        public var bodyBytes = 1 << 20
        /// Bytes of all bodies together, besides the first 16 KiB of each.
        var allBodiesBytes = 16 << 20
        /// Seconds for receiving a complete request, and for sending its response. A stream has no such limit.
        public var requestSeconds = 60

        public init() {}
    }

    private struct Client {
        let descriptor: Int32
        let isFavored: Bool
        /// Whether the client has the answer to its last request already, and its connection is shut down.
        var isRefused = false
        /// When the client is disconnected; nil while the server has to answer.
        var deadline: Instant?
    }

    // libmicrohttpd is loaded at its first use; constant afterwards.
    nonisolated(unsafe) private static let loaded = unsafe shim_load_microhttpd_functions()

    let library: UnsafePointer<microhttpd_functions>
    let limits: Limits
    /// The response to a body of more bytes.
    let tooLong: (Int) -> HTTPResponse
    /// The response to a body for which the server has no room at present.
    let noRoom: HTTPResponse
    let handler: (HTTPExchange) -> Void
    private var daemon: OpaquePointer?
    /// By the addresses of their connections.
    private var clients: [Int: Client] = [:]
    /// At or before any client's deadline.
    private var nextDeadline: Instant?
    private var connectionsHaveEnded = false
    /// Bytes of bodies that count against the shared limit.
    var heldBytes = 0

    /// - Throws: if libmicrohttpd is not installed, so that no server can be made.
    public static func load() throws(HTTPServingError) { if unsafe loaded == nil { throw .notInstalled } }

    /// Serves a listening socket, TCP or Unix.
    /// - Parameter handler: called by `run` for each request when its headers are complete. The handler responds, or
    ///   calls `receiveBody`, now or later on the same thread.
    public init(
        listener: consuming FileDescriptor, limits: Limits = Limits(),
        tooLong: @escaping (Int) -> HTTPResponse = { _ in HTTPResponse(413) }, noRoom: HTTPResponse = HTTPResponse(503),
        handler: @escaping (HTTPExchange) -> Void
    ) throws(HTTPServingError) {
        guard let library = unsafe Self.loaded else { throw .notInstalled }
        unsafe self.library = unsafe library
        self.limits = limits
        self.tooLong = tooLong
        self.noRoom = noRoom
        self.handler = handler
        let raw = listener.release()
        unsafe daemon = shim_start(
            library, raw, limits.connections, limits.connectionsPerAddress, limits.timeoutSeconds, limits.clientBytes,
            { context, target, connection in
                let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
                unsafe server.checkQuery(of: connection!, target!)
                return nil
            },
            { context, connection, path, method, version, piece, pieceSize, slot in
                let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
                return unsafe server.handle(connection!, path!, method!, version!, piece, pieceSize!, slot!)
            },
            { context, connection, slot, _ in
                let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
                // The next request of the connection.
                unsafe server.setDeadline(of: connection!)
                guard let pointer = unsafe slot?.pointee else { return }
                unsafe slot?.pointee = nil
                unsafe Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue().finish()
            },
            { context, connection, _, change in
                let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
                unsafe server.connectionChanged(connection!, hasStarted: change == .CONNECTION_NOTIFY_STARTED)
            }, Unmanaged.passUnretained(self).toOpaque())
        if unsafe daemon == nil { throw .refused }
    }

    deinit {
        // A daemon with suspended connections cannot be stopped; these belong to exchanges that their users still hold.
        if suspended == 0, let daemon = unsafe daemon { unsafe library.pointee.MHD_stop_daemon(daemon) }
    }

    /// Number of connections that wait for their response.
    var suspended = 0

    /// Readable when `run` has something to do.
    public var descriptor: Int32 { unsafe daemon.map { unsafe shim_event_descriptor(library, $0) } ?? -1 }

    /// Time after which `run` must be called in any case; nil for none.
    public var nextTimeout: Duration? {
        var milliseconds: UInt64 = 0
        let own = nextDeadline.map { max($0 - .now, .zero) }
        guard let daemon = unsafe daemon, unsafe library.pointee.MHD_get_timeout(daemon, &milliseconds) == .YES else {
            return own
        }
        return min(.milliseconds(Int64(clamping: milliseconds)), own ?? .milliseconds(Int64.max / 2_000_000))
    }

    /// Receives, calls the handler and sends, as far as possible without waiting.
    public func run() {
        guard let daemon = unsafe daemon else { return }
        closeLateClients()
        // At its limit of connections or descriptors libmicrohttpd does not wait for its listening socket until the
        // first run after connections have ended, and nothing makes `descriptor` readable for this run.
        repeat {
            connectionsHaveEnded = false
            _ = unsafe library.pointee.MHD_run(daemon)
        } while connectionsHaveEnded
    }

    /// Refuses a request with too many values, before libmicrohttpd reserves memory for the values.
    private func checkQuery(of connection: OpaquePointer, _ target: UnsafePointer<CChar>) {
        let key = Int(bitPattern: connection)
        guard let client = clients[key],
            unsafe String(cString: target).utf8.count(where: { $0 == .ampersand }) >= Limits.queryValues
        else { return }
        clients[key]?.isRefused = true
        let text = "the query has more than \(Limits.queryValues) values; send them with POST\n"
        let answer = [
            "HTTP/1.1 414 URI Too Long", "Connection: close", "Content-Type: text/plain; charset=utf-8",
            "Content-Length: \(text.utf8.count)", "", text,
        ].joinedText("\r\n")
        _ = unsafe answer.utf8CString.withUnsafeBytes { bytes in
            unsafe send(client.descriptor, bytes.baseAddress, bytes.count - 1, Int32(MSG_NOSIGNAL))
        }
        shutdown(client.descriptor, Int32(SHUT_RDWR))
    }

    // MARK: deadlines

    private func connectionChanged(_ connection: OpaquePointer, hasStarted: Bool) {
        if hasStarted {
            let descriptor = unsafe shim_descriptor(library, connection)
            let isFavored = limits.favored.map { InternetListener.peer(of: descriptor) == $0.address } ?? true
            clients[Int(bitPattern: connection)] = Client(descriptor: descriptor, isFavored: isFavored)
            unsafe setDeadline(of: connection)
            if let favored = limits.favored, clients.values.count(where: { !$0.isFavored }) > favored.others, !isFavored
            {
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        } else {
            clients[Int(bitPattern: connection)] = nil
            connectionsHaveEnded = true
        }
    }

    /// Starts the time limit for receiving a request, or for sending a response.
    func setDeadline(of connection: OpaquePointer) {
        let deadline = Instant.now + .seconds(limits.requestSeconds)
        clients[Int(bitPattern: connection)]?.deadline = deadline
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }

    func endDeadline(of connection: OpaquePointer) { clients[Int(bitPattern: connection)]?.deadline = nil }

    /// libmicrohttpd closes a connection only if nothing at all is sent or read for a while.
    private func closeLateClients() {
        let now = Instant.now
        guard let due = nextDeadline, due <= now else { return }
        for (connection, client) in clients where client.deadline.map({ $0 <= now }) ?? false {
            clients[connection]?.deadline = nil
            shutdown(client.descriptor, Int32(SHUT_RDWR))
        }
        nextDeadline = clients.values.compactMap(\.deadline).min()
    }

    /// One call of MHD_AccessHandlerCallback: the headers, a piece of the body, or its end.
    private func handle(
        _ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>, _ piece: UnsafePointer<CChar>?, _ pieceSize: UnsafeMutablePointer<Int>,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        if clients[Int(bitPattern: connection)]?.isRefused == true { return .NO }
        guard let pointer = unsafe slot.pointee else {
            let exchange = unsafe HTTPExchange(
                self, connection, method: String(cString: method), path: String(cString: path),
                version: String(cString: version))
            unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            return exchange.begin()
        }
        let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
        if unsafe pieceSize.pointee > 0 {
            let bytes = unsafe UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee)
            unsafe pieceSize.pointee = 0
            return unsafe exchange.append(bytes) ? .YES : .NO
        }
        return exchange.proceed()
    }
}
