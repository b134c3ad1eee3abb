public import PodcastModel
public import SystemCalls

/// A protocol of text lines for `LineServer`. Called on the server's thread; no method may block.
public protocol LineService: AnyObject {
    /// True for the daemon's own user and root, for which some connections are reserved.
    func isOwner(_ peer: LinePeer) -> Bool
    /// Begins a session on a new connection. Bytes written during the call are the greeting.
    /// - Throws: the line for the peer before the connection is closed.
    func session(on connection: LineConnection) throws(LineRefusal) -> any LineSession
    /// The line, with its line break, that reports a problem to the peer. The server then closes the connection.
    func line(reporting problem: LineProblem) -> [UInt8]
    /// Called after `LineServer.wake`, and at the last returned time.
    /// - Returns: latest time of the next call, on CLOCK_MONOTONIC; nil to wait for the next wake.
    func wake() -> Instant?
    /// Another descriptor: `wake` is called when it can be read, or written if `wantsWriting`. Read before each wait.
    var companion: (descriptor: Int32, wantsWriting: Bool)? { get }
}

extension LineService {
    public var companion: (descriptor: Int32, wantsWriting: Bool)? { nil }
}

/// One connection of a protocol. Called on the server's thread, and released after `closed`.
public protocol LineSession: AnyObject {
    /// True if `received` may be called. While false, the server keeps received bytes and then stops reading.
    var canTakeMore: Bool { get }
    /// True if answers to received lines are pending. A peer that sends nothing more stays connected until then.
    var isAnswering: Bool { get }
    /// Approximate bytes of memory for unanswered lines.
    var heldBytes: Int { get }
    /// True if the peer may send descriptors with its lines, over a Unix socket. The kernel closes them otherwise.
    var takesDescriptors: Bool { get }
    /// A descriptor came with the bytes that are processed next, for one of their lines, possibly an incomplete one.
    func received(_ file: OpenFile)
    /// All bytes were processed: close a descriptor that no line has used.
    func releaseDescriptor()
    /// Processes one line, without its line break.
    func received(_ line: UnsafeRawBufferPointer)
    /// Everything written was sent.
    func drained()
    /// The connection's `deadline` has passed; it is nil again.
    func deadlinePassed()
    func closed()
}

extension LineSession {
    /// The default accepts no descriptors.
    public var takesDescriptors: Bool { false }
    public func received(_ file: OpenFile) {}
    public func releaseDescriptor() {}
    public func drained() {}
    public func deadlinePassed() {}
    public func closed() {}
}

/// Refuses a connection.
public struct LineRefusal: Error, Equatable {
    public let line: [UInt8]

    public init(line: [UInt8]) { self.line = line }
}

/// Why the server refuses or closes a connection.
public enum LineProblem: Error, Equatable {
    case tooManyConnections
    case tooManyConnectionsOfAccount(LinePeer.Account, limit: Int)
    case noDescriptors
    case lineTooLong(limit: Int)
    /// The account's unfinished requests and unread answers take more than this number of bytes.
    case tooMuchMemory(LinePeer.Account, limit: Int)
}

/// The other end of a connection.
public enum LinePeer: Equatable, Sendable {
    /// A process on this machine, as the kernel reports it for Unix sockets; see unix(7).
    case local(LocalSocket.Credentials, groups: [UInt32])
    /// A numeric IPv4 or IPv6 address.
    case network(address: String)

    /// Connections with the same account share the limits of connections and memory.
    public enum Account: Hashable, Sendable, CustomStringConvertible {
        case user(UInt32)
        case address(String)

        /// For messages: `user 1000`, `192.0.2.7`.
        public var description: String {
            switch self {
            case .user(let user): "user \(user)"
            case .address(let address): address
            }
        }
    }

    public var account: Account {
        switch self {
        case .local(let credentials, _): .user(credentials.user)
        case .network(let address): .address(address)
        }
    }

    /// 0 if unknown.
    var process: Int32 {
        switch self {
        case .local(let credentials, _): credentials.process
        case .network: 0
        }
    }
}
