internal import CLinux
internal import Glibc

/// Makes one system call of a kind that a confined process must not make; unknown names do nothing.
public func tryForbidden(_ name: String) { unsafe shim_try_forbidden(name) }
