public import PodcastModel
internal import SystemCalls

/// One connection. Server's thread only.
public final class LineConnection {
    /// Unique for the life of the server.
    public let id: UInt64
    public let peer: LinePeer
    let descriptor: FileDescriptor
    /// Nil before the service has accepted the connection, and after it is closed.
    var session: (any LineSession)?
    /// Received bytes of an unfinished line, or of lines that must wait.
    var input = LineBuffer()
    var output = OutputBuffer()
    var interest: EventPoll.Readiness = .readable
    /// True if the peer sends nothing more.
    var hasEnded = false
    /// True if no more lines are processed; the connection is closed when everything is sent.
    private(set) var isClosing = false
    let place: ConnectionShares.Place
    /// `heldBytes` at the last update of the account's share.
    var sharedBytes = 0
    /// True if the loop will flush the connection after the current call.
    var isScheduled = true
    private let schedule: LineSchedule

    init(
        id: UInt64, peer: LinePeer, descriptor: consuming FileDescriptor, place: ConnectionShares.Place,
        schedule: LineSchedule
    ) {
        self.id = id
        self.peer = peer
        self.place = place
        self.schedule = schedule
        self.descriptor = descriptor
    }

    /// True if everything written was sent.
    public var isDrained: Bool { output.isEmpty }

    /// True if the peer sends nothing more, also if the server does not read now. The peer may have closed.
    public var hasPeerEnded: Bool { hasEnded || LocalSocket.hasPeerEnded(descriptor.raw) }

    /// Calls `body` with a buffer to append to. The server sends the bytes, and processes lines that waited, after the
    /// current call of the service or session, which may be a call for another connection.
    public func write<Result>(_ body: (inout [UInt8]) -> Result) -> Result {
        if !isScheduled {
            isScheduled = true
            schedule.connections.append(self)
        }
        return output.write(body)
    }

    /// Closes the connection once everything written is sent. No more lines are processed.
    public func close() {
        isClosing = true
        input = LineBuffer()
        write { _ in }
    }

    /// When the session's `deadlinePassed` is called, on CLOCK_MONOTONIC; nil for never.
    public var deadline: Instant? {
        didSet { if let deadline { schedule.deadline = min(schedule.deadline ?? deadline, deadline) } }
    }

    /// Bytes of memory of unfinished requests and unread answers.
    var heldBytes: Int { input.capacity + output.capacity + (session?.heldBytes ?? 0) }
}

/// Connections to flush, and their next deadline.
final class LineSchedule {
    var connections: [LineConnection] = []
    /// At or before any connection's deadline; may be earlier, because moving a deadline does not change this.
    var deadline: Instant?
}

/// Bytes that wait until the peer reads.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { bytes.count - sent }
    /// Bytes of memory in use.
    var capacity: Int { bytes.capacity }
    var isEmpty: Bool { count == 0 }

    mutating func write<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&bytes) }

    /// Sends as much as the socket accepts. Returns false if the connection is gone.
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
                // Remove sent bytes only if they are many, so that a slow reader does not cost a copy for each piece.
                if self.sent > 1 << 20 || self.sent > bytes.count / 2 {
                    bytes.removeSubrange(..<self.sent)
                    self.sent = 0
                }
                return true
            case .success(.ended), .failure: return false
            }
        }
        // Release the memory of a large answer, because the connection may become idle.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
        sent = 0
        return true
    }
}
