internal import Synchronization

/// A value behind a lock, which copies of a structure share.
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
