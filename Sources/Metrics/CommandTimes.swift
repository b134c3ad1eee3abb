public import ControlLanguage
public import Synchronization
internal import SystemCalls

/// How long the commands of one section take, and how many fail.
public final class CommandTimes: CommandMeter {
    /// The time to the answer.
    public let durations = DurationHistogram()
    /// Commands that failed.
    public let failures = Atomic<UInt64>(0)

    /// Nothing is counted yet.
    public init() {}

    /// CLOCK_MONOTONIC in nanoseconds.
    public var now: Int64 { monotonicNanoseconds() }

    /// See `CommandMeter`.
    public func answered(nanoseconds: Int64, isFailure: Bool) {
        durations.add(nanoseconds: nanoseconds)
        if isFailure { failures.wrappingAdd(1, ordering: .relaxed) }
    }
}
