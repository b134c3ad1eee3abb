/// One edit of an ordered view. The edits turn the old rows into the new rows if applied in order.
enum ViewChange<RowID: Hashable & Sendable>: Equatable, Sendable {
    /// A row was inserted; `at` is its index afterwards.
    case insert(RowID, at: Int)
    case delete(RowID, at: Int)
    /// A row was moved from its index before to its index afterwards.
    case move(RowID, from: Int, to: Int)
    /// The row's content changed, but not its place.
    case update(RowID, at: Int)

    var insertedRow: RowID? { if case .insert(let row, _) = self { row } else { nil } }
}

/// Differences between two lists of rows.
enum ViewDifference {
    /// Maximum number of rows that are moved or inserted among others, because each of them takes time with the length of the list.
    static let mostMoves = 512

    /// The fewest moves, inserts and deletes that turn `old` into `new` in order; beyond `mostMoves`, rows are deleted and inserted
    /// instead of moved. Neither list may contain duplicates.
    static func changes<RowID: Hashable & Sendable>(from old: [RowID], to new: [RowID]) -> [ViewChange<RowID>] {
        let targets = Dictionary(zip(new, new.indices)) { $1 }
        var rows = old.filter { targets[$0] != nil }
        let staying = Set(longestIncreasingRun(rows.compactMap { targets[$0] }).map { new[$0] })
        let mayMove = new.count - staying.count <= mostMoves
        let known = mayMove ? Set(rows) : staying
        var changes: [ViewChange<RowID>] = old.indices.reversed().filter { !known.contains(old[$0]) }
            .map { .delete(old[$0], at: $0) }
        guard mayMove else {
            return changes + new.indices.filter { !known.contains(new[$0]) }.map { .insert(new[$0], at: $0) }
        }
        // `cursor` is the index of the last row in its final place; rows after it may still have to move.
        var cursor = -1
        for row in new {
            if staying.contains(row) {
                cursor = rows[(cursor + 1)...].firstIndex(of: row) ?? cursor
            } else if known.contains(row), let from = rows.firstIndex(of: row) {
                rows.remove(at: from)
                let to = from <= cursor ? cursor : cursor + 1
                rows.insert(row, at: to)
                if from != to { changes.append(.move(row, from: from, to: to)) }
                cursor = to
            } else {
                cursor += 1
                rows.insert(row, at: cursor)
                changes.append(.insert(row, at: cursor))
            }
        }
        return changes
    }

    /// The values of a longest increasing subsequence, by patience sorting.
    private static func longestIncreasingRun(_ values: [Int]) -> [Int] {
        var tops: [Int] = []
        var before = [Int](repeating: -1, count: values.count)
        for index in values.indices {
            var low = 0
            var high = tops.count
            while low < high {
                let middle = (low + high) / 2
                if values[tops[middle]] < values[index] { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[index] = tops[low - 1] }
            if low == tops.count { tops.append(index) } else { tops[low] = index }
        }
        var run: [Int] = []
        var index = tops.last ?? -1
        while index >= 0 {
            run.append(values[index])
            index = before[index]
        }
        return run.reversed()
    }
}
