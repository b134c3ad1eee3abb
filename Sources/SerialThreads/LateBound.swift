internal import Synchronization

/// A value that others can refer to before it exists; nil until then. From any thread.
public final class LateBound<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    public init() {}

    /// The value, once it is set.
    public var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
