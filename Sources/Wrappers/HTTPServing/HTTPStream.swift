internal import CMicroHTTPD

/// A body that is sent in pieces. Belongs to the server's thread.
@safe public final class HTTPStream {
    /// Bytes passed to libmicrohttpd at a time, which allocates the same memory for each stream: small for events, larger for files.
    private static let (pieceBytes, filePieceBytes) = (256, 32 << 10)

    private let connection: OpaquePointer
    private let server: HTTPServer
    private let length: UInt64?
    private var pending: [UInt8] = []
    private var sent = 0
    private var isSuspended = false
    private var hasEnded = false
    /// True if the client has gone or everything was sent.
    public private(set) var isFinished = false

    init(_ connection: OpaquePointer, _ server: HTTPServer, length: UInt64?) {
        unsafe self.connection = unsafe connection
        self.server = server
        self.length = length
    }

    /// Bytes that the client has not read yet.
    public var unreadBytes: Int { pending.count - sent }

    /// Sends a piece when the client reads.
    public func send(_ bytes: [UInt8]) {
        if isFinished || hasEnded { return }
        pending += bytes
        resume()
    }

    /// Ends the body after the pieces sent so far.
    public func end() {
        hasEnded = true
        resume()
    }

    private func resume() {
        guard isSuspended, !isFinished else { return }
        isSuspended = false
        server.suspended -= 1
        unsafe server.library.pointee.MHD_resume_connection(connection)
    }

    func finish() { isFinished = true }

    func makeResponse() -> OpaquePointer? {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        // MHD_SIZE_UNKNOWN, a macro that Swift does not import.
        return unsafe server.library.pointee.MHD_create_response_from_callback(
            length ?? UInt64.max, length == nil ? Self.pieceBytes : Self.filePieceBytes,
            { context, _, buffer, size in
                let stream = unsafe Unmanaged<HTTPStream>.fromOpaque(context!).takeUnretainedValue()
                return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            }, context,
            { context in unsafe Unmanaged<HTTPStream>.fromOpaque(context!).release() })
    }

    /// MHD_ContentReaderCallback. Without bytes the connection is suspended, or the server would call again at once.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, unreadBytes)
        if count == 0 {
            // MHD_CONTENT_READER_END_OF_STREAM.
            if hasEnded { return -1 }
            isSuspended = true
            server.suspended += 1
            unsafe server.library.pointee.MHD_suspend_connection(connection)
            return 0
        }
        unsafe pending.withUnsafeBytes { bytes in
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[sent..<sent + count]))
        }
        sent += count
        if sent == pending.count {
            pending.removeAll(keepingCapacity: false)
            sent = 0
        }
        return count
    }
}
