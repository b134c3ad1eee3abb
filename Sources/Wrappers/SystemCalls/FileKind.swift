internal import CLinux
internal import Glibc

/// The kind of a descriptor or a path, as relevant for writing: stat(2).
public enum FileKind: Sendable {
    /// Seekable, and never blocks a writer.
    case regular
    case pipe
    /// A terminal, a device, a socket, a directory.
    case other

    public init(of descriptor: Int32) throws(SystemError) {
        var status = stat()
        try retrying("fstat") { unsafe fstat(descriptor, &status) }
        self.init(mode: status.st_mode)
    }

    /// Links are followed.
    public init(at path: String) throws(SystemError) {
        var status = stat()
        try retrying("stat \(path)") { unsafe stat(path, &status) }
        self.init(mode: status.st_mode)
    }

    private init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFIFO: self = .pipe
        default: self = .other
        }
    }
}

extension FileDescriptor {
    /// A second descriptor, close-on-exec, of a file that another object has open: fcntl(2) with `F_DUPFD_CLOEXEC`.
    public init(duplicating descriptor: Int32) throws(SystemError) {
        self.init(owning: try retrying("dup") { shim_fcntl(descriptor, F_DUPFD_CLOEXEC, 3) })
    }
}
