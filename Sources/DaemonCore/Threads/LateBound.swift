internal import Synchronization

/// A value that others can reach before it exists; nil until then. From any thread.
final class LateBound<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
