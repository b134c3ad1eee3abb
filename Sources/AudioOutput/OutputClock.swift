public import PodcastModel
internal import SystemCalls

/// Time and waiting for the sink thread and for paced sinks; tests pass a `VirtualClock`.
public protocol OutputClock: AnyObject, MonotonicClock {
    /// Waits until a descriptor is ready or the deadline is reached; may return early without a reason.
    ///
    /// A negative descriptor is none. The deadline is on the scale of `now`; `distantFuture` is none.
    func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Instant)
}

/// The system's monotonic clock.
public final class SystemOutputClock: OutputClock {
    public init() {}

    /// CLOCK_MONOTONIC.
    public var now: Instant { .now }

    public func wait(readable first: Int32, _ second: Int32, writable: Int32, until deadline: Instant) {
        waitForDescriptors(readable: first, second, writable: writable, until: deadline)
    }
}

extension OutputClock {
    package func wait(readable descriptor: Int32, until deadline: Instant) {
        wait(readable: descriptor, -1, writable: -1, until: deadline)
    }
}

/// State that is used on one thread at a time, by contract.
///
/// Unchecked because the compiler cannot see the contract: all calls of a sink except `interrupt` come from the sink
/// thread (`MediaPorts.Sink`), and only the sink thread runs a render loop. A new sink thread starts after the previous
/// one has ended under the mailbox's lock, which serializes their accesses.
final class ThreadConfined<State>: @unchecked Sendable {
    var state: State
    init(_ state: State) { self.state = state }
}
