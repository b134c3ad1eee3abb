/// The newest changes of a list, each with the revision that it made, so that a copy of an older revision can be updated.
/// Its memory is bounded: a copy that is too old has to be read again.
public struct ChangeJournal<Change: Sendable>: Sendable {
    /// Rises with each edit of the list.
    public private(set) var revision: UInt64 = 0
    /// Older revisions cannot be updated.
    private var oldest: UInt64 = 0
    private var newest: [(revision: UInt64, change: Change)] = []
    private let limit: Int

    /// An empty journal that keeps at most `limit` changes.
    public init(limit: Int = 512) { self.limit = limit }

    /// Adds the changes of one edit; an edit without changes makes no revision.
    public mutating func append(_ changes: [Change]) {
        if changes.isEmpty { return }
        revision += 1
        if changes.count > limit { return forget() }
        for change in changes { newest.append((revision, change)) }
        let excess = newest.count - limit
        if excess > 0 {
            oldest = newest[excess - 1].revision
            newest.removeFirst(excess)
        }
    }

    /// Notes an edit whose changes are unknown.
    public mutating func appendUnknown() {
        revision += 1
        forget()
    }

    /// The changes that turn a copy of a revision into the list as it is now; nil if the copy has to be read again.
    public func changes(since revision: UInt64) -> [Change]? {
        guard (oldest...self.revision).contains(revision) else { return nil }
        let start = newest.firstIndex { $0.revision > revision } ?? newest.endIndex
        return newest[start...].map(\.change)
    }

    private mutating func forget() {
        oldest = revision
        newest = []
    }
}
