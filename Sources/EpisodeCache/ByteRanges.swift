/// A set of bytes of a file.
struct ByteRanges: Equatable {
    private var set: RangeSet<Int64>

    /// - Parameter ranges: in any order.
    init(_ ranges: [Range<Int64>] = []) { set = RangeSet(ranges) }

    /// Ascending; they neither overlap nor touch.
    var ranges: [Range<Int64>] { Array(set.ranges) }

    var count: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    mutating func insert(_ range: Range<Int64>) { set.insert(contentsOf: range) }
    mutating func truncate(at offset: Int64) { set.remove(contentsOf: offset..<(.max)) }

    /// End of the range that contains an offset; the offset itself if that byte is missing.
    func end(from offset: Int64) -> Int64 { set.ranges.first { $0.contains(offset) }?.upperBound ?? offset }

    /// Start of the range that contains the byte before an offset; the offset itself if that byte is missing.
    func start(upTo offset: Int64) -> Int64 { set.ranges.first { $0.contains(offset - 1) }?.lowerBound ?? offset }

    func nextStart(after offset: Int64) -> Int64? { set.ranges.first { $0.lowerBound > offset }?.lowerBound }
}
