internal import Synchronization

/// Whoever is told of something; nobody at first. From any thread.
///
/// The closure stands in a structure: a bare one in a `Mutex` is wrapped anew by each access, and after some hundred
/// thousand of them a call of it overflows the stack.
final class Listener<Event: Sendable>: Sendable {
    private struct Ear: Sendable {
        var hear: @Sendable (Event) -> Void
    }

    private let ear = Mutex(Ear { _ in })

    /// Who is told from now on.
    func connect(_ hear: @escaping @Sendable (Event) -> Void) { ear.withLock { $0.hear = hear } }

    /// Tells it, on the caller's thread.
    func tell(_ event: Event) { ear.withLock { $0.hear }(event) }
}
