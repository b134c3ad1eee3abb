internal import Synchronization

/// Reports on their way to the player, in the order in which they were added.
final class PlayerInbox: Sendable {
    private struct State {
        var events: [PlayerEvent] = []
        var isBeingEmptied = false
    }

    private let state = Mutex(State())

    /// Adds a report; true asks the caller to have the inbox emptied.
    func add(_ event: PlayerEvent) -> Bool {
        state.withLock { state in
            state.events.append(event)
            defer { state.isBeingEmptied = true }
            return !state.isBeingEmptied
        }
    }

    /// Takes what is there; nil, once, when nothing is, and then the next `add` asks again.
    func takeAll() -> [PlayerEvent]? {
        state.withLock { state in
            guard !state.events.isEmpty else {
                state.isBeingEmptied = false
                return nil
            }
            defer { state.events = [] }
            return state.events
        }
    }
}

/// Resumes a continuation once, whoever comes first.
final class OnceGate: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func open() {
        let waiting = continuation.withLock { held in
            defer { held = nil }
            return held
        }
        waiting?.resume()
    }
}
