internal import CLinux
internal import Glibc

/// Prevents programs started by this process from inheriting a descriptor: fcntl(2) with `FD_CLOEXEC`.
public func setCloseOnExec(_ descriptor: Int32) {
    _ = shim_fcntl(descriptor, F_SETFD, Int(FD_CLOEXEC))
}
