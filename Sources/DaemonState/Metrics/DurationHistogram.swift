internal import PodcastModel
internal import Synchronization

/// Counts durations by upper bound. Any thread; takes no lock.
public final class DurationHistogram: Sendable {
    /// Upper bounds in nanoseconds: from the time of a snapshot, over the 3 ms and 100 ms that clients may count on, to
    /// delays of a network. A last bucket counts longer durations.
    public static let bounds: [Int64] = [
        100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
    ]

    private let counts: InlineArray<10, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let nanoseconds = Atomic<UInt64>(0)

    /// Nothing is counted yet.
    public init() {}

    public func add(_ duration: Duration) {
        let duration = duration.nanoseconds
        let bucket = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        counts[bucket].wrappingAdd(1, ordering: .relaxed)
        nanoseconds.wrappingAdd(UInt64(max(0, duration)), ordering: .relaxed)
    }

    /// The number of durations up to each bound, then the number of all.
    public var cumulativeCounts: [UInt64] {
        var sum: UInt64 = 0
        return (0...Self.bounds.count).map { bucket in
            sum += counts[bucket].load(ordering: .relaxed)
            return sum
        }
    }

    /// The number of durations.
    public var count: Int { Int(clamping: cumulativeCounts.last ?? 0) }

    /// The number of durations above 100 ms.
    public var slowCount: Int {
        let counts = cumulativeCounts
        let fast = Self.bounds.lastIndex { $0 <= 100_000_000 }.map { counts[$0] } ?? 0
        return Int(clamping: (counts.last ?? 0) - fast)
    }

    /// The sum of all durations, in seconds.
    public var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }
}
