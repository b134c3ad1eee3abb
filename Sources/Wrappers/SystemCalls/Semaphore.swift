internal import CLinux
internal import Glibc
public import PodcastModel

/// A counter that threads wait for: sem_overview(7).
@safe public final class Semaphore: Sendable {
    /// The C object must not move, so it lives on the heap. It is made for use by many threads at once.
    private nonisolated(unsafe) let handle: UnsafeMutablePointer<sem_t>

    /// Starts at zero.
    public init() {
        unsafe handle = .allocate(capacity: 1)
        unsafe sem_init(handle, 0, 0)
    }

    deinit {
        unsafe sem_destroy(handle)
        unsafe handle.deallocate()
    }

    /// Wakes one waiter; async-signal-safe.
    public func post() { unsafe sem_post(handle) }

    public func wait() { while unsafe sem_wait(handle) != 0 {} }

    /// Waits for a `post`, at most until an instant of CLOCK_MONOTONIC; nil waits without a limit.
    public func wait(until deadline: Instant?) {
        guard let deadline else { return wait() }
        var time = deadline.timespec
        while unsafe sem_clockwait(handle, CLOCK_MONOTONIC, &time) != 0 && errno == EINTR {}
    }
}
