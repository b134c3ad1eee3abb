import Library
import PodcastModel

/// The queue: entries in order, and the current entry.
///
/// A value without I/O and clock. Every edit returns its inserts, deletes and moves, which turn the rows before into
/// the rows after when applied in order; views and clients receive these changes. `QueueStore` is edited first and
/// assigns the ids of entries, so this value never contains an entry that is not on disk.
struct QueueModel: Equatable, Sendable {
    typealias Changes = [ViewChange<EntryID>]

    private(set) var entries: [QueueEntry]
    /// The entry that is playing or was played last.
    private(set) var current: EntryID?
    /// Former index of the current entry, if that entry was removed; the next entry is at this index.
    private var vacancy: Int?
    /// Earlier values of `vacancy` by the hash of the ids, which undo restores; cleared when an entry plays.
    private var formerVacancies: [Int: Int] = [:]
    private var finished = FinishedEntries()

    init(_ stored: StoredQueue = StoredQueue()) {
        entries = stored.entries
        current = stored.current
    }

    var count: Int { entries.count }

    var ids: [EntryID] { entries.map(\.id) }

    /// Index of an entry, from 0.
    func index(of id: EntryID) -> Int? { entries.firstIndex { $0.id == id } }

    func entry(at index: Int) -> QueueEntry? { entries.indices.contains(index) ? entries[index] : nil }

    func entry(_ id: EntryID) -> QueueEntry? { entries.first { $0.id == id } }

    /// The first entry of an episode; preferably the current entry.
    func entry(of episode: EpisodeID) -> QueueEntry? {
        currentEntry?.episode == episode ? currentEntry : entries.first { $0.episode == episode }
    }

    var episodes: Set<EpisodeID> { Set(entries.map(\.episode)) }

    var currentIndex: Int? { current.flatMap(index(of:)) }

    var currentEntry: QueueEntry? { current.flatMap { entry($0) } }

    /// The entry after the current entry (or its former index); the first one if nothing was played. Nil at the end.
    var next: QueueEntry? { entry(at: nextIndex) }

    /// The entry before `id`, or before the current entry for nil; perhaps a finished one, which `restore` brings back.
    func entry(before id: EntryID?) -> QueueEntry? {
        let place = id.flatMap(index(of:)) ?? currentIndex ?? vacancy ?? 0
        return finished.last(before: place) ?? entry(at: place - 1)
    }

    /// Index for entries that play next: after the current entry, or else at its former index or the front.
    var nextIndex: Int { currentIndex.map { $0 + 1 } ?? min(vacancy ?? 0, count) }

    /// Makes an entry the current one; nil for none. Ignores an unknown entry.
    mutating func setCurrent(_ id: EntryID?) {
        if let id, index(of: id) == nil { return }
        current = id
        vacancy = nil
        formerVacancies = [:]
    }

    /// Inserts entries before an index, which is clamped to the queue.
    mutating func insert(_ new: [QueueEntry], at index: Int) -> Changes {
        let index = min(max(index, 0), count)
        let changes: Changes = new.enumerated().map { .insert($1.id, at: index + $0) }
        become(Array(entries[..<index]) + new + Array(entries[index...]), by: changes)
        return changes
    }

    /// Moves entries, in their order, so that the first has `index`, clamped to the queue; ignores unknown entries.
    mutating func move(_ ids: [EntryID], to index: Int) -> Changes {
        let moving = ids.compactMap(entry)
        let leaving = Set(ids)
        guard let first = moving.first, let from = self.index(of: first.id) else { return [] }
        let others = entries.filter { !leaving.contains($0.id) }
        let target = min(max(index, 0), others.count)
        let order = Array(others[..<target]) + moving + Array(others[target...])
        if order == entries { return [] }
        let changes: Changes =
            moving.count == 1
            ? [.move(first.id, from: from, to: target)] : ViewDifference.changes(from: self.ids, to: order.map(\.id))
        // The changes may move the other entries instead, so compute the new vacancy from the order.
        let place = vacancy.map { place in
            let before = entries[..<place].count { !leaving.contains($0.id) }
            return target < before || target == before && from < place ? before + moving.count : before
        }
        become(order, by: changes)
        vacancy = place
        return changes
    }

    /// Removes entries; ignores unknown ones. The index of a removed current entry is remembered.
    mutating func remove(_ ids: [EntryID]) -> Changes {
        let leaving = Set(ids)
        var changes: Changes = []
        for index in entries.indices.reversed() where leaving.contains(entries[index].id) {
            changes.append(.delete(entries[index].id, at: index))
        }
        become(entries.filter { !leaving.contains($0.id) }, by: changes)
        return changes
    }

