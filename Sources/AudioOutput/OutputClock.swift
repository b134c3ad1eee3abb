internal import SystemCalls

/// Time and waiting, as the sink thread and paced sinks see them; tests pass in a `VirtualClock`.
public protocol OutputClock: AnyObject, Sendable {
    /// Nanoseconds that never go back: CLOCK_MONOTONIC, or a test's own count. Any thread.
    var now: Int64 { get }
    /// Waits until a descriptor is ready or the deadline has come; may return early for no reason.
    ///
    /// - Parameters:
    ///   - first: wakes when readable; negative for none.
    ///   - second: the same.
    ///   - writable: wakes when writable; negative for none.
    ///   - deadline: on the scale of `now`; `Int64.max` for none.
    func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Int64)
}

/// The system's monotonic clock.
public final class MonotonicClock: OutputClock {
    /// The clock; all are the same.
    public init() {}

    /// CLOCK_MONOTONIC in nanoseconds.
    public var now: Int64 { monotonicNanoseconds() }

    /// Waits in poll(2).
    public func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Int64) {
        waitForDescriptors(readable: first, second, writable: writable, until: deadline)
    }
}

extension OutputClock {
    /// Waits for one descriptor or the deadline.
    func wait(readable descriptor: Int32, until deadline: Int64) {
        wait(readable: descriptor, -1, writable: -1, until: deadline)
    }
}

/// State that a contract keeps on one thread at a time.
///
/// Unchecked because the compiler cannot see the contract: every sink's calls but `interrupt` come from the sink
/// thread (`MediaPorts.Sink`), and only the sink thread runs a render loop; a next sink thread starts after the
/// one before it has left under the mailbox's lock, which orders their accesses.
final class ThreadConfined<State>: @unchecked Sendable {
    var state: State
    init(_ state: State) { self.state = state }
}
