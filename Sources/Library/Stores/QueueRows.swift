public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: QueueStore {
    /// Room between two entries, to insert into: twenty halvings before all are spread anew.
    static let gap: Int64 = 1 << 20

    /// All entries in order, with the playing one.
    public func queue() throws(LibraryError) -> StoredQueue {
        try read {
            var queue = StoredQueue()
            let entries = try connection.statement("SELECT id, episode FROM queue_entry ORDER BY place, id")
            defer { entries.reset() }
            while try entries.step() {
                queue.entries.append(
                    QueueEntry(id: EntryID(entries.int64(0)), episode: EpisodeID(entries.int64(1))))
            }
            let state = try connection.statement("SELECT current FROM queue_state")
            defer { state.reset() }
            if try state.step() { queue.current = state.optionalInt64(0).map(EntryID.init) }
            return queue
        }
    }

    /// Inserts before a position (0 is the front, the length the end; others are brought into that range); new entries
    /// get new numbers. Committed before it returns.
    public func insertEntries(_ episodes: [EpisodeID], at index: Int) throws(LibraryError) -> [QueueEntry] {
        if episodes.isEmpty { return [] }
        return try write(.synced) {
            for episode in episodes { _ = try visibleEpisode(episode) }
            let entries = try enqueue(episodes, at: index, priority: 0)
            try keep(entries, madeIn: try beginStep(.added))
            return entries
        }
    }

    /// Inserts entries before a position; not outside a transaction.
    func enqueue(_ episodes: [EpisodeID], at index: Int, priority: Int) throws -> [QueueEntry] {
        let places = try freePlaces(episodes.count, at: index, without: nil)
        let insert = try connection.statement("INSERT INTO queue_entry(place, episode, priority) VALUES (?, ?, ?)")
        var entries: [QueueEntry] = []
        for (place, episode) in zip(places, episodes) {
            try insert.bind(1, place)
            try insert.bind(2, episode.rawValue)
            try insert.bind(3, priority)
            try insert.run()
            entries.append(QueueEntry(id: EntryID(connection.lastInsertedRow), episode: episode))
        }
        return entries
    }

    /// Takes entries away; unknown numbers are passed over. Committed before it returns.
    public func removeEntries(_ ids: [EntryID]) throws(LibraryError) {
        if ids.isEmpty { return }
        try write(.synced) {
            let present = Set(try queueOrder())
            let leaving = present.intersection(ids.map(\.rawValue))
            if leaving.isEmpty { return }
            try keepEntries(leaving, in: try beginStep(leaving.count == present.count ? .cleared : .removed))
            for id in leaving { try run("DELETE FROM queue_entry WHERE id = ?", id) }
        }
    }

    /// Moves an entry so that it stands at `index` afterwards. Committed before it returns.
    public func moveEntry(_ id: EntryID, to index: Int) throws(LibraryError) {
        try write(.synced) {
            try requireEntry(id)
            try keepEntries([id.rawValue], in: try beginStep(.moved))
            guard let place = try freePlaces(1, at: index, without: id).first else { return }
            try setPlace(place, of: id)
        }
    }

    /// Puts all entries into the order given; it must name each exactly once. Committed before it returns.
    public func reorderEntries(_ ids: [EntryID]) throws(LibraryError) {
        try write(.synced) {
            let (known, order) = (try queueOrder(), ids.map(\.rawValue))
            guard known.count == order.count, Set(known) == Set(order) else {
                throw LibraryError.notFound("a queue of these \(ids.count) entries")
            }
            if known == order { return }
            try keepEntries(nil, in: try beginStep(.shuffled))
            try spreadEntries(order)
        }
    }

    /// Remembers which entry plays; nil when none does. Committed before it returns.
    public func setCurrentEntry(_ id: EntryID?) throws(LibraryError) {
        try write(.synced) {
            if let id { try requireEntry(id) }
            let update = try connection.statement("UPDATE queue_state SET current = ?1 WHERE current IS NOT ?1")
            try update.bind(1, id?.rawValue)
            try update.run()
        }
    }

    private func requireEntry(_ id: EntryID) throws {
        let query = try connection.statement("SELECT 1 FROM queue_entry WHERE id = ?")
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        if try !query.step() { throw LibraryError.notFound("queue entry \(id)") }
    }

    /// Numbers of all entries in order; not outside a transaction.
    func queueOrder() throws -> [Int64] { try orderedEntries(without: nil).map(\.id) }

    /// Gives all entries places of their own in the order given; not outside a transaction.
    func spreadEntries(_ order: [Int64]) throws {
        for (index, id) in order.enumerated() { try setPlace(Int64(index + 1) * Self.gap, of: EntryID(id)) }
    }

    private func setPlace(_ place: Int64, of id: EntryID) throws {
        let update = try connection.statement("UPDATE queue_entry SET place = ?2 WHERE id = ?1")
        try update.bind(1, id.rawValue)
        try update.bind(2, place)
        try update.run()
    }

    private func orderedEntries(without left: EntryID?) throws -> [(id: Int64, place: Int64)] {
        let query = try connection.statement(
            "SELECT id, place FROM queue_entry WHERE id IS NOT ? ORDER BY place, id")
        defer { query.reset() }
        try query.bind(1, left?.rawValue)
        var entries: [(id: Int64, place: Int64)] = []
        while try query.step() { entries.append((query.int64(0), query.int64(1))) }
        return entries
    }

    /// Ascending places before the entry at an index, for so many entries; spreads all entries anew when there is no
    /// room between two.
    func freePlaces(_ count: Int, at index: Int, without left: EntryID?) throws -> [Int64] {
        let entries = try orderedEntries(without: left)
        let index = min(max(index, 0), entries.count)
        let before = index > 0 ? entries[index - 1].place : 0
        let after = index < entries.count ? entries[index].place : before + Int64(count + 1) * Self.gap
        let step = (after - before) / Int64(count + 1)
        if step > 0 { return (1...count).map { before + Int64($0) * step } }
        for (offset, entry) in entries.enumerated() {
            let shifted = offset < index ? offset : offset + count
            try setPlace(Int64(shifted + 1) * Self.gap, of: EntryID(entry.id))
        }
        return (0..<count).map { Int64(index + $0 + 1) * Self.gap }
    }
}