    /// Removes an entry that was played to the end; `entry(before:)` still finds that entry.
    mutating func finish(_ id: EntryID) -> Changes {
        guard let index = index(of: id) else { return [] }
        let entry = entries[index]
        let changes = remove([id])
        finished.add(entry, at: index)
        return changes
    }

    /// Brings a finished entry back before another entry, or before the current entry for nil.
    mutating func restore(_ entry: QueueEntry, before id: EntryID?) -> Changes {
        insert([entry], at: id.flatMap(index(of:)) ?? currentIndex ?? vacancy ?? 0)
    }

    mutating func clear() -> Changes {
        let changes = remove(ids)
        vacancy = nil
        return changes
    }

    /// Shuffles the entries after the current one or its former index; all entries if there is neither.
    mutating func shuffle(using generator: inout some RandomNumberGenerator) -> Changes {
        let first = current == nil && next == nil ? 0 : nextIndex
        var following = Array(entries[first...])
        following.shuffle(using: &generator)
        return reorder((entries[..<first] + following).map(\.id))
    }

    /// Sorts the entries in the given order, if it contains each id exactly once; otherwise changes nothing.
    mutating func reorder(_ ids: [EntryID]) -> Changes {
        var left = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let order = ids.compactMap { left.removeValue(forKey: $0) }
        guard order.count == ids.count, order.count == count else { return [] }
        let changes = ViewDifference.changes(from: self.ids, to: ids)
        become(order, by: changes)
        return changes
    }

    /// Replaces the content with the stored queue, for example after a feed was removed with its entries.
    mutating func replace(with stored: StoredQueue) -> Changes {
        var changes = ViewDifference.changes(from: ids, to: stored.entries.map(\.id))
        let episodes = Dictionary(entries.map { ($0.id, $0.episode) }) { first, _ in first }
        for (index, entry) in stored.entries.enumerated() where episodes[entry.id] ?? entry.episode != entry.episode {
            changes.append(.update(entry.id, at: index))
        }
        become(stored.entries, by: changes)
        if let current = stored.current {
            setCurrent(current)
        } else {
            vacancy = formerVacancies[ids.hashValue] ?? vacancy
        }
        return changes
    }

    /// Adopts the result of an edit. The next entry stays the same.
    private mutating func become(_ new: some Sequence<QueueEntry>, by changes: Changes) {
        if let vacancy { formerVacancies[ids.hashValue] = vacancy }
        let index = currentIndex
        entries = Array(new)
        finished.follow(changes)
        if current != nil, currentIndex == nil {
            current = nil
            vacancy = index
        }
        vacancy = vacancy.map { place in
            changes.reduce(place) { place, change in
                switch change {
                case .insert(_, let at): at < place ? place + 1 : place
                case .delete(_, let at): at < place ? place - 1 : place
                case .move(_, let from, let to): place - (from < place ? 1 : 0) + (to < place ? 1 : 0)
                case .update: place
                }
            }
        }
    }
}

/// Entries that left the queue when they were played to the end, with their former places, for `previous`.
struct FinishedEntries: Equatable {
    private struct Finished: Equatable {
        var entry: QueueEntry
        var place: Int
    }

    private static let limit = 100

    private var finished: [Finished] = []

    mutating func add(_ entry: QueueEntry, at place: Int) {
        finished.append(Finished(entry: entry, place: place))
        if finished.count > Self.limit { finished.removeFirst() }
    }

    /// The entry that was played last, of the finished entries directly before an index.
    func last(before place: Int) -> QueueEntry? { finished.last { $0.place == place }?.entry }

    /// Adjusts the places to changes of the queue; removes entries that returned to the queue.
    mutating func follow(_ changes: [ViewChange<EntryID>]) {
        for change in changes {
            switch change {
            case .insert(let id, let index):
                finished.removeAll { $0.entry.id == id }
                shift(1, beyond: index)
            case .delete(_, let index): shift(-1, beyond: index)
            case .move(_, let from, let index):
                shift(-1, beyond: from)
                shift(1, beyond: index)
            case .update: break
            }
        }
    }

    private mutating func shift(_ distance: Int, beyond index: Int) {
        for each in finished.indices where finished[each].place > index { finished[each].place += distance }
    }
}
