internal import CLinux
internal import Glibc

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

    private static func bytes(of address: UnsafePointer<sockaddr>) -> [UInt8]? {
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
