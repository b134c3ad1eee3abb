internal import CLinux
internal import Glibc

/// Locks on single bytes of a file, each of which stands for an object that one process at a time works on: fcntl(2),
/// open file description locks. The kernel releases them with the process, however it ends; another object of the same
/// process counts as another process. The bytes need not exist.
public final class RangeLocks {
    private let descriptor: FileDescriptor
    private let path: String

    /// Opens the file, and creates it if it is missing.
    public init(path: String) throws(SystemError) {
        self.path = path
        descriptor = try FileDescriptor.openPrivate(path, O_RDWR | O_NOFOLLOW)
    }

    /// Locks a byte without waiting; false if another process holds the lock.
    public func tryLock(_ byte: Int64) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try retrying("lock \(path)") { shim_lock_byte(descriptor.raw, byte, 1) }
            return true
        } catch  where error.code == EAGAIN || error.code == EACCES {
            return false
        }
    }

    public func unlock(_ byte: Int64) { _ = shim_lock_byte(descriptor.raw, byte, 0) }
}
