/// One edit of an ordered view. The edits turn the old rows into the new rows if applied in order.
public enum ViewChange<RowID: Hashable & Sendable>: Equatable, Sendable {
    /// A row was inserted; `at` is its index afterwards.
    case insert(RowID, at: Int)
    case delete(RowID, at: Int)
    /// A row was moved from its index before to its index afterwards.
    case move(RowID, from: Int, to: Int)
    /// The row's content changed, but not its place.
    case update(RowID, at: Int)
}
