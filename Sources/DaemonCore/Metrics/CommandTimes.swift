internal import ControlLanguage
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// How long the commands of one section take, and how many fail.
final class CommandTimes: CommandMeter {
    /// The time to the answer.
    let durations = DurationHistogram()
    let failures = Atomic<UInt64>(0)

    /// CLOCK_MONOTONIC.
    var now: Instant { .now }

    func answered(after duration: Duration, isFailure: Bool) {
        durations.add(duration)
        if isFailure { failures.wrappingAdd(1, ordering: .relaxed) }
    }
}
