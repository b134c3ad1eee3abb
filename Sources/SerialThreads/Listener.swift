internal import Synchronization

/// One handler of events, which is connected after the emitter exists. Events before that are dropped. From any thread.
///
/// A closure stored directly in a `Mutex` gets another reabstraction thunk with every access; after some hundred thousand
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
