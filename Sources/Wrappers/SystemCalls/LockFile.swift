internal import CLinux
internal import Glibc

/// A lock that no crash leaves behind: flock(2) on a file of its own. The file stays; only the lock says anything.
public struct LockFile: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// Takes the lock without waiting.
    ///
    /// - Returns: nil when another process holds it.
    public static func take(_ path: String) throws(SystemError) -> LockFile? {
        let descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_NOFOLLOW)
        while flock(descriptor.raw, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return nil
            default: throw SystemError.last("flock \(path)")
            }
        }
        return LockFile(descriptor: descriptor)
    }

    private init(descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
