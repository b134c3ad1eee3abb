internal import Synchronization

/// A value that can be referred to before it exists; nil until then. Any thread.
public final class LateBound<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    public init() {}

    public var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
