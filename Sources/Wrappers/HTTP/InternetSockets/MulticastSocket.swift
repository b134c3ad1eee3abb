internal import Glibc
internal import PodcastModel
public import SystemCalls

/// A UDP socket that sends to groups on one interface and receives the answers. Never blocks.
public final class MulticastSocket {
    /// Routers that a datagram may pass: the value of UPnP Device Architecture 1.0, section 1.
    private static let lifetime: UInt8 = 4

    /// The interface's address, numeric.
    public let local: String
    private let socket: FileDescriptor

    /// Readable when a datagram has come.
    public var descriptor: Int32 { socket.raw }

    /// - Parameter interface: the four bytes of its IPv4 address.
    public init(interface: [UInt8]) throws(SystemError) {
        let local = interface.map(String.init).joinedText(".")
        let socket = try FileDescriptor(socket: Int32(SOCK_DGRAM.rawValue), of: AF_INET, isBlocking: false)
        var address = Self.address(local, port: 0)
        let raw = socket.raw
        try retrying("bind \(local)") { unsafe withGeneric(&address) { unsafe Glibc.bind(raw, $0, $1) } }
        var hops = Self.lifetime
        try retrying("setsockopt") {
            unsafe setsockopt(raw, Int32(IPPROTO_IP), IP_MULTICAST_IF, &address.sin_addr, 4)
        }
        try retrying("setsockopt") { unsafe setsockopt(raw, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops, 1) }
        self.local = local
        self.socket = socket
    }

    /// Sends one datagram: sendto(2).
    public func send(_ text: String, to group: String, port: UInt16) throws(SystemError) {
        var address = Self.address(group, port: port)
        var bytes = Array(text.utf8)
        try retrying("send to \(group)") {
            unsafe withGeneric(&address) { unsafe sendto(socket.raw, &bytes, bytes.count, 0, $0, $1) }
        }
    }

    /// Receives one datagram: recvfrom(2).
    /// - Returns: the datagram, cut at `count` bytes, and the sender's numeric address; nil if none has come.
    public func receive(upTo count: Int) -> (bytes: [UInt8], sender: String)? {
        var bytes = [UInt8](repeating: 0, count: count)
        var address = sockaddr_in()
        let got = unsafe withGeneric(&address) { generic, size in
            var size = size
            return unsafe recvfrom(socket.raw, &bytes, count, 0, generic, &size)
        }
        guard got >= 0 else { return nil }
        let sender = unsafe withUnsafeBytes(of: address.sin_addr) { unsafe $0.map { String($0) } }
        return (Array(bytes.prefix(got)), sender.joinedText("."))
    }

    private static func address(_ text: String, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        _ = unsafe inet_pton(AF_INET, text, &address.sin_addr)
        return address
    }
}

private func withGeneric<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
