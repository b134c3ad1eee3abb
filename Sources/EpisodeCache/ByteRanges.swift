/// A set of bytes of a file: ascending ranges that neither overlap nor touch.
struct ByteRanges: Equatable {
    private(set) var ranges: [Range<Int64>] = []

    init() {}

    /// - Parameter ranges: in any order.
    init(_ ranges: [Range<Int64>]) { for range in ranges { insert(range) } }

    var count: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    mutating func insert(_ range: Range<Int64>) {
        if range.isEmpty { return }
        // A stream nearly always extends the last range.
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

    mutating func truncate(at offset: Int64) {
        ranges = ranges.compactMap { range in
            range.lowerBound >= offset ? nil : range.lowerBound..<min(range.upperBound, offset)
        }
    }

    /// End of the range that contains an offset; the offset itself if that byte is missing.
    func end(from offset: Int64) -> Int64 {
        for range in ranges where range.contains(offset) { return range.upperBound }
        return offset
    }

    /// Start of the range that contains the byte before an offset; the offset itself if that byte is missing.
    func start(upTo offset: Int64) -> Int64 {
        for range in ranges where range.lowerBound < offset && offset <= range.upperBound { return range.lowerBound }
        return offset
    }

    func nextStart(after offset: Int64) -> Int64? { ranges.first { $0.lowerBound > offset }?.lowerBound }
}
