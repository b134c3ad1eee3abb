public import PodcastModel
internal import SystemCalls

/// One connection. It belongs to the server's thread.
public final class LineConnection {
    /// Unique for the life of the server.
    public let id: UInt64
    public let peer: LinePeer
    let descriptor: FileDescriptor
    /// Nil before the service has accepted the connection, and after it is closed.
    var session: (any LineSession)?
    /// Received bytes of an unfinished line, or of lines that must wait.
    var input = InputBuffer()
    var output = OutputBuffer()
    /// What epoll waits for.
    var interest: EventPoll.Readiness = .readable
    /// The peer sends nothing more.
    var hasEnded = false
    /// Nothing more is processed; the connection is closed when everything is sent.
    private(set) var isClosing = false
    let place: ConnectionShares.Place
    /// `heldBytes` as it was last added to the account's share.
    var notedBytes = 0
    /// Whether the loop will flush it after the current call.
    var isScheduled = true
    private let schedule: LineSchedule

    init(
        id: UInt64, peer: LinePeer, descriptor: consuming FileDescriptor, place: ConnectionShares.Place,
        schedule: LineSchedule
    ) {
        self.id = id
        self.peer = peer
        self.descriptor = descriptor
        self.place = place
        self.schedule = schedule
    }

    /// Whether the peer has been sent everything that was written.
    public var isDrained: Bool { output.isEmpty }

    /// Whether the peer sends nothing more, even if the server does not read from it at present. It may have closed the connection.
    public var hasPeerEnded: Bool { hasEnded || LocalSocket.hasPeerEnded(descriptor.raw) }

    /// Calls `body` with a buffer to append to. The server sends it, and processes lines that waited, after the current call of
    /// the service or session. That call may be one for another connection.
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
        input.removeAll()
        write { _ in }
    }

    /// When the session's `deadlinePassed` is called, on CLOCK_MONOTONIC; nil for never.
    public var deadline: Instant? {
        didSet { if let deadline { schedule.deadline = min(schedule.deadline ?? deadline, deadline) } }
    }

    /// Bytes of memory that unfinished requests and unread answers take.
    var heldBytes: Int { input.capacity + output.capacity + (session?.heldBytes ?? 0) }
}

/// What connections ask of their loop.
final class LineSchedule {
    var connections: [LineConnection] = []
    /// A time that is not later than any connection's deadline. It may be earlier, because a deadline that is moved does not
    /// change it.
    var deadline: Instant?
}
