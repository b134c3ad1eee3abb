internal import ControlProtocol
internal import Synchronization
internal import SystemCalls

/// How long the commands of one section take, and how many fail.
final class CommandTimes: CommandMeter {
    let durations = DurationHistogram()
    let failures = Atomic<UInt64>(0)

    var now: Int64 { monotonicNanoseconds() }

    func answered(nanoseconds: Int64, isFailure: Bool) {
        durations.add(nanoseconds: nanoseconds)
        if isFailure { failures.wrappingAdd(1, ordering: .relaxed) }
    }
}
