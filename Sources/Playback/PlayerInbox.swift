internal import Synchronization

/// Reports that the player has not handled yet, in the order in which they were added.
final class PlayerInbox: Sendable {
    private struct State {
        var events: [PlayerEvent] = []
        var isBeingEmptied = false
    }

    private let state = Mutex(State())

    /// Adds a report. If this returns true, the caller must start a task that empties the inbox.
    func add(_ event: PlayerEvent) -> Bool {
        state.withLock { state in
            state.events.append(event)
            return !exchange(&state.isBeingEmptied, with: true)
        }
    }

    /// Removes and returns all reports; nil if the inbox is empty. The caller then stops, and the next `add` returns
    /// true.
    func takeAll() -> [PlayerEvent]? {
        state.withLock { state in
            guard !state.events.isEmpty else {
                state.isBeingEmptied = false
                return nil
            }
            return exchange(&state.events, with: [])
        }
    }
}
