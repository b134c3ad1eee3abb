internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread of its own that does jobs in the order in which they were given; for calls that block, which must not
/// hold up Swift's shared pool.
///
/// The thread starts with the first job, so that a part that is never used costs none, and sleeps without a time-out.
public final class WorkerThread: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
        var isFinishing = false
    }

    private let name: String
    private let state = Mutex(State())
    private let work = Semaphore()
    private let done = Semaphore()

    /// A worker whose thread will carry a name of at most 15 bytes in `ps -L`.
    public init(name: String) { self.name = name }

    /// Gives a job; returns at once. After `finish` jobs are let fall.
    public func submit(_ job: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state -> Bool in
            guard !state.isFinishing else { return false }
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { startThread(name: name) { [self] in loop() } }
        work.post()
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
            work.wait()
            let (job, isOver) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                if state.jobs.isEmpty { return (nil, state.isFinishing) }
                return (state.jobs.removeFirst(), false)
            }
            job?()
            if isOver { break }
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
}
