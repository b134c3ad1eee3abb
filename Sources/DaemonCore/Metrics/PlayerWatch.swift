internal import Diagnostics
internal import Playback
internal import Synchronization

/// Looks at the player after each change: counts its waits, and logs how its state goes on. From any thread.
final class PlayerWatch: Sendable {
    private struct State {
        var rebuffers = RebufferLog()
        var last: PlayerState.Kind?
    }

    private let logger: Logger
    private let state = Mutex(State())

    init(logger: Logger) { self.logger = logger }

    /// The waits so far.
    var rebuffers: RebufferLog { state.withLock { $0.rebuffers } }

    /// Takes in a change.
    /// - Returns: the new state, if it is another one.
    @discardableResult
    func note(_ status: PlayerStatus) -> PlayerState.Kind? {
        let isOther = state.withLock { state in
            state.rebuffers.note(status.state, status.cause, at: status.instant)
            defer { state.last = status.state }
            return state.last != status.state
        }
        guard isOther else { return nil }
        logger.log(
            .info, .playback,
            "\(status.state)" + (status.title.map { ": \($0)" } ?? "") + (status.reason.map { " (\($0))" } ?? ""))
        return status.state
    }
}
