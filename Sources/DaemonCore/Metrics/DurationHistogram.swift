internal import Synchronization

/// How many durations were at most so long. Any thread; takes no lock.
final class DurationHistogram: Sendable {
    /// Upper bounds in nanoseconds: from what a snapshot takes, over the 3 ms and 100 ms that clients may count on, to
    /// what a network makes of it. What is longer has a bucket of its own.
    static let bounds: [Int64] = [
        100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    ]

    private let counts: InlineArray<10, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let nanoseconds = Atomic<UInt64>(0)

    /// Counts a duration.
    func add(nanoseconds duration: Int64) {
        let bucket = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        counts[bucket].wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(UInt64(max(0, duration)), ordering: .relaxed)
    }

    /// How many were at most as long as each bound, and at the end how many there were.
    var cumulativeCounts: [UInt64] {
        var sum: UInt64 = 0
        return (0...Self.bounds.count).map { bucket in
            sum += counts[bucket].load(ordering: .relaxed)
            return sum
        }
    }

    /// How many there were.
    var count: Int { Int(clamping: cumulativeCounts.last ?? 0) }

    /// How many took longer than a tenth of a second.
    var slowCount: Int {
        let counts = cumulativeCounts
        let fast = Self.bounds.lastIndex { $0 <= 100_000_000 }.map { counts[$0] } ?? 0
        return Int(clamping: (counts.last ?? 0) - fast)
    }

    /// All durations together, in seconds.
    var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }
}
