internal import CLinux
internal import Glibc
internal import PodcastModel
public import SystemCalls

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
        let generic = unsafe withUnsafeMutablePointer(to: &address) { UnsafeMutableRawPointer($0) }
            .assumingMemoryBound(to: sockaddr.self)
        try retrying("bind 127.0.0.1:\(port)") { unsafe bind(raw, generic, length) }
        try retrying("listen") { listen(raw, 512) }
        try retrying("getsockname") { unsafe getsockname(raw, generic, &length) }
        self.port = UInt16(bigEndian: address.sin_port)
        self.socket = socket
    }

    /// A port for another program. The kernel gives it to no socket by itself.
    public static func unusedPort() throws -> UInt16 {
        let file = try FileDescriptor.open("/proc/sys/net/ipv4/ip_local_port_range", O_RDONLY)
        let range = String(decoding: try file.readSome(upTo: 100), as: UTF8.self)
        let lowest = range.split(whereSeparator: \.isWhitespace).first.flatMap { UInt16($0) } ?? 32_768
        let ports = (lowest - 8_000)..<lowest
        return ports.shuffled().first { (try? InternetListener.listen(on: "127.0.0.1", port: $0)) != nil } ?? lowest
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

extension StreamSocket {
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

    /// Makes close(2) reset the connection and discard unsent bytes: SO_LINGER of 0.
    public static func resetOnClose(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Bytes that the peer has not acknowledged yet: ioctl(2) `SIOCOUTQ`; 0 if unknown.
    public static func unacknowledgedBytes(_ socket: Int32) -> Int { max(0, Int(shim_unsent_bytes(socket))) }
}

extension LocalSocket {
    /// How long a blocking `receive` or `send` waits before it returns `wouldWait`: SO_RCVTIMEO, SO_SNDTIMEO.
    /// - Parameter timeout: at most an hour; nil waits forever.
    public static func setTimeouts(_ socket: Int32, _ timeout: Duration?) {
        // Zero would mean forever.
        let bounded = timeout.map { min(max($0, .microseconds(1)), .seconds(3600)).nanoseconds } ?? 0
        var time = timeval(tv_sec: Int(bounded / 1_000_000_000), tv_usec: Int(bounded % 1_000_000_000 / 1000))
        let length = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, length)
        unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, length)
    }

    /// shutdown(2).
    public static func endSending(_ socket: Int32) { _ = Glibc.shutdown(socket, Int32(SHUT_WR)) }
}
