internal import Synchronization

/// One handler of events, connected after the emitter exists. Earlier events are dropped. Any thread.
///
/// Never store a closure directly in a `Mutex`: every access adds a reabstraction thunk; after some hundred thousand
/// accesses a call overflows the stack. The struct around the closure avoids this.
public final class Listener<Event: Sendable>: Sendable {
    private struct Handler {
        var call: @Sendable (Event) -> Void
    }

    private let handler = Mutex(Handler { _ in })

    public init() {}

    public func connect(_ handle: @escaping @Sendable (Event) -> Void) { handler.withLock { $0.call = handle } }

    /// Calls the handler on the caller's thread.
    public func emit(_ event: Event) { handler.withLock { $0.call }(event) }
}

/// A value that can be referred to before it exists; nil until then. Any thread.
public final class LateBound<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    public init() {}

    public var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}

/// The first of several answers, for one task that awaits it.
public final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
    }

    private let state = Mutex(State.open)

    public init() {}

    /// Further answers are ignored. Any thread.
    public func give(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            if case .given = state { return nil }
            defer { state = .given(value) }
            return if case .awaited(let continuation) = state { continuation } else { nil }
        }
        waiting?.resume(returning: value)
    }

    public var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Value? in
                    if case .given(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}
