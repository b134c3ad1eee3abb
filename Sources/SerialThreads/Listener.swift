internal import Synchronization

/// One handler of events, connected after the emitter exists. Earlier events are dropped. Any thread.
///
/// Never store a closure directly in a `Mutex`: every access adds a reabstraction thunk; after some hundred thousand
/// accesses a call overflows the stack. The struct around the closure avoids this.
public final class Listener<Event: Sendable>: Sendable {
    private struct Handler: Sendable {
        var call: @Sendable (Event) -> Void
    }

    private let handler = Mutex(Handler { _ in })

    public init() {}

    public func connect(_ handle: @escaping @Sendable (Event) -> Void) { handler.withLock { $0.call = handle } }

    /// Calls the handler on the caller's thread.
    public func emit(_ event: Event) { handler.withLock { $0.call }(event) }
}
