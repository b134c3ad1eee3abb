internal import CLinux
internal import Glibc

/// An open descriptor with one owner; closed with the owner.
///
/// A failed close(2) on Linux has released the descriptor all the same, so `deinit` suffices for sockets, pipes and
/// files that were synced before; call `close()` where the result matters.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number; valid as long as this value lives.
    public let raw: Int32

    public init(owning raw: Int32) { self.raw = raw }

    deinit { _ = Glibc.close(raw) }

    /// Opens a file: open(2), always close-on-exec. A created file has the permissions `mode`.
    /// - Throws: `SystemError` with the path.
    public static func open(_ path: String, _ flags: Int32, mode: UInt32 = 0o600) throws(SystemError) -> FileDescriptor
    {
        let raw = try retrying("open \(path)") { unsafe shim_open(path, flags | O_CLOEXEC, mode) }
        return FileDescriptor(owning: raw)
    }

    /// Makes a socket, close-on-exec: socket(2).
    /// - Parameter kind: such as `SOCK_STREAM`.
    public init(
        socket kind: Int32, of family: Int32, isBlocking: Bool, protocol number: Int32 = 0
    ) throws(SystemError) {
        let kind = kind | Int32(SOCK_CLOEXEC.rawValue) | (isBlocking ? 0 : Int32(SOCK_NONBLOCK.rawValue))
        self.init(owning: try retrying("socket") { socket(family, kind, number) })
    }

    /// Passes the number to the caller, who must close it.
    public consuming func release() -> Int32 {
        let raw = self.raw
        discard self
        return raw
    }

    /// A second descriptor of the same open file.
    public borrowing func duplicate() throws(SystemError) -> FileDescriptor { try FileDescriptor(duplicating: raw) }

    /// A second descriptor of a file that another object has open: fcntl(2) with `F_DUPFD_CLOEXEC`.
    public init(duplicating descriptor: Int32) throws(SystemError) {
        self.init(owning: try retrying("dup") { shim_fcntl(descriptor, F_DUPFD_CLOEXEC, 3) })
    }

    /// Prevents programs started by this process from inheriting a descriptor: fcntl(2) with `FD_CLOEXEC`.
    public static func setCloseOnExec(_ descriptor: Int32) throws(SystemError) {
        try retrying("fcntl") { shim_fcntl(descriptor, F_SETFD, Int(FD_CLOEXEC)) }
    }

    /// Makes calls on a descriptor nonblocking: fcntl(2) `O_NONBLOCK`.
    public static func makeNonBlocking(_ descriptor: Int32) throws(SystemError) {
        let flags = try retrying("fcntl") { shim_fcntl(descriptor, F_GETFL, 0) }
        try retrying("fcntl") { shim_fcntl(descriptor, F_SETFL, Int(flags | O_NONBLOCK)) }
    }
}
