internal import CLinux
internal import Glibc
internal import PodcastModel

/// Unix stream sockets: unix(7).
public enum LocalSocket {
    /// Result of a nonblocking call.
    public enum Transfer: Equatable, Sendable {
        /// Number of transferred bytes, at least one.
        case bytes(Int)
        /// Nothing now; wait until the descriptor is ready.
        case wouldWait
        case ended
    }

    /// The peer, as the kernel recorded it at connect(2).
    public struct Credentials: Equatable, Sendable {
        /// The process id; 0 if the process is in another namespace.
        public var process: Int32
        public var user: UInt32
        public var group: UInt32

        public init(process: Int32, user: UInt32, group: UInt32) {
            self.process = process
            self.user = user
            self.group = group
        }
    }

    static let maximumPathLength = MemoryLayout<sockaddr_un>.size - 2 - 1

    /// Listens on a path that must not exist, without blocking: socket(2), bind(2), chmod(2), and then listen(2).
    /// - Parameter mode: permissions; connecting needs write permission.
    public static func listen(at path: String, mode: UInt32) throws(SystemError) -> FileDescriptor {
        let socket = try open(isBlocking: false)
        let raw = socket.raw
        try unsafe withAddress(of: path) { (address, length) throws(SystemError) in
            try retrying("bind \(path)") { unsafe bind(raw, address, length) }
        }
        try retrying("chmod \(path)") { unsafe chmod(path, mode) }
        try retrying("listen \(path)") { Glibc.listen(raw, SOMAXCONN) }
        return socket
    }

    /// connect(2).
    /// - Parameter isBlocking: true if calls on the socket wait; if not, connecting fails with EAGAIN while the queue is full.
    public static func connect(to path: String, isBlocking: Bool = true) throws(SystemError) -> FileDescriptor {
        let socket = try open(isBlocking: isBlocking)
        let raw = socket.raw
        try unsafe withAddress(of: path) { (address, length) throws(SystemError) in
            try retrying("connect \(path)") { unsafe Glibc.connect(raw, address, length) }
        }
        return socket
    }

    /// A waiting connection, or nil: accept4(2). Calls on the connection do not block.
    public static func accept(_ listener: Int32) throws(SystemError) -> FileDescriptor? {
        while true {
            let raw = shim_accept_nonblocking(listener)
            if raw >= 0 { return FileDescriptor(owning: raw) }
            switch errno {
            case EAGAIN: return nil
            // A connection that was closed before its turn.
            case EINTR, ECONNABORTED: continue
            default: throw SystemError.last("accept")
            }
        }
    }

    /// Reads available bytes: recv(2).
    public static func receive(
        _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Transfer {
        try receiving("recv") { unsafe recv(socket, buffer.baseAddress, buffer.count, 0) }
    }

    /// Sends as much as there is room for: send(2). Raises no SIGPIPE.
    public static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Transfer {
        try transferring("send") { unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
    }

    static func receiving(_ call: String, _ body: () -> Int) throws(SystemError) -> Transfer {
        let transfer = try transferring(call, body)
        return transfer == .bytes(0) ? .ended : transfer
    }

    /// Repeats a nonblocking call that a signal interrupted.
    static func transferring(_ call: String, _ body: () -> Int) throws(SystemError) -> Transfer {
        do throws(SystemError) {
            return .bytes(try retrying(call, body))
        } catch {
            switch error.code {
            case EAGAIN: return .wouldWait
            case EPIPE, ECONNRESET: return .ended
            default: throw error
            }
        }
    }

    /// True if the peer has ended its sending direction or closed, even if bytes are unread: poll(2).
    public static func hasPeerEnded(_ socket: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// SO_PEERCRED.
    public static func credentials(of socket: Int32) throws(SystemError) -> Credentials {
        var credentials = shim_credentials()
        try retrying("getsockopt SO_PEERCRED") { unsafe shim_peer_credentials(socket, &credentials) }
        return Credentials(process: credentials.process, user: credentials.user, group: credentials.group)
    }

    /// Supplementary groups of the peer: SO_PEERGROUPS. Empty if unknown.
    public static func groups(of socket: Int32) -> [UInt32] {
        // NGROUPS_MAX is 65,536; nearly all users are in fewer than 64 groups.
        for capacity in [64, 65_536] {
            var groups = [UInt32](repeating: 0, count: capacity)
            let count = unsafe shim_peer_groups(socket, &groups, Int32(capacity))
            if count >= 0 { return Array(groups.prefix(Int(count))) }
            if errno != ERANGE { return [] }
        }
        return []
    }

    /// Makes calls on an inherited descriptor nonblocking: fcntl(2) `O_NONBLOCK`, and sets close-on-exec.
    public static func prepareListener(_ descriptor: Int32) throws(SystemError) {
        try FileDescriptor.makeNonBlocking(descriptor)
        try FileDescriptor.setCloseOnExec(descriptor)
    }

    private static func open(isBlocking: Bool) throws(SystemError) -> FileDescriptor {
        try FileDescriptor(socket: Int32(SOCK_STREAM.rawValue), of: AF_UNIX, isBlocking: isBlocking)
    }

    /// - Parameter mayBeAbstract: true if an `@` begins a name in the abstract space.
    static func withAddress(
        of path: String, mayBeAbstract: Bool = false,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
    ) throws(SystemError) {
        var bytes = Array(path.utf8)
        if bytes.isEmpty || bytes.count > maximumPathLength || bytes.contains(0) {
            throw SystemError(code: ENAMETOOLONG, call: "socket path \(path)")
        }
        var length = MemoryLayout<sockaddr_un>.size
        if mayBeAbstract, bytes[0] == .at {
            bytes[0] = 0
            length = MemoryLayout<sa_family_t>.size + bytes.count
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        try unsafe withUnsafePointer(to: &address) { (pointer) throws(SystemError) in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (generic) throws(SystemError) in
                try unsafe body(generic, socklen_t(length))
            }
        }
    }
}

/// Sends one datagram to a Unix socket, like sd_notify(3).
/// - Parameters:
///   - address: a path, or a name in the abstract space after an `@`.
///   - waits: true to wait for room if the receiver is slow; otherwise the message fails with `EAGAIN`.
/// - Throws: `SystemError`; the message is then not sent at all.
public func sendUnixDatagram(_ bytes: [UInt8], to address: String, waits: Bool = true) throws(SystemError) {
    let socket = try FileDescriptor(socket: Int32(SOCK_DGRAM.rawValue), of: AF_UNIX, isBlocking: true)
    let number = socket.raw
    let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
    try unsafe LocalSocket.withAddress(of: address, mayBeAbstract: true) { (target, length) throws(SystemError) in
        try retrying("send to \(address)") { unsafe sendto(number, bytes, bytes.count, flags, target, length) }
    }
}
