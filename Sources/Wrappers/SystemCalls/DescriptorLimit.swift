internal import CLinux
internal import Synchronization

/// The limit of this process's descriptors: `RLIMIT_NOFILE` of getrlimit(2).
public enum DescriptorLimit {
    /// The soft limit before `raise`; 0 while it was not raised.
    private static let inherited = Atomic<UInt64>(0)

    /// Limit that child processes get; 0 means this process's own limit.
    static var forNewProcesses: UInt64 { inherited.load(ordering: .relaxed) }

    /// The soft limit: numbers of descriptors are below it. 0 if it cannot be read.
    public static var current: UInt64 { shim_descriptor_limit(0) }

    /// The hard limit, which the soft limit cannot exceed. 0 if it cannot be read.
    public static var maximum: UInt64 { shim_descriptor_limit(1) }

    /// Raises the soft limit to the hard one. Child processes get the earlier limit: some programs call select(2),
    /// which supports 1024 descriptors, or close every number below the limit.
    /// - Throws: `SystemError`; the limit is then unchanged.
    public static func raise() throws(SystemError) {
        let before = current
        try retrying("setrlimit RLIMIT_NOFILE") { shim_raise_descriptor_limit() }
        _ = inherited.compareExchange(expected: 0, desired: before, ordering: .relaxed)
    }
}
