internal import CLinux
internal import Glibc

/// Keeps a descriptor that was inherited from the programs that this one starts: fcntl(2) with `FD_CLOEXEC`.
public func setCloseOnExec(_ descriptor: Int32) {
    _ = shim_fcntl(descriptor, F_SETFD, Int(FD_CLOEXEC))
}
