internal import Synchronization

/// Passes lines for people on to the service manager, each only when it differs from the one before. From any thread;
/// never waits.
///
/// A manager that has no room gets the newest line later, as soon as it reads again; those in between are forgotten.
public final class StatusLines: Sendable {
    private struct State {
        var newest = ""
        var told = ""
        var isRetryArranged = false
    }

    private let notifier: ServiceNotifier
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// Lines for a manager.
    ///
    /// - Parameter later: calls back once, from any thread, when it is time to look whether there is room again; not
    ///   before it has returned.
    public init(
        _ notifier: ServiceNotifier, later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.notifier = notifier
        self.later = later
    }

    /// Tells a line now, or the newest one later.
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
