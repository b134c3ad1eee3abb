internal import DecoderProtocol
internal import Glibc
internal import SystemCalls

/// Removes all rights of the process that decoding does not need, irrevocably.
public enum Confinement {
    /// False in `UNSANDBOXED` builds for tools with their own system calls (callgrind, sanitizers); never released.
    public static var isEnforced: Bool {
        #if UNSANDBOXED
            false
        #else
            true
        #endif
    }

    /// Confines the calling process, which must have one thread.
    ///
    /// Afterwards the process gets no new privileges, descriptors or processes, no paths and ports (Landlock, if the
    /// kernel supports it), and only the system calls in `allowed`; any other kills it with SIGSYS.
    static func enter(_ decoder: DecoderKind) throws(SystemError) {
        guard isEnforced else { return }
        try renounceNewPrivileges()
        // Landlock opens a descriptor temporarily, so the limits follow it.
        try renounceFileSystem()
        try limitResources(
            addressSpace: decoder.addressSpace, descriptors: DecoderDescriptors.limit,
            fileSize: UInt64(DecoderDescriptors.indexLimit))
        let filter = try SystemCallFilter()
        for name in allowed { try filter.allow(name) }
        // Executable memory is the first need of an exploit.
        for name in ["mmap", "mmap2", "mprotect"] {
            try filter.allow(name, [.lacksBits(index: 2, UInt64(PROT_EXEC))])
        }
        // For abort(3) in Swift's traps; only to this process.
        try filter.allow("tgkill", [.equals(index: 0, UInt64(CurrentProcess.number))])
        try filter.load()
    }

    /// For Swift's heap and traps, reading, signalling and waiting.
    private static let allowed = [
        "read", "pread64", "pwrite64", "write", "writev", "close",
        "recvfrom", "recvmsg", "sendto", "sendmsg",
        "poll", "ppoll", "futex", "restart_syscall",
        "munmap", "mremap", "madvise", "brk",
        "clock_gettime", "getrandom", "getpid", "gettid",
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
        "exit", "exit_group",
        // Names of the calls with 64-bit times on 32-bit processors.
        "clock_gettime64", "futex_time64", "ppoll_time64",
    ]
}

/// Acts that the sandbox must prevent. A test starts the program once for each and expects SIGSYS.
public enum ForbiddenAct: String, CaseIterable, Sendable {
    case open, socket, fork, execute, thread, trace
    case executableMemory = "executable-memory"

    /// Returns only if the sandbox did not prevent the act.
    public func attempt() { tryForbidden(rawValue) }
}
