internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread of its own that does jobs in the order in which they were given; for calls that block, which must not
/// hold up Swift's shared pool.
///
/// The thread starts with the first job, so that a part that is never used costs none, and sleeps without a time-out.
public final class WorkerThread: Sendable {
    /// Which timed job is meant.
    public struct TimerID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Timer {
        let id: TimerID
        let deadline: Int64
        let job: @Sendable () -> Void
    }

    private struct State {
        var jobs: [@Sendable () -> Void] = []
        /// Few at a time, so their order is looked for and not kept.
        var timers: [Timer] = []
        var lastTimer: UInt64 = 0
        var isRunning = false
        var isFinishing = false

        /// What is due now: a job that was given, else a timer whose time has come.
        mutating func takeJob(at now: Int64) -> (@Sendable () -> Void)? {
            if !jobs.isEmpty { return jobs.removeFirst() }
            guard let next = timers.indices.min(by: { timers[$0].deadline < timers[$1].deadline }),
                timers[next].deadline <= now
            else { return nil }
            return timers.remove(at: next).job
        }
    }

    private let name: String
    private let state = Mutex(State())
    private let work = Semaphore()
    private let done = Semaphore()

    /// A worker whose thread will carry a name of at most 15 bytes in `ps -L`.
    public init(name: String) { self.name = name }

    /// Gives a job; returns at once. After `finish` jobs are let fall.
    public func submit(_ job: @escaping @Sendable () -> Void) {
        begin { $0.jobs.append(job) }
    }

    /// Gives a job for a time: CLOCK_MONOTONIC in nanoseconds. It is done then or a little later, after what was given
    /// before; timers that are not due when `finish` is called are let fall.
    public func submit(at deadline: Int64, _ job: @escaping @Sendable () -> Void) -> TimerID {
        begin { state in
            state.lastTimer += 1
            let id = TimerID(number: state.lastTimer)
            state.timers.append(Timer(id: id, deadline: deadline, job: job))
            return id
        } ?? TimerID(number: 0)
    }

    /// Takes a timed job back; does nothing once it was begun.
    public func cancel(_ timer: TimerID) {
        state.withLock { state in state.timers.removeAll { $0.id == timer } }
    }

    @discardableResult
    private func begin<Value>(_ add: (inout State) -> Value) -> Value? {
        let (value, starts) = state.withLock { state -> (Value?, Bool) in
            guard !state.isFinishing else { return (nil, false) }
            defer { state.isRunning = true }
            return (add(&state), !state.isRunning)
        }
        if starts { startThread(name: name) { [self] in loop() } }
        work.post()
        return value
    }

    /// Does what was given before, ends the thread and waits until it is gone. Not to be called from a job.
    public func finish() {
        let mustWait = state.withLock { state -> Bool in
            defer { state.isFinishing = true }
            return state.isRunning && !state.isFinishing
        }
        guard mustWait else { return }
        work.post()
        done.wait()
    }

    private func loop() {
        while true {
            let (job, isOver, deadline) = state.withLock { state -> ((@Sendable () -> Void)?, Bool, Int64?) in
                if let job = state.takeJob(at: monotonicNanoseconds()) { return (job, false, nil) }
                return (nil, state.isFinishing, state.timers.map(\.deadline).min())
            }
            if let job {
                job()
            } else if isOver {
                break
            } else {
                work.wait(until: deadline)
            }
        }
        done.post()
    }
}

/// Starts a detached thread that runs `body` once: pthread_create(3). Signals are blocked in it, so that they reach
/// the main thread.
///
/// - Parameter name: at most 15 bytes; shown by `ps -L`.
public func startThread(name: String, _ body: @escaping @Sendable () -> Void) {
    let box = Body(run: body, name: name)
    let pointer = unsafe Unmanaged.passRetained(box).toOpaque()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var everything = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&everything)
    unsafe pthread_sigmask(SIG_SETMASK, &everything, &before)
    var thread = pthread_t()
    let failure = unsafe pthread_create(
        &thread, &attributes,
        { argument in
            let box = unsafe Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
            unsafe shim_set_thread_name(String(box.name.prefix(15)))
            box.run()
            return nil
        }, pointer)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    unsafe pthread_attr_destroy(&attributes)
    // Only a system without memory or process numbers refuses a thread; nothing can be done or said from here.
    precondition(failure == 0, "no thread can be started: error \(failure)")
}

private final class Body: Sendable {
    let run: @Sendable () -> Void
    let name: String
    init(run: @escaping @Sendable () -> Void, name: String) {
        self.run = run
        self.name = name
    }
}

/// A counter that threads wait for: sem_overview(7).
@safe public final class Semaphore: Sendable {
    /// The C object must not move, so it lives on the heap. It is made for use by many threads at once.
    private nonisolated(unsafe) let handle: UnsafeMutablePointer<sem_t>

    /// A semaphore at zero.
    public init() {
        unsafe handle = .allocate(capacity: 1)
        unsafe sem_init(handle, 0, 0)
    }

    deinit {
        unsafe sem_destroy(handle)
        unsafe handle.deallocate()
    }

    /// Lets one waiter through; async-signal-safe.
    public func post() { unsafe sem_post(handle) }

    /// Waits for a `post`.
    public func wait() { while unsafe sem_wait(handle) != 0 {} }

    /// Waits for a `post`, at most until a time: CLOCK_MONOTONIC in nanoseconds; nil waits for ever.
    public func wait(until deadline: Int64?) {
        guard let deadline else { return wait() }
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        while unsafe sem_clockwait(handle, CLOCK_MONOTONIC, &time) != 0 && errno == EINTR {}
    }
}
