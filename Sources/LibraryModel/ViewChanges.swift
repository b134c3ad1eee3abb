/// One edit of an ordered view; applied in order they turn the rows before into the rows after.
public enum ViewChange<RowID: Hashable & Sendable>: Equatable, Sendable {
    /// A row came in and now stands at `index`.
    case insert(RowID, at: Int)
    /// The row at `index` went.
    case delete(RowID, at: Int)
    /// The row at `from` stands at `to` after it was taken out and put back.
    case move(RowID, from: Int, to: Int)
    /// The row's content changed, its place did not.
    case update(RowID, at: Int)
}
