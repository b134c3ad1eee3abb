internal import MachineSupport
internal import PodcastModel
internal import SystemCalls

/// A barrier in a reply: requests wait at it until it is opened; it cannot be closed again.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting = 0
    }

    private let state = Monitor(State())

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate permanently.
    public func open() { state.update { $0.isOpen = true } }

    /// Waits until a reply has reached the gate.
    /// - Returns: false after the timeout.
    public func waitForArrival(within limit: Duration = .seconds(60)) -> Bool {
        state.wait(until: .now + limit) { $0.waiting > 0 || $0.isOpen }
    }

    func pass() {
        state.update { $0.waiting += 1 }
        _ = state.wait { $0.isOpen }
    }
}
