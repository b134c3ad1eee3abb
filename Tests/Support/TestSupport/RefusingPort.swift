import Glibc

/// A port of 127.0.0.1 that refuses connections: bound, so that no other process gets the port meanwhile, and without a listener.
public final class RefusingPort {
    private let descriptor: Int32
    private let number: UInt16

    public init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        (self.descriptor, number) = (descriptor, UInt16(bigEndian: address.sin_port))
        if !bound { throw NoPort() }
    }

    deinit { close(descriptor) }

    public func url(_ path: String) -> String { "http://127.0.0.1:\(number)\(path)" }

    private struct NoPort: Error {}
}
