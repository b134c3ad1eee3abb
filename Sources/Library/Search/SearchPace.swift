/// How a search goes through the numbers of a stage: in ranges that take about a millisecond each, so that looking can end
/// between them, and by asking for single episodes where that costs less.
struct SearchPace {
    /// Numbers of the first range.
    private static let firstWidth: Int64 = 1 << 11
    /// Nanoseconds that a range is to take.
    private static let quick: UInt64 = 500_000
    private static let slow: UInt64 = 1_000_000
    /// How many rows of the index are looked at in the time in which one is asked for by its number.
    private static let rowsForAQuestion = 150.0

    /// Numbers of the next range.
    private(set) var width = Self.firstWidth
    /// Rows of the index that have the words.
    private var rows = 0
    /// Numbers that were looked through for them.
    private var numbers: Int64 = 0

    /// Takes down what looking through a range cost.
    ///
    /// - Parameter rows: rows that have the words; nil when they were not counted.
    mutating func note(_ looked: Int64, rows: Int?, nanoseconds: UInt64) {
        if let rows {
            self.rows += rows
            numbers += looked
        }
        if nanoseconds < Self.quick { width = min(width * 2, 1 << 40) }
        if nanoseconds > Self.slow { width = max(width / 2, Self.firstWidth) }
    }

    /// Whether so many episodes are sooner asked for one by one than their range is looked through.
    func isSoonerAsked(_ episodes: Int, of range: Int64) -> Bool {
        if numbers == 0 { return false }
        let expected = Double(rows + 1) / Double(numbers) * Double(range)
        return Double(episodes) * Self.rowsForAQuestion < expected
    }
}
