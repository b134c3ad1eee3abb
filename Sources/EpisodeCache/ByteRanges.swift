/// A set of bytes of a file, as ascending ranges that neither overlap nor touch.
public struct ByteRanges: Equatable, Sendable {
    /// The ranges.
    public private(set) var ranges: [Range<Int64>] = []

    /// No bytes.
    public init() {}

    /// The bytes of some ranges, in any order.
    public init(_ ranges: [Range<Int64>]) {
        for range in ranges { insert(range) }
    }

    /// Bytes in all.
    public var count: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    /// Adds bytes.
    public mutating func insert(_ range: Range<Int64>) {
        if range.isEmpty { return }
        // A stream makes its range longer, nearly always the last one.
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            return
        }
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        let end = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
        var merged = range
        if first < end {
            merged = min(range.lowerBound, ranges[first].lowerBound)..<max(range.upperBound, ranges[end - 1].upperBound)
        }
        ranges.replaceSubrange(first..<end, with: [merged])
    }

    /// Forgets what lies at or after an offset.
    public mutating func truncate(at offset: Int64) {
        ranges = ranges.compactMap { range in
            range.lowerBound >= offset ? nil : range.lowerBound..<min(range.upperBound, offset)
        }
    }

    /// Forgets bytes.
    public mutating func remove(_ range: Range<Int64>) {
        if range.isEmpty { return }
        ranges = ranges.flatMap { present in
            [
                present.lowerBound..<min(max(present.lowerBound, range.lowerBound), present.upperBound),
                min(max(present.lowerBound, range.upperBound), present.upperBound)..<present.upperBound,
            ].filter { !$0.isEmpty }
        }
    }

    /// The end of what is there from an offset on without a gap; the offset itself when that byte is missing.
    public func end(from offset: Int64) -> Int64 {
        for range in ranges where range.contains(offset) { return range.upperBound }
        return offset
    }

    /// The beginning of what is there up to an offset without a gap; the offset itself when the byte before it is missing.
    public func start(upTo offset: Int64) -> Int64 {
        for range in ranges where range.lowerBound < offset && offset <= range.upperBound { return range.lowerBound }
        return offset
    }

    /// Where the next bytes after an offset begin that are there; nil when there are none.
    public func nextStart(after offset: Int64) -> Int64? { ranges.first { $0.lowerBound > offset }?.lowerBound }
}
