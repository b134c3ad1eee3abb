internal import SystemCalls

/// A barrier in an answer: requests stop at it until it is opened, once and for all.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting = 0
    }

    private let state = Monitor(State())

    /// A closed gate.
    public init() {}

    /// Lets everybody through, now and later.
    public func open() { state.update { $0.isOpen = true } }

    /// Waits until an answer has arrived here.
    /// - Returns: false when none came in time.
    public func waitForArrival(within limit: Duration = .seconds(60)) -> Bool {
        state.wait(until: instant(after: limit)) { $0.waiting > 0 || $0.isOpen }
    }

    func pass() {
        state.update { $0.waiting += 1 }
        _ = state.wait { $0.isOpen }
    }
}

/// CLOCK_MONOTONIC nanoseconds after a time from now.
func instant(after duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return monotonicNanoseconds() + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}
