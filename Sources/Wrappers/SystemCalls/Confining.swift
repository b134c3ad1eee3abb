internal import CLinux
internal import Glibc

/// Gives up, for good, the power to gain rights by running a program: prctl(2) `PR_SET_NO_NEW_PRIVS`.
public func renounceNewPrivileges() throws(SystemError) {
    try retrying("prctl no_new_privs") { shim_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }
}

/// What a process may use: setrlimit(2).
public struct ResourceLimits: Sendable {
    /// Bytes of address space.
    public var addressSpace: UInt64
    /// Descriptor numbers below this one only.
    public var descriptors: UInt64
    /// Files can be written up to this many bytes.
    public var fileSize: UInt64
    /// Limits with the figures that differ; there are no processes and no core dumps.
    public init(addressSpace: UInt64, descriptors: UInt64, fileSize: UInt64) {
        self.addressSpace = addressSpace
        self.descriptors = descriptors
        self.fileSize = fileSize
    }

    /// Sets them for this process, for good: no new processes, no larger file, no core dump.
    public func enforce() throws(SystemError) {
        try retrying("setrlimit") { shim_confine_resources(addressSpace, descriptors, fileSize) }
    }
}

/// Takes every path and, where the kernel can, every TCP port and abstract socket from this process: Landlock with an
/// empty rule set, landlock_restrict_self(2). Needs `renounceNewPrivileges` first.
///
/// - Returns: the kernel's Landlock version; 0 where there is none, and nothing was done.
@discardableResult
public func renounceFileSystem() throws(SystemError) -> Int {
    let version = Int(shim_landlock_version())
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
