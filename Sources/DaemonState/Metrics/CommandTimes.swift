public import ControlLanguage
public import PodcastModel
public import Synchronization
internal import SystemCalls

/// How long the commands of one section take, and how many fail.
public final class CommandTimes: CommandMeter {
    /// The time to the answer.
    public let durations = DurationHistogram()
    public let failures = Atomic<UInt64>(0)

    /// Nothing is counted yet.
    public init() {}

    /// CLOCK_MONOTONIC.
    public var now: Instant { .now }

    public func answered(after duration: Duration, isFailure: Bool) {
        durations.add(duration)
        if isFailure { failures.wrappingAdd(1, ordering: .relaxed) }
    }
}
