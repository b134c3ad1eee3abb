internal import CLinux

/// Freed memory that the allocator keeps for later allocations.
public enum FreedMemory {
    /// Returns unused memory to the system: malloc_trim(3). For use after rare work that allocated much. Any thread.
    public static func giveBack() { _ = malloc_trim(0) }
}

/// The pages of code and constants of this program and its libraries that are in memory.
///
/// A start executes most of the code once, and the kernel maps sixteen pages around each needed page. Without
/// `release`, podcastd and its decoder stay at a PSS of 25 MiB during playback (budget: 20 MiB); with it they are at 17
/// to 19 MiB (`Benchmarks/run playing`). `ResidentCodeTests` fails if it has no effect.
public enum ResidentCode {
    /// Unmaps all of these pages: dl_iterate_phdr(3), madvise(2). They were never written, so the kernel maps the pages
    /// in use again from the page cache, and reclaims the others first when memory is short. Any thread.
    public static func release() { shim_release_code() }
}
