internal import Glibc
internal import Seccomp
public import SystemCalls

/// Takes from the process everything that decoding does not need. It cannot be undone.
public enum Confinement {
    /// Whether this build confines itself. Builds with `UNSANDBOXED` do not, for tools that make system calls of their
    /// own (callgrind, sanitizers); they are never released.
    public static var isEnforced: Bool {
        #if UNSANDBOXED
            false
        #else
            true
        #endif
    }

    /// Confines the calling process, which must have one thread.
    ///
    /// No new privileges, no new descriptors, processes or file contents, no paths and ports (Landlock, where the kernel
    /// has it), and the system calls of `allowed` only: any other ends the process with SIGSYS.
    ///
    /// - Parameter descriptors: numbers from here on are never opened.
    public static func enter(descriptors: UInt64) throws(SystemError) {
        guard isEnforced else { return }
        try renounceNewPrivileges()
        // Landlock needs a descriptor for a moment, so the limits come after it.
        try renounceFileSystem()
        try ResourceLimits(addressSpace: addressSpace, descriptors: descriptors).enforce()
        let filter = try SystemCallFilter()
        for name in allowed { try filter.allow(name) }
        // Memory that can be run is what an exploit asks for first.
        for name in ["mmap", "mmap2", "mprotect"] {
            try filter.allow(name, [.lacksBits(index: 2, UInt64(PROT_EXEC))])
        }
        // abort(3): a trap of Swift's has to reach this process and no other.
        try filter.allow("tgkill", [.equals(index: 0, UInt64(CurrentProcess.number))])
        try filter.load()
    }

    /// Address space: libraries and both copies of the ring take 40 MiB, an index of a day's file a few more.
    private static let addressSpace: UInt64 = 192 << 20

    /// What Swift's heap, its traps, reading, ringing and waiting need.
    private static let allowed = [
        "read", "pread64", "write", "writev", "close",
        "recvfrom", "recvmsg", "sendto", "sendmsg",
        "poll", "ppoll", "futex", "restart_syscall",
        "munmap", "mremap", "madvise", "brk",
        "clock_gettime", "getrandom", "getpid", "gettid",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
        "exit", "exit_group",
        // The same on processors of 32 bits.
        "clock_gettime64", "futex_time64", "ppoll_time64",
    ]
}
