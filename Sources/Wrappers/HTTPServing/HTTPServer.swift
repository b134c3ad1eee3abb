internal import CMicroHTTPD
public import SystemCalls

/// libmicrohttpd cannot start.
public struct HTTPServingError: Error, Equatable, Sendable {}

/// A server on one listening socket. Wait until `descriptor` is readable or `nextTimeout` is over, then call `run`. One thread.
@safe public final class HTTPServer {
    /// What the server holds for its clients at most.
    public struct Limits: Sendable {
        public var connections: UInt32 = 128
        /// 0: as many as there may be in all.
        public var connectionsPerAddress: UInt32 = 32
        /// Seconds in which a client must send or read something.
        public var timeoutSeconds: UInt32 = 30
        /// Bytes of memory kept for each client. Somewhat more than half of it is there for a request's line and headers; longer ones
        /// are answered with 414 or 431 by libmicrohttpd itself.
        public var clientBytes = 8 << 10
        public var bodyBytes = 1 << 20

        public init() {}
    }

    /// What a client gets whose body is too long, before its connection is closed.
    public struct Refusal: Sendable {
        var headers: [HTTPField]
        var body: [UInt8]

        public init(headers: [HTTPField] = [], body: [UInt8] = []) { (self.headers, self.body) = (headers, body) }
    }

    let limits: Limits
    let refusal: Refusal
    let handler: (HTTPExchange) -> Void
    private var daemon: OpaquePointer?

    /// Serves a listening socket, of TCP or Unix.
    ///
    /// - Parameter handler: called by `run` for each request; it answers now or later on the same thread.
    public init(
        listener: consuming FileDescriptor, limits: Limits = Limits(), refusal: Refusal = Refusal(),
        handler: @escaping (HTTPExchange) -> Void
    ) throws(HTTPServingError) {
        (self.limits, self.refusal, self.handler) = (limits, refusal, handler)
        let raw = listener.release()
        unsafe daemon = shim_start(
            raw, limits.connections, limits.connectionsPerAddress, limits.timeoutSeconds, limits.clientBytes,
            { context, connection, path, method, _, piece, pieceSize, slot in
                let server = unsafe Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
                return unsafe server.handle(connection!, path!, method!, piece, pieceSize!, slot!)
            },
            { _, _, slot, _ in
                guard let pointer = unsafe slot?.pointee else { return }
                unsafe slot?.pointee = nil
                unsafe Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue().finish()
            }, Unmanaged.passUnretained(self).toOpaque())
        if unsafe daemon == nil { throw HTTPServingError() }
    }

    deinit {
        // Stopping needs that no connection is suspended; those that are belong to exchanges that their users still hold.
        if suspended == 0, let daemon = unsafe daemon { unsafe MHD_stop_daemon(daemon) }
    }

    /// Connections that wait for their answer.
    var suspended = 0

    /// Readable when `run` has something to do.
    public var descriptor: Int32 { unsafe daemon.map { unsafe shim_event_descriptor($0) } ?? -1 }

    /// After which time `run` must be called in any case; nil for none.
    public var nextTimeout: Duration? {
        var milliseconds: UInt64 = 0
        guard let daemon = unsafe daemon, unsafe MHD_get_timeout(daemon, &milliseconds) == .YES else { return nil }
        return .milliseconds(Int64(clamping: milliseconds))
    }

    /// Receives, calls the handler and sends, as far as possible without waiting.
    public func run() { if let daemon = unsafe daemon { _ = unsafe MHD_run(daemon) } }

    /// One call of MHD_AccessHandlerCallback: the headers, a piece of the body, or its end.
    private func handle(
        _ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
        _ piece: UnsafePointer<CChar>?, _ pieceSize: UnsafeMutablePointer<Int>,
        _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> MHD_Result {
        guard let pointer = unsafe slot.pointee else {
            let exchange = unsafe HTTPExchange(
                self, connection, method: String(cString: method), path: String(cString: path))
            unsafe slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            // A response before the body is possible only now.
            if exchange.announcesTooMuch {
                exchange.refuseBody()
                return exchange.queue()
            }
            return .YES
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
