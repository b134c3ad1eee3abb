internal import Synchronization
internal import SystemCalls

/// A thread of its own that works on transfers. It begins with the first request or step, so a process that fetches
/// nothing has neither the thread nor libcurl's memory; with nothing to do it sleeps without a time limit.
///
/// Where the system has no room for the thread, or no descriptors for libcurl, the delegates of requests hear so; the
/// next request tries again. Without a thread steps and those delegates run on the caller's, one at a time.
///
/// All methods may be called from any thread and return at once. Delegates and steps run on the thread; what one
/// thread asked for happens in its order.
public final class HTTPThread: Sendable {
    /// Names a transfer to this thread.
    public struct TransferID: Hashable, Sendable {
        let number: UInt64
    }

    private let shared: HTTPThreadQueue

    /// A thread that has not begun.
    public init(settings: HTTPSettings = HTTPSettings()) { shared = HTTPThreadQueue(settings, HTTPThreadParts()) }

    /// A thread whose parts may fail.
    init(settings: HTTPSettings = HTTPSettings(), parts: HTTPThreadParts) {
        shared = HTTPThreadQueue(settings, parts)
    }

    deinit {
        shared.stop()
        shared.letGo()
    }

    /// Starts a request. The delegate is kept until the transfer has ended.
    @discardableResult
    public func start(
        _ request: HTTPRequest, delegate: any HTTPTransferDelegate & Sendable
    ) -> TransferID {
        let id = TransferID(number: shared.newNumber())
        shared.post(.start(id.number, request, delegate))
        return id
    }

    /// Ends a transfer; once this thread has taken notice its delegate hears nothing more.
    public func cancel(_ id: TransferID) { shared.post(.cancel(id.number)) }

    /// Stops receiving until `resume`.
    public func pause(_ id: TransferID) { shared.post(.pause(id.number)) }

    /// Goes on with a transfer that was paused.
    public func resume(_ id: TransferID) { shared.post(.resume(id.number)) }

    /// Runs a step on the thread, among the transfers' calls; it must not wait.
    public func perform(_ step: @escaping @Sendable () -> Void) { shared.post(.step(step)) }

    /// Runs a step after a delay, unless the thread is stopped before.
    public func schedule(after delay: Duration, _ step: @escaping @Sendable () -> Void) {
        shared.post(.later(monotonicNanoseconds() + delay.nanoseconds, step))
    }

    /// Begins the thread and loads libcurl ahead of the first request, for which they would be a wait of some
    /// milliseconds.
    public func prepare() { if !isRunning { shared.post(.step {}) } }

    /// Whether the thread has begun.
    public var isRunning: Bool { shared.isRunning }

    /// Calls back on the thread once it has taken a turn; at once if it has not begun, so there is nothing to wait for.
    public func whenAlive(_ answer: @escaping @Sendable () -> Void) {
        if isRunning { perform(answer) } else { answer() }
    }

    /// Ends all transfers, whose delegates hear `aborted`, and waits for the thread, unless called on it. If it does
    /// not obey within half a second its connections are shut down, and after as long again it is left to itself.
    /// Whatever is asked for later is passed over.
    public func stop() {
        shared.stop()
        shared.join()
    }
}
