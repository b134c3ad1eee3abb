public import LibraryModel
public import PodcastModel

/// The queue: entries in order and the one that plays.
///
/// A value without disk and clock. Every edit says what it changed as inserts, deletes and moves, which applied in
/// order turn the rows before into the rows after; views and clients are told just these. Numbers of entries come from
/// `QueueStore`, which is edited first, so that the value never shows what is not on disk.
public struct QueueModel: Equatable, Sendable {
    /// What an edit did.
    public typealias Changes = [ViewChange<EntryID>]

    /// Entries in order.
    public private(set) var entries: [QueueEntry]
    /// The one that plays or played last.
    public private(set) var current: EntryID?
    /// Where the current entry stood when it was removed: what follows is next.
    private var vacancy: Int?

    /// An empty queue, or one as stored.
    public init(_ stored: StoredQueue = StoredQueue()) {
        entries = stored.entries
        current = stored.current
    }

    /// The queue as it is stored.
    public var stored: StoredQueue { StoredQueue(entries: entries, current: current) }

    /// Number of entries.
    public var count: Int { entries.count }

    /// Numbers of the entries, in order.
    public var ids: [EntryID] { entries.map(\.id) }

    /// Where an entry stands, from 0.
    public func index(of id: EntryID) -> Int? { entries.firstIndex { $0.id == id } }

    /// The entry at an index, nil outside of the queue.
    public func entry(at index: Int) -> QueueEntry? { entries.indices.contains(index) ? entries[index] : nil }

    /// An entry by its number.
    public func entry(_ id: EntryID) -> QueueEntry? { entries.first { $0.id == id } }

    /// Where the current entry stands.
    public var currentIndex: Int? { current.flatMap(index(of:)) }

    /// The current entry.
    public var currentEntry: QueueEntry? { current.flatMap { entry($0) } }

    /// What follows the current entry, or the place where it was; the first entry when nothing ever played. Nil at
    /// the end.
    public var next: QueueEntry? { entry(at: nextIndex) }

    /// What stands before the current entry, or before the place where it was. Nil at the front.
    public var previous: QueueEntry? { entry(at: (currentIndex ?? vacancy ?? 0) - 1) }

    /// Where entries go that are to play next: after the current one, else at the place where it was or the front.
    public var nextIndex: Int { currentIndex.map { $0 + 1 } ?? min(vacancy ?? 0, count) }

    /// Makes an entry the current one; nil for none. An unknown one changes nothing.
    public mutating func setCurrent(_ id: EntryID?) {
        if let id, index(of: id) == nil { return }
        current = id
        vacancy = nil
    }

    /// Adds entries at the end.
    public mutating func append(_ new: [QueueEntry]) -> Changes { insert(new, at: count) }

    /// Inserts entries after the current one.
    public mutating func insertAfterCurrent(_ new: [QueueEntry]) -> Changes { insert(new, at: nextIndex) }

    /// Inserts entries before an index; one outside of the queue is brought to its ends.
    public mutating func insert(_ new: [QueueEntry], at index: Int) -> Changes {
        let index = min(max(index, 0), count)
        entries.insert(contentsOf: new, at: index)
        if let place = vacancy, index < place { vacancy = place + new.count }
        return new.enumerated().map { .insert($1.id, at: index + $0) }
    }

    /// Moves an entry so that it stands at `index` afterwards, within the queue; an unknown one moves nothing.
    public mutating func move(_ id: EntryID, to index: Int) -> Changes {
        guard let from = self.index(of: id) else { return [] }
        let target = min(max(index, 0), count - 1)
        if from == target { return [] }
        entries.insert(entries.remove(at: from), at: target)
        return [.move(id, from: from, to: target)]
    }

    /// Takes entries away; unknown ones are passed over. When the current one goes, the place where it stood is
    /// remembered.
    public mutating func remove(_ ids: [EntryID]) -> Changes {
        let leaving = Set(ids)
        var changes: Changes = []
        for index in entries.indices.reversed() where leaving.contains(entries[index].id) {
            changes.append(.delete(entries[index].id, at: index))
        }
        if let current, leaving.contains(current) {
            vacancy = currentIndex
            self.current = nil
        }
        // Entries that went before the vacant place draw it towards the front.
        if let place = vacancy {
            vacancy = place - changes.count { if case .delete(_, let at) = $0 { at < place } else { false } }
        }
        entries.removeAll { leaving.contains($0.id) }
        return changes
    }

    /// Takes all entries away, but the current one if `keepingCurrent`.
    public mutating func clear(keepingCurrent: Bool = false) -> Changes {
        let changes = remove(entries.map(\.id).filter { !keepingCurrent || $0 != current })
        if entries.isEmpty { vacancy = nil }
        return changes
    }

    /// Brings the entries into a random order; the current one comes first, so that all others are still to come.
    public mutating func shuffle(using generator: inout some RandomNumberGenerator) -> Changes {
        var order = entries.filter { $0.id != current }
        order.shuffle(using: &generator)
        if let currentEntry { order.insert(currentEntry, at: 0) }
        return reorder(order.map(\.id))
    }

    /// Brings the entries into the order given, if it names each exactly once; else nothing changes.
    public mutating func reorder(_ ids: [EntryID]) -> Changes {
        var left = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let order = ids.compactMap { left.removeValue(forKey: $0) }
        guard order.count == ids.count, order.count == count else { return [] }
        let changes = ViewDifference.changes(from: self.ids, to: ids)
        entries = order
        return changes
    }

    /// Takes over a queue from disk, for example after entries went with their feed.
    public mutating func replace(with stored: StoredQueue) -> Changes {
        let changes = ViewDifference.changes(from: ids, to: stored.entries.map(\.id))
        var replaced = QueueModel(stored)
        if let place = vacancy, stored.current == nil {
            // What was next stays next.
            let earlier = Set(ids.prefix(place))
            replaced.vacancy = replaced.ids.lastIndex(where: earlier.contains).map { $0 + 1 } ?? 0
        }
        self = replaced
        return changes
    }
}
