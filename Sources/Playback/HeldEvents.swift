internal import MediaPorts
internal import Synchronization

/// Events of a decoder that was started before its entry plays. They are held until its session has a number.
final class HeldEvents: Sendable {
    private enum State {
        case holding([DecoderEvent])
        case passing(session: UInt32)
    }

    private let state = Mutex(State.holding([]))

    /// Holds an event, or passes it on. Any thread.
    func add(_ event: DecoderEvent, _ pass: (UInt32, DecoderEvent) -> Void) {
        state.withLock { state in
            switch state {
            case .holding(let events): state = .holding(events + [event])
            case .passing(let session): pass(session, event)
            }
        }
    }

    /// Whether the decoder has given up.
    var hasFailed: Bool {
        state.withLock { state in
            guard case .holding(let events) = state else { return false }
            return events.contains { if case .failed = $0 { true } else { false } }
        }
    }

    /// Passes on what is held, and everything that follows.
    func release(to session: UInt32, _ pass: (UInt32, DecoderEvent) -> Void) {
        state.withLock { state in
            if case .holding(let events) = state { for event in events { pass(session, event) } }
            state = .passing(session: session)
        }
    }
}
