internal import CLinux
internal import Glibc

/// A listening TCP socket on 127.0.0.1.
public struct LoopbackListener: ~Copyable, Sendable {
    public let port: UInt16
    private let socket: FileDescriptor

    /// socket(2), bind(2), listen(2).
    /// - Parameter port: 0 chooses a free port.
    public init(port: UInt16 = 0) throws(SystemError) {
        let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let socket = FileDescriptor(owning: try retrying("socket") { Glibc.socket(AF_INET, stream, 0) })
        let raw = socket.raw
        var on: Int32 = 1
        unsafe setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try unsafe withSocketAddress(&address) { (generic) throws(SystemError) in
            try retrying("bind 127.0.0.1:\(port)") { unsafe bind(raw, generic, length) }
            try retrying("listen") { listen(raw, 512) }
            try retrying("getsockname") { unsafe getsockname(raw, generic, &length) }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        self.socket = socket
    }

    /// Waits for a connection: accept4(2). Small pieces on it are sent at once (TCP_NODELAY).
    public func accept() throws(SystemError) -> FileDescriptor {
        let raw = socket.raw
        let accepted = FileDescriptor(owning: try retrying("accept") { shim_accept(raw) })
        var on: Int32 = 1
        unsafe setsockopt(accepted.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return accepted
    }

    /// Makes a waiting and every later `accept` fail.
    public func shutdown() { _ = Glibc.shutdown(socket.raw, Int32(SHUT_RDWR)) }
}

/// Calls on a connected stream socket.
public enum StreamSocket {
    /// Waits for bytes: recv(2). Returns the number of bytes; 0 if the peer has closed.
    public static func receive(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try retrying("recv") { unsafe recv(socket, buffer.baseAddress, buffer.count, 0) }
    }

    /// Sends all bytes, waiting for room: send(2). Raises no SIGPIPE.
    public static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = try retrying("send") {
                unsafe Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Ends both directions, so that calls that wait on the socket return: shutdown(2).
    public static func shutdown(_ socket: Int32) { _ = Glibc.shutdown(socket, Int32(SHUT_RDWR)) }

    /// Makes close(2) reset the connection and discard unsent bytes: SO_LINGER of 0.
    public static func resetOnClose(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Bytes received and read from a TCP socket since it was connected; 0 if unknown.
    public static func consumedBytes(_ socket: Int32) -> UInt64 { shim_consumed_bytes(socket) }

    /// The local port of a TCP socket: getsockname(2); nil for any other socket.
    public static func localPort(_ socket: Int32) -> UInt16? {
        // `sin_port` and `sin6_port` have the same place.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            let generic = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe getsockname(socket, generic, &length)
        }
        let family = Int32(address.sin6_family)
        guard code == 0, family == AF_INET || family == AF_INET6 else { return nil }
        return UInt16(bigEndian: address.sin6_port)
    }

    /// Bytes that the peer has not acknowledged yet: ioctl(2) `SIOCOUTQ`; 0 if unknown.
    public static func unacknowledgedBytes(_ socket: Int32) -> Int { max(0, Int(shim_unsent_bytes(socket))) }
}

func withSocketAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>) throws(SystemError) -> Result
) throws(SystemError) -> Result {
    let pointer = unsafe withUnsafeMutablePointer(to: &address) { UnsafeMutableRawPointer($0) }
    return try unsafe body(pointer.assumingMemoryBound(to: sockaddr.self))
}
