internal import CLinux

/// The pages of code and constants of this program and its libraries that are in memory.
///
/// A start runs through most of the code once, and the kernel maps sixteen pages around each page that is needed. Without
/// `release`, podcastd and its decoder stay at a PSS of 25 MiB during playback, 20 MiB is the budget; with it they are at
/// 17 to 19 MiB (`Benchmarks/run playing`). `ResidentCodeTests` fails if it has no effect.
public enum ResidentCode {
    /// Unmaps all of these pages: dl_iterate_phdr(3), madvise(2). They were never written, so the kernel maps those that
    /// still run again from the page cache, and reclaims the others first when memory is short. Any thread.
    public static func release() { shim_release_code() }
}
