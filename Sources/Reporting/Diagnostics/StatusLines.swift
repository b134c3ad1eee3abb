internal import Synchronization

/// Sends status lines to systemd, without repetitions. Any thread; does not block.
/// If the socket is full, the newest line is sent later; intermediate lines are dropped.
public final class StatusLines: Sendable {
    private struct State {
        var newest = ""
        var told = ""
        var isRetryArranged = false
    }

    private let notifier: ServiceNotifier
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameter later: calls its argument once, later and from any thread, to try again.
    public init(
        _ notifier: ServiceNotifier, later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.notifier = notifier
        self.later = later
    }

    /// Sends a line now, or the newest line later.
    public func send(_ line: String) {
        state.withLock { state in
            state.newest = line
            tell(&state)
        }
    }

    private func retry() {
        state.withLock { state in
            state.isRetryArranged = false
            tell(&state)
        }
    }

    private func tell(_ state: inout State) {
        guard state.newest != state.told else { return }
        switch notifier.status(state.newest) {
        case .taken: state.told = state.newest
        case .noManager: break
        case .noRoom:
            if state.isRetryArranged { return }
            state.isRetryArranged = true
            later { [weak self] in self?.retry() }
        }
    }
}
