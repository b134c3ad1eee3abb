public import PodcastModel
public import SystemCalls

/// A protocol of text lines, as `LineServer` serves it. The server calls it on its own thread; no method may block.
public protocol LineService: AnyObject {
    /// Whether a peer is the daemon's own user or root, for which some connections are reserved.
    func isOwner(_ peer: LinePeer) -> Bool
    /// Begins a session on a new connection; what it writes to the connection is the greeting.
    /// - Throws: the line that the peer gets before the connection is closed.
    func session(on connection: LineConnection) throws(LineRefusal) -> any LineSession
    /// The line, with its line break, that reports a problem to the peer. The server then closes the connection.
    func line(reporting problem: LineProblem) -> [UInt8]
    /// Called after `LineServer.wake`, and when the time that it returned last has come.
    /// - Returns: when to call it again at the latest, on CLOCK_MONOTONIC; nil to wait for the next wake.
    func wake() -> Instant?
    /// A descriptor that the server waits for as well, and calls `wake` when it is ready. Asked before each wait.
    var companion: LineCompanion? { get }
}

extension LineService {
    /// None.
    public var companion: LineCompanion? { nil }
}

/// A descriptor of a service, such as its connection to another server.
public struct LineCompanion: Equatable, Sendable {
    public var descriptor: Int32
    /// Whether to wait also until it can be written.
    public var wantsWriting: Bool

    public init(descriptor: Int32, wantsWriting: Bool) {
        (self.descriptor, self.wantsWriting) = (descriptor, wantsWriting)
    }
}

/// One connection of a protocol. The server calls it on its own thread and drops it after `closed`.
public protocol LineSession: AnyObject {
    /// Whether `received` may be called. While it is false, the server keeps what the peer has sent and then stops reading.
    var canTakeMore: Bool { get }
    /// Whether answers to received lines are still to come. A peer that sends nothing more stays connected until then.
    var isAnswering: Bool { get }
    /// About how many bytes of memory the session holds for lines that it has not answered.
    var heldBytes: Int { get }
    /// Whether the peer may send descriptors with its lines, over a Unix socket. The kernel closes them otherwise.
    var takesDescriptors: Bool { get }
    /// A descriptor came with the bytes that are processed next: it belongs to one of their lines. A line that has not come
    /// completely may still need it.
    func received(_ file: OpenFile)
    /// All bytes were processed: a descriptor that no line has used is to be closed.
    func releaseDescriptor()
    /// Processes one line, without its line break.
    func received(_ line: UnsafeRawBufferPointer)
    /// The peer has been sent everything that was written; what is written now follows.
    func drained()
    /// The connection's `deadline` has passed; it is nil again.
    func deadlinePassed()
    /// The connection is closed.
    func closed()
}

extension LineSession {
    /// No descriptors.
    public var takesDescriptors: Bool { false }
    public func received(_ file: OpenFile) {}
    public func releaseDescriptor() {}
    public func drained() {}
    public func deadlinePassed() {}
    public func closed() {}
}

/// A connection that a service refuses.
public struct LineRefusal: Error, Equatable, Sendable {
    /// The line for the peer, with its line break.
    public let line: [UInt8]

    public init(line: [UInt8]) { self.line = line }
}

/// Why the server refuses or closes a connection.
public enum LineProblem: Error, Equatable, Sendable {
    case tooManyConnections
    /// The peer's account has this many connections already.
    case tooManyConnectionsOfAccount(LinePeer.Account, limit: Int)
    case noDescriptors
    /// A line is longer than this many bytes.
    case lineTooLong(limit: Int)
    /// The account's unfinished requests and unread answers take more than this many bytes.
    case tooMuchMemory(LinePeer.Account, limit: Int)
}
