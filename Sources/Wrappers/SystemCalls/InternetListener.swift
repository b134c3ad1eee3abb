internal import CLinux
internal import Glibc
internal import PodcastModel

/// Opens listening TCP sockets.
public enum InternetListener {
    /// Listens on a numeric IPv4 or IPv6 address: socket(2), bind(2), listen(2).
    /// - Throws: `SystemError` with `EINVAL` for an address that is not numeric.
    public static func listen(on address: String, port: UInt16) throws(SystemError) -> FileDescriptor {
        var four = sockaddr_in()
        if unsafe inet_pton(AF_INET, address, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            let descriptor = try open(AF_INET)
            try bind(descriptor.raw, &four, address, port)
            return descriptor
        }
        var six = sockaddr_in6()
        guard unsafe inet_pton(AF_INET6, address, &six.sin6_addr) == 1 else {
            throw SystemError(code: EINVAL, call: "listen on \(address)")
        }
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        let descriptor = try open(AF_INET6)
        // Both families on one port, independent of the system's default.
        StreamSocket.setOption(descriptor.raw, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
        try bind(descriptor.raw, &six, address, port)
        return descriptor
    }

    /// The local port of a TCP socket; nil for a Unix socket: getsockname(2).
    public static func port(of socket: Int32) -> UInt16? {
        guard let address = unsafe address({ unsafe getsockname(socket, $0, $1) }),
            [AF_INET, AF_INET6].contains(Int32(address.sin6_family))
        else { return nil }
        // The port has the same place in both families.
        return UInt16(bigEndian: address.sin6_port)
    }

    /// The peer's numeric address: getpeername(2), inet_ntop(3). Nil if the connection is gone.
    public static func peer(of socket: Int32) -> String? {
        guard var address = unsafe address({ unsafe getpeername(socket, $0, $1) }) else { return nil }
        let bytes = try? unsafe withSocketAddress(&address) { unsafe NetworkInterfaces.bytes(of: $0) }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard let bytes, unsafe inet_ntop(Int32(address.sin6_family), bytes, &text, socklen_t(text.count)) != nil
        else { return nil }
        return String(utf8: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }

    /// Calls getsockname(2) or getpeername(2).
    private static func address(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> sockaddr_in6? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = try? unsafe withSocketAddress(&address) { unsafe call($0, &length) }
        return result == 0 ? address : nil
    }

    private static func open(_ family: Int32) throws(SystemError) -> FileDescriptor {
        let descriptor = try FileDescriptor(socket: Int32(SOCK_STREAM.rawValue), of: family, isBlocking: false)
        StreamSocket.setOption(descriptor.raw, SOL_SOCKET, SO_REUSEADDR, 1)
        return descriptor
    }

    private static func bind<Address>(
        _ raw: Int32, _ socketAddress: inout Address, _ address: String, _ port: UInt16
    ) throws(SystemError) {
        let length = socklen_t(MemoryLayout<Address>.size)
        try unsafe withSocketAddress(&socketAddress) { (generic) throws(SystemError) in
            try retrying("listen on \(address) port \(port)") { unsafe Glibc.bind(raw, generic, length) }
            try retrying("listen on \(address) port \(port)") { Glibc.listen(raw, 128) }
        }
    }
}

/// Calls on a connected stream socket.
public enum StreamSocket {
    /// Ends both directions, so that calls that wait on the socket return: shutdown(2).
    public static func shutdown(_ socket: Int32) { _ = Glibc.shutdown(socket, Int32(SHUT_RDWR)) }

    /// setsockopt(2). If the system refuses the value, the earlier one stays.
    public static func setOption(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes received and read from a TCP socket since it was connected; 0 if unknown.
    public static func consumedBytes(_ socket: Int32) -> UInt64 { shim_consumed_bytes(socket) }
}

func withSocketAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>) throws(SystemError) -> Result
) throws(SystemError) -> Result {
    let pointer = unsafe withUnsafeMutablePointer(to: &address) { UnsafeMutableRawPointer($0) }
    return try unsafe body(pointer.assumingMemoryBound(to: sockaddr.self))
}

/// The machine's interfaces to networks.
public enum NetworkInterfaces {
    /// The addresses of all interfaces, 4 or 16 bytes each in network order: getifaddrs(3). Does not block.
    public static func addresses() throws(SystemError) -> [[UInt8]] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { throw SystemError.last("getifaddrs") }
        defer { unsafe freeifaddrs(first) }
        var found: [[UInt8]] = []
        var next = unsafe first
        while let interface = unsafe next {
            if let address = unsafe interface.pointee.ifa_addr, let bytes = unsafe bytes(of: address) {
                found.append(bytes)
            }
            unsafe next = interface.pointee.ifa_next
        }
        return found
    }

    fileprivate static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8]? {
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin_addr) { unsafe Array($0) }
            }
        case AF_INET6:
            unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { unsafe Array($0) }
            }
        default: nil
        }
    }
}
