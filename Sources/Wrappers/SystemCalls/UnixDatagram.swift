internal import CLinux
internal import Glibc

/// Sends one datagram to a Unix socket, like sd_notify(3).
/// - Parameters:
///   - address: a path, or a name in the abstract space after an `@`.
///   - waits: true to wait for room if the receiver is slow; otherwise the message fails with `EAGAIN`.
/// - Throws: `SystemError`; the message is then not sent at all.
public func sendUnixDatagram(_ bytes: [UInt8], to address: String, waits: Bool = true) throws(SystemError) {
    let path = Array(address.utf8)
    var target = sockaddr_un()
    guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: target.sun_path) else {
        throw SystemError(code: ENAMETOOLONG, call: "connect \(address)")
    }
    target.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &target.sun_path) { field in
        unsafe field.copyBytes(from: path)
        if path[0] == UInt8(ascii: "@") { unsafe field[0] = 0 }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (path[0] == UInt8(ascii: "@") ? 0 : 1))
    let socket = FileDescriptor(
        owning: try retrying("socket") {
            Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        })
    let number = socket.raw
    try retrying("send to \(address)") {
        unsafe withUnsafePointer(to: &target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe sendto(
                    number, bytes, bytes.count, Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT)), generic, length
                )
            }
        }
    }
}
