internal import Glibc
internal import ControlProtocol
internal import SystemCalls

/// One connection as the server's thread keeps it: what came and was not taken, what is to go out and did not yet.
final class Connection {
    let descriptor: FileDescriptor
    var session: ControlSession
    /// What came and was not taken: an unfinished line, or lines behind a command that must be answered first.
    var input = InputBuffer()
    var output = OutputBuffer()
    /// Parts whose newest value waits until the client has read what was sent.
    var missed: StatusParts = []
    /// What epoll waits for.
    var interest: EventPoll.Readiness = .readable
    /// The client will send nothing more.
    var hasEnded = false
    /// Nothing more is taken; closed when all was sent.
    var isClosing = false
    /// The place that it occupies.
    let place: ConnectionShares.Place
    /// What `heldBytes` was when it was last added to the user's share.
    var notedBytes = 0

    init(descriptor: consuming FileDescriptor, session: ControlSession, place: ConnectionShares.Place) {
        self.descriptor = descriptor
        self.session = session
        self.place = place
    }

    /// Bytes of memory that unfinished requests and unread answers take.
    var heldBytes: Int { input.capacity + output.capacity + session.heldBytes }
}

/// Bytes that came, in lines. What was searched once is not searched again, so that a client which sends a long line
/// byte by byte costs no more than one that sends it at once.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var searched = 0

    /// Bytes that are waiting.
    var count: Int { bytes.count }
    /// Bytes of memory that they take.
    var capacity: Int { bytes.capacity }

    mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

    /// Calls `body` with each whole line, without its line break, as long as it returns true; lines that it was called
    /// with are gone afterwards.
    mutating func takeLines(_ body: (UnsafeRawBufferPointer) -> Bool) {
        var start = 0
        var hasMore = true
        bytes.withUnsafeBytes { all in
            while hasMore, let end = Self.lineBreak(in: all, from: max(start, searched)) {
                let line = UnsafeRawBufferPointer(rebasing: all[start..<end])
                start = end + 1
                hasMore = body(line)
            }
        }
        // The memory of long lines is not kept for a connection that may idle from now on.
        if start == bytes.count, bytes.capacity > 4096 { bytes = [] } else { bytes.removeSubrange(..<start) }
        searched = hasMore ? bytes.count : 0
    }

    mutating func removeAll() {
        bytes = []
        searched = 0
    }

    static func lineBreak(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

/// Bytes to send.
struct OutputBuffer {
    private(set) var bytes: [UInt8] = []
    private var sent = 0

    /// Bytes that were not sent yet.
    var count: Int { bytes.count - sent }
    /// Bytes of memory that they take.
    var capacity: Int { bytes.capacity }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Gives the bytes to a writer that appends to them.
    mutating func write<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&bytes) }

    /// Sends as much as there is room for.
    /// - Returns: false when the connection is gone.
    mutating func send(to socket: Int32) -> Bool {
        while !isEmpty {
            let sent = sent
            let outcome = bytes.withUnsafeBytes { all in
                Result { () throws(SystemError) in
                    try LocalSocket.send(socket, UnsafeRawBufferPointer(rebasing: all[sent...]))
                }
            }
            switch outcome {
            case .success(.bytes(let count)): self.sent += count
            case .success(.wouldWait):
                // What was sent is dropped only when it is much, so that a slow reader does not cost a copy a piece.
                if self.sent > 1 << 20 || self.sent > bytes.count / 2 {
                    bytes.removeSubrange(..<self.sent)
                    self.sent = 0
                }
                return true
            case .success(.ended), .failure: return false
            }
        }
        // A large answer's memory is not kept for a connection that may idle from now on.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        sent = 0
        return true
    }
}
