internal import CLinux
internal import Glibc
internal import PodcastModel

/// The kernel's figures about this process: proc(5), clock_gettime(2).
public enum ProcessFigures {
    /// Resident memory in bytes; 0 without `/proc`.
    public static var residentBytes: Int {
        let fields = StoredFile.text(of: "/proc/self/statm", upTo: 200)?.split(separator: " ") ?? []
        return fields.count < 2 ? 0 : (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// CPU time of this process without its children.
    public static var processorTime: Duration { .nanoseconds(read(CLOCK_PROCESS_CPUTIME_ID)) }

    /// CPU time of the calling thread.
    public static var threadTime: Duration { .nanoseconds(read(CLOCK_THREAD_CPUTIME_ID)) }

    /// Waits until this process has used more CPU time: clock_nanosleep(2) on `CLOCK_PROCESS_CPUTIME_ID`.
    public static func sleep(processorTime duration: Duration) {
        var time = Instant(nanoseconds: duration.nanoseconds).timespec
        _ = unsafe clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &time, nil)
    }

    /// Number of open descriptors; 0 without `/proc`.
    public static var openDescriptors: Int {
        // The directory's own descriptor is included while it is read.
        max(0, ((try? StoredFile.names(in: "/proc/self/fd"))?.count ?? 1) - 1)
    }
}
