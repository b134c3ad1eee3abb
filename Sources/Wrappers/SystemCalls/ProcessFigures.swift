internal import CLinux
internal import Glibc
internal import PodcastModel

/// What the kernel tells of this process: proc(5), clock_gettime(2).
public enum ProcessFigures {
    /// Bytes of memory that are in the machine's; 0 where `/proc` is not to be seen.
    public static var residentBytes: Int {
        guard let file = try? FileDescriptor.open("/proc/self/statm", O_RDONLY),
            let bytes = try? StoredFile.read(file.raw, at: 0, count: 200)
        else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return fields.count < 2 ? 0 : (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Bytes that the process has allocated and not freed: mallinfo2(3).
    public static var allocatedBytes: Int {
        let info = mallinfo2()
        return Int(info.uordblks + info.hblkhd)
    }

    /// Processor time of this process without its children.
    public static var processorTime: Duration { .nanoseconds(read(CLOCK_PROCESS_CPUTIME_ID)) }

    /// Processor time that the calling thread has used.
    public static var threadTime: Duration { .nanoseconds(read(CLOCK_THREAD_CPUTIME_ID)) }

    /// Waits until this process has used more processor time: clock_nanosleep(2) on `CLOCK_PROCESS_CPUTIME_ID`. A process
    /// that rests does not wake for it.
    public static func sleep(processorTime duration: Duration) {
        var time = Instant(nanoseconds: duration.nanoseconds).timespec
        _ = unsafe clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &time, nil)
    }

    /// Open descriptors; 0 where `/proc` is not to be seen.
    public static var openDescriptors: Int {
        // The folder's own descriptor is among them while it is read.
        max(0, ((try? StoredFile.names(in: "/proc/self/fd"))?.count ?? 1) - 1)
    }
}
