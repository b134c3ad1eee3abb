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
        /// From the first job until somebody waits for its end.
        var thread: DedicatedThread?
        var isFinishing = false

        /// What is due now: a timer whose time has come, so that no heap of jobs can hold it up, else a job that was given.
        mutating func takeJob(at now: Int64) -> (@Sendable () -> Void)? {
            if let next = timers.indices.min(by: { timers[$0].deadline < timers[$1].deadline }),
                timers[next].deadline <= now
            {
                return timers.remove(at: next).job
            }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }

    private let name: String
    private let state = Mutex(State())
    private let work = Semaphore()
    /// pthread_self(3) of the thread once it runs.
    private let itself = Atomic<pthread_t>(0)

    /// A worker whose thread will carry a name of at most 15 bytes in `ps -L`.
    public init(name: String) { self.name = name }

    /// Whether the caller runs on this worker's thread.
    public var isCurrent: Bool { itself.load(ordering: .relaxed) == pthread_self() }

    /// Jobs that were given and not begun; timers are not among them before their time.
    public var waitingJobs: Int { state.withLock { $0.jobs.count } }

    /// Gives a job; returns at once. After `finish` jobs are let fall.
    public func submit(_ job: @escaping @Sendable () -> Void) {
        begin { $0.jobs.append(job) }
    }

    /// Gives a job for a time: CLOCK_MONOTONIC in nanoseconds. It is done then, or once the job under way has ended, before
    /// others that wait; timers that are not due when `finish` is called are let fall.
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
        let value: Value? = state.withLock { state in
            guard !state.isFinishing else { return nil }
            if state.thread == nil { state.thread = start() }
            return add(&state)
        }
        work.post()
        return value
    }

    private func start() -> DedicatedThread {
        do throws(SystemError) {
            return try DedicatedThread(name: name, stackSize: 8 << 20) { [self] in loop() }
        } catch {
            // Only a system without memory or process numbers refuses a thread; nothing can be done or said from here.
            fatalError("\(error)")
        }
    }

    /// Does what was given before, ends the thread and waits until it is gone. Not to be called from a job.
    public func finish() {
        let thread = state.withLock { state in
            state.isFinishing = true
            return state.thread.take()
        }
        guard let thread else { return }
        work.post()
        thread.join()
    }

    private func loop() {
        itself.store(pthread_self(), ordering: .relaxed)
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
    }
}
