internal import Glibc
public import PodcastModel
public import SystemCalls

/// Why a host cannot be reached.
public struct UnreachableHost: Error, Equatable, CustomStringConvertible {
    /// The system's message, such as `Connection refused`.
    public let description: String
}

/// Opens TCP connections.
public enum InternetConnection {
    /// Looks a host up and connects to it: getaddrinfo(3), connect(2). Blocks until the deadline at most, apart from the look-up, for
    /// which the system has a limit. Calls on the connection do not block, and small writes are sent at once.
    /// - Parameter host: a name, or a numeric IPv4 or IPv6 address.
    public static func open(
        to host: String, port: UInt16, until deadline: Instant
    ) throws(UnreachableHost) -> FileDescriptor {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &first)
        guard code == 0 else { throw UnreachableHost(description: unsafe String(cString: gai_strerror(code))) }
        defer { unsafe freeaddrinfo(first) }
        var failure = UnreachableHost(description: "it has no address")
        var next = unsafe first
        while let address = unsafe next?.pointee {
            do throws(SystemError) {
                return unsafe try connect(to: address, until: deadline)
            } catch {
                failure = UnreachableHost(description: error.reason)
            }
            unsafe next = address.ai_next
        }
        throw failure
    }

    private static func connect(to address: addrinfo, until deadline: Instant) throws(SystemError) -> FileDescriptor {
        let socket = try unsafe FileDescriptor(
            socket: address.ai_socktype, of: address.ai_family, isBlocking: false, protocol: address.ai_protocol)
        let raw = socket.raw
        do throws(SystemError) {
            try retrying("connect") { unsafe Glibc.connect(raw, address.ai_addr, address.ai_addrlen) }
        } catch  where error.code == EINPROGRESS {
            guard waitForDescriptors(readable: -1, writable: raw, until: deadline) else {
                throw SystemError(code: ETIMEDOUT, call: "connect")
            }
            var code = Int32(0)
            var length = socklen_t(MemoryLayout<Int32>.size)
            unsafe getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &length)
            guard code == 0 else { throw SystemError(code: code, call: "connect") }
        }
        StreamSocket.setOption(raw, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        return socket
    }

    /// Limits the bytes that a socket holds before they are sent: setsockopt(2) `SO_SNDBUF`.
    public static func limitSendBuffer(of socket: Int32, bytes: Int) {
        // The kernel reserves as much again for itself.
        StreamSocket.setOption(socket, SOL_SOCKET, SO_SNDBUF, Int32(clamping: bytes / 2))
    }
}
