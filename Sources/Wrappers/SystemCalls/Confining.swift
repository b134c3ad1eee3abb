internal import CLinux
internal import Glibc

/// Permanently prevents gaining privileges by running a program: prctl(2) `PR_SET_NO_NEW_PRIVS`.
public func renounceNewPrivileges() throws(SystemError) {
    try retrying("prctl no_new_privs") { shim_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }
}

/// Permanently limits this process: setrlimit(2). No new processes and no core dump.
/// - Parameters:
///   - addressSpace: in bytes.
///   - descriptors: descriptor numbers are below this number.
///   - fileSize: maximum bytes of a written file.
public func limitResources(addressSpace: UInt64, descriptors: UInt64, fileSize: UInt64) throws(SystemError) {
    try retrying("setrlimit") { shim_confine_resources(addressSpace, descriptors, fileSize) }
}

/// Removes access to every path and, if the kernel supports it, every TCP port and abstract socket: Landlock with an
/// empty rule set, landlock_restrict_self(2). Call `renounceNewPrivileges` before.
/// - Returns: the kernel's Landlock version; 0 without Landlock, when nothing was done.
@discardableResult
public func renounceFileSystem() throws(SystemError) -> Int {
    let version = max(0, Int(shim_landlock_version()))
    guard version > 0 else { return 0 }
    // Documentation/userspace-api/landlock.rst: rights by version. 13 in the first, then REFER, TRUNCATE, IOCTL_DEV.
    let fileRights: UInt64 =
        switch version {
        case 1: (1 << 13) - 1
        case 2: (1 << 14) - 1
        case 3, 4: (1 << 15) - 1
        default: (1 << 16) - 1
        }
    var attributes = shim_landlock_attributes(
        handled_access_fs: fileRights, handled_access_net: version >= 4 ? 3 : 0, scoped: version >= 6 ? 3 : 0)
    let size = version >= 6 ? 24 : version >= 4 ? 16 : 8
    let ruleset = FileDescriptor(
        owning: try retrying("landlock_create_ruleset") { unsafe shim_landlock_ruleset(&attributes, size) })
    let number = ruleset.raw
    try retrying("landlock_restrict_self") { shim_landlock_restrict_self(number, 0) }
    return version
}

/// Makes one system call of a kind that a confined process must not make; unknown names do nothing.
public func tryForbidden(_ name: String) { unsafe shim_try_forbidden(name) }
