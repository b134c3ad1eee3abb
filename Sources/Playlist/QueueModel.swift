public import LibraryModel
public import PodcastModel

/// The queue: entries in order, and the current entry.
///
/// A value without I/O and clock. Every edit returns its inserts, deletes and moves, which turn the rows before into
/// the rows after when applied in order; views and clients receive these changes. `QueueStore` is edited first and
/// assigns the ids of entries, so this value never contains an entry that is not on disk.
public struct QueueModel: Equatable, Sendable {
    /// The changes made by an edit.
    public typealias Changes = [ViewChange<EntryID>]

    /// The entries in order.
    public private(set) var entries: [QueueEntry]
    /// The entry that is playing or was played last.
    public private(set) var current: EntryID?
    /// The former index of the current entry if it was removed; the entry there is the next one.
    private var vacancy: Int?
    private var finished = FinishedEntries()

    /// Creates an empty queue, or one from stored values.
    public init(_ stored: StoredQueue = StoredQueue()) {
        entries = stored.entries
        current = stored.current
    }

    /// The queue in the form in which it is stored.
    public var stored: StoredQueue { StoredQueue(entries: entries, current: current) }

    /// Number of entries.
    public var count: Int { entries.count }

    /// Ids of the entries, in order.
    public var ids: [EntryID] { entries.map(\.id) }

    /// Index of an entry, starting at 0.
    public func index(of id: EntryID) -> Int? { entries.firstIndex { $0.id == id } }

    /// The entry at an index; nil if there is none.
    public func entry(at index: Int) -> QueueEntry? { entries.indices.contains(index) ? entries[index] : nil }

    /// The entry with an id.
    public func entry(_ id: EntryID) -> QueueEntry? { entries.first { $0.id == id } }

    /// Index of the current entry.
    public var currentIndex: Int? { current.flatMap(index(of:)) }

    /// The current entry.
    public var currentEntry: QueueEntry? { current.flatMap { entry($0) } }

    /// The entry after the current entry, or at its former index if it was removed; the first entry if nothing was
    /// played yet. Nil at the end.
    public var next: QueueEntry? { entry(at: nextIndex) }

    /// The entry before the current entry, or before its former index. Nil at the front.
    public var previous: QueueEntry? { entry(before: nil) }

    /// The entry before another one, or before the current one for nil. It may have left the queue because it was heard to its
    /// end; see `restore`.
    public func entry(before id: EntryID?) -> QueueEntry? {
        let place = id.flatMap(index(of:)) ?? currentIndex ?? vacancy ?? 0
        return finished.last(before: place) ?? entry(at: place - 1)
    }

    /// Where to insert entries that play next: after the current entry, else at its former index or the front.
    public var nextIndex: Int { currentIndex.map { $0 + 1 } ?? min(vacancy ?? 0, count) }

    /// Makes an entry the current one; nil for none. Ignores an unknown entry.
    public mutating func setCurrent(_ id: EntryID?) {
        if let id, index(of: id) == nil { return }
        current = id
        vacancy = nil
    }

    /// Appends entries.
    public mutating func append(_ new: [QueueEntry]) -> Changes { insert(new, at: count) }

    /// Inserts entries after the current one.
    public mutating func insertAfterCurrent(_ new: [QueueEntry]) -> Changes { insert(new, at: nextIndex) }

    /// Inserts entries before an index, which is clamped to the queue.
    public mutating func insert(_ new: [QueueEntry], at index: Int) -> Changes {
        let index = min(max(index, 0), count)
        entries.insert(contentsOf: new, at: index)
        if let place = vacancy, index < place { vacancy = place + new.count }
        let changes: Changes = new.enumerated().map { .insert($1.id, at: index + $0) }
        finished.follow(changes)
        return changes
    }

    /// Moves an entry to `index`, clamped to the queue; ignores an unknown entry.
    public mutating func move(_ id: EntryID, to index: Int) -> Changes {
        guard let from = self.index(of: id) else { return [] }
        let target = min(max(index, 0), count - 1)
        if from == target { return [] }
        entries.insert(entries.remove(at: from), at: target)
        finished.follow([.move(id, from: from, to: target)])
        return [.move(id, from: from, to: target)]
    }

    /// Removes entries; ignores unknown ones. If the current entry is removed, its index is remembered.
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
        // Each entry removed before the remembered index decreases it.
        if let place = vacancy {
            vacancy = place - changes.count { if case .delete(_, let at) = $0 { at < place } else { false } }
        }
        entries.removeAll { leaving.contains($0.id) }
        finished.follow(changes)
        return changes
    }

    /// Removes an entry that was heard to its end; `entry(before:)` still finds it.
    public mutating func finish(_ id: EntryID) -> Changes {
        guard let index = index(of: id) else { return [] }
        let entry = entries[index]
        let changes = remove([id])
        finished.add(entry, at: index)
        return changes
    }

    /// Brings an entry that was heard to its end back before another one, or before the current one for nil.
    public mutating func restore(_ entry: QueueEntry, before id: EntryID?) -> Changes {
        insert([entry], at: id.flatMap(index(of:)) ?? currentIndex ?? vacancy ?? 0)
    }

    /// Removes all entries, except the current one if `keepingCurrent`.
    public mutating func clear(keepingCurrent: Bool = false) -> Changes {
        let changes = remove(entries.map(\.id).filter { !keepingCurrent || $0 != current })
        if entries.isEmpty { vacancy = nil }
        return changes
    }

    /// Shuffles the entries after the current one; without a current one, all.
    public mutating func shuffle(using generator: inout some RandomNumberGenerator) -> Changes {
        let first = entries.firstIndex { $0.id == current }.map { $0 + 1 } ?? 0
        var following = Array(entries[first...])
        following.shuffle(using: &generator)
        return reorder((entries[..<first] + following).map(\.id))
    }

    /// Sorts the entries in the given order, if it contains each id exactly once; otherwise changes nothing.
    public mutating func reorder(_ ids: [EntryID]) -> Changes {
        var left = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let order = ids.compactMap { left.removeValue(forKey: $0) }
        guard order.count == ids.count, order.count == count else { return [] }
        let changes = ViewDifference.changes(from: self.ids, to: ids)
        entries = order
        finished.follow(changes)
        return changes
    }

    /// Replaces the content with a queue from disk, for example after a feed was removed with its entries.
    public mutating func replace(with stored: StoredQueue) -> Changes {
        var changes = ViewDifference.changes(from: ids, to: stored.entries.map(\.id))
        let episodes = Dictionary(entries.map { ($0.id, $0.episode) }) { first, _ in first }
        for (index, entry) in stored.entries.enumerated() where episodes[entry.id] ?? entry.episode != entry.episode {
            changes.append(.update(entry.id, at: index))
        }
        var replaced = QueueModel(stored)
        if let place = vacancy, stored.current == nil {
            // Keep the same next entry.
            let earlier = Set(ids.prefix(place))
            replaced.vacancy = replaced.ids.lastIndex(where: earlier.contains).map { $0 + 1 } ?? 0
        }
        replaced.finished = finished
        replaced.finished.follow(changes)
        self = replaced
        return changes
    }
}
