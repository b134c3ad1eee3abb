internal import CLinux
internal import Synchronization

/// How many descriptors this process may have: `RLIMIT_NOFILE` of getrlimit(2).
public enum DescriptorLimit {
    /// The soft limit before `raise`; 0 while it was not raised.
    private static let inherited = Atomic<UInt64>(0)

    /// What processes get that this one starts; 0 for its own limit.
    static var forNewProcesses: UInt64 { inherited.load(ordering: .relaxed) }

    /// The soft limit: numbers of descriptors are below it. 0 when it cannot be read.
    public static var current: UInt64 { shim_descriptor_limit(0) }

    /// The hard limit, which the soft one cannot pass. 0 when it cannot be read.
    public static var maximum: UInt64 { shim_descriptor_limit(1) }

    /// Raises the soft limit to the hard one. Processes that this one starts get the limit from before: some programs
    /// call select(2), which knows 1024 descriptors, or close every number below the limit.
    ///
    /// - Throws: `SystemError`; the limit is then as it was.
    public static func raise() throws(SystemError) {
        let before = current
        try retrying("setrlimit RLIMIT_NOFILE") { shim_raise_descriptor_limit() }
        _ = inherited.compareExchange(expected: 0, desired: before, ordering: .relaxed)
    }
}
