internal import Glibc
public import PodcastModel

/// A value with a lock and a condition variable: pthread_mutex(3), pthread_cond(3). Any thread.
///
/// For threads that wait for each other's work; without waiting, `Mutex` is lighter.
@safe public final class Monitor<Value>: @unchecked Sendable {
    // Unchecked: `value` is touched under `lock` only, and the C objects are made for many threads. They must not
    // move, so they live on the heap.
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    /// The value must not be shared.
    public init(_ value: sending Value) {
        self.value = value
        unsafe lock = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        // Waits must not grow longer when the calendar is set back.
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(lock)
        unsafe changed.deallocate()
        unsafe lock.deallocate()
    }

    /// Uses the value under the lock, and wakes all waiters afterwards.
    public func update<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(lock)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(lock)
        }
        return try body(&value)
    }

    /// Reads the value under the lock without waking waiters.
    public func read<Result, Failure: Error>(
        _ body: (Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try body(value)
    }

    /// Waits until the value satisfies a condition, which is called under the lock.
    /// - Parameter deadline: an instant of CLOCK_MONOTONIC; nil for none.
    /// - Returns: false if the deadline came first.
    public func wait(until deadline: Instant? = nil, for isWanted: (Value) -> Bool) -> Bool {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        let nanoseconds = (deadline ?? .distantFuture).nanoseconds
        var end = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while !isWanted(value) {
            if deadline == nil {
                unsafe pthread_cond_wait(changed, lock)
            } else if unsafe pthread_cond_timedwait(changed, lock, &end) == ETIMEDOUT {
                return isWanted(value)
            }
        }
        return true
    }
}
