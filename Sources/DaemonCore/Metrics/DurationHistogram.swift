internal import ControlLanguage
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Counts durations by upper bound. Any thread; takes no lock.
final class DurationHistogram: Sendable {
    /// Upper bounds in nanoseconds: from the time of a snapshot, over the 3 ms and 100 ms that clients may count on, to
    /// delays of a network. A last bucket counts longer durations.
    static let bounds: [Int64] = [
        100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    ]

    private let counts: InlineArray<10, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let nanoseconds = Atomic<UInt64>(0)

    func add(_ duration: Duration) {
        let duration = duration.nanoseconds
        let bucket = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        counts[bucket].wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(UInt64(max(0, duration)), ordering: .relaxed)
    }

    /// The number of durations up to each bound, then the number of all.
    var cumulativeCounts: [UInt64] {
        var sum: UInt64 = 0
        return (0...Self.bounds.count).map { bucket in
            sum += counts[bucket].load(ordering: .relaxed)
            return sum
        }
    }

    /// The sum of all durations, in seconds.
    var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }
}

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
