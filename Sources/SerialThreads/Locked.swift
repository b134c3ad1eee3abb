internal import Synchronization

/// A value with a lock. Copies of a structure that contains it share the value.
///
/// See `Listener` for values that are closures.
public final class Locked<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    public init(_ value: Value) { self.value = Mutex(value) }

    public func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try value.withLock { (value) throws(Failure) in try body(&value) }
    }
}
