/// One edit of an ordered view; applied in order they turn the rows before into the rows after.
public enum ViewChange<RowID: Hashable & Sendable>: Equatable, Sendable {
    /// A row was inserted; `index` is its index afterwards.
    case insert(RowID, at: Int)
    /// The row at `index` went.
    case delete(RowID, at: Int)
    /// The row at `from` was moved; `to` is its index afterwards.
    case move(RowID, from: Int, to: Int)
    /// The row's content changed, its place did not.
    case update(RowID, at: Int)
}
