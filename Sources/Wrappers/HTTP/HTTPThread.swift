public import PodcastModel
internal import Synchronization
internal import SystemCalls

/// A separate thread for transfers. It starts with the first request or step, so that a process without transfers has
/// neither the thread nor libcurl's memory. Without work it sleeps without a time limit.
///
/// If the thread cannot start, or libcurl gets no descriptors, requests fail with an error; the next request tries
/// again. Without the thread, steps and these delegates run on the caller's thread, and timers do not fire.
///
/// Methods may be called from any thread and do not block. Delegates and steps run on the thread, in the order of the
/// calls from each calling thread.
public final class HTTPThread: Sendable {
    public struct TransferID: Hashable, Sendable {
        let number: UInt64
    }

    private let shared: HTTPThreadQueue

    public init(settings: HTTPSettings = HTTPSettings()) { shared = HTTPThreadQueue(settings, HTTPThreadParts()) }

    /// For tests, in which parts may fail.
    init(settings: HTTPSettings = HTTPSettings(), parts: HTTPThreadParts) { shared = HTTPThreadQueue(settings, parts) }

    deinit {
        shared.stop()
        shared.release()
    }

    /// Starts a request. The delegate is kept until the transfer has ended.
    @discardableResult
    public func start(_ request: HTTPRequest, delegate: any HTTPTransferDelegate & Sendable) -> TransferID {
        let id = TransferID(number: shared.newNumber())
        shared.post(.start(id.number, request, delegate))
        return id
    }

    /// Ends a transfer. Its delegate gets no calls after the thread has executed the command.
    public func cancel(_ id: TransferID) { shared.post(.step { $0?.transfer(id.number)?.cancel() }) }

    public func resume(_ id: TransferID) { shared.post(.step { $0?.transfer(id.number)?.resume() }) }

    /// Runs a step on the thread, between the calls of delegates; it must not block.
    public func perform(_ step: @escaping @Sendable () -> Void) { shared.post(.step { _ in step() }) }

    /// Starts the thread and loads libcurl, which saves the first request some milliseconds.
    public func prepare() { if !isRunning { shared.post(.step { _ in }) } }

    public var isRunning: Bool { shared.isRunning }

    /// Calls `answer` on the thread; at once if the thread has not started.
    public func whenAlive(_ answer: @escaping @Sendable () -> Void) {
        if isRunning { perform(answer) } else { answer() }
    }

    /// Ends all transfers with the error `aborted` and waits for the thread, unless called on it. After half a second
    /// its connections are shut down; after another half second the thread is detached. Later calls have no effect.
    public func stop() {
        shared.stop()
        shared.join()
    }
}

/// CLOCK_MONOTONIC, and timers that call on the thread, unless it is stopped before.
extension HTTPThread: TimerClock {
    public var now: Instant { .now }

    @discardableResult
    public func schedule(after delay: Duration, _ step: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let timer = StepTimer()
        shared.post(.later(.now + delay) { if !timer.isCancelled.load(ordering: .relaxed) { step() } })
        return timer
    }
}

private final class StepTimer: ScheduledTimer {
    let isCancelled = Atomic(false)
    func cancel() { isCancelled.store(true, ordering: .relaxed) }
}
