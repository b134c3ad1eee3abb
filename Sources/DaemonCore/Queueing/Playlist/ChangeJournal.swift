/// The newest changes of a list, each with the revision that it made, to update copies of older revisions. The number
/// of changes is limited: a copy that is too old must be read again.
struct ChangeJournal<Change: Sendable>: Sendable {
    private(set) var revision: UInt64 = 0
    /// Copies of older revisions cannot be updated.
    private var oldest: UInt64 = 0
    private var newest: [(revision: UInt64, change: Change)] = []
    private let limit: Int

    init(limit: Int = 512) { self.limit = limit }

    /// Adds the changes of one edit; an edit without changes does not make a revision.
    mutating func append(_ changes: [Change]) {
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

    mutating func appendUnknown() {
        revision += 1
        forget()
    }

    /// The changes from a revision to the present list; nil if the copy must be read again.
    func changes(since revision: UInt64) -> [Change]? {
        guard (oldest...self.revision).contains(revision) else { return nil }
        let start = newest.firstIndex { $0.revision > revision } ?? newest.endIndex
        return newest[start...].map(\.change)
    }

    private mutating func forget() {
        oldest = revision
        newest = []
    }
}
