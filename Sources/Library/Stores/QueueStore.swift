public import PodcastModel
internal import SQLite

/// The queue as stored.
public struct StoredQueue: Equatable, Sendable {
    public var entries: [QueueEntry]
    /// The entry that plays or played last.
    public var current: EntryID?
    public init(entries: [QueueEntry] = [], current: EntryID? = nil) {
        self.entries = entries
        self.current = current
    }
}

/// The stored queue, or the entries of a playlist by hand. Every change is one transaction, on disk before the method returns.
public struct QueueStore: LibraryPart {
    let library: LibraryStore
    /// The name of the playlist as it is stored; nil for the queue.
    var list: String?

    /// The maximum number of entries of a playlist.
    public static let maximumOfList = 10_000

    /// Difference between the places of two entries, so that others fit in between: twenty halvings before all are
    /// renumbered.
    static let gap: Int64 = 1 << 20
    /// Places beyond are read as this one, so that places after it do not overflow.
    public static let lastPlace: Int64 = 1 << 60

    private var isHere: SQL { "list IS \(list)" }

    /// Runs a change of entries as an undo step: of this kind for the queue, else of the playlist.
    private func recording<Result>(
        _ kind: Act, title: String? = nil, count: Int = 0, isAutomatic: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        try recording(
            list == nil ? kind : .playlist, title: list ?? title, count: list == nil ? count : 0, feed: nil, at: nil,
            isAutomatic: isAutomatic, continuing: nil, body)
    }

    /// All entries in order, with the current entry.
    public func queue() throws(LibraryError) -> StoredQueue {
        try read {
            StoredQueue(
                entries: try connection.all("SELECT id, episode FROM queue_entry WHERE \(isHere) ORDER BY place, id"),
                current: try connection.value("SELECT current FROM queue_state"))
        }
    }

    /// Inserts episodes at an index (0 is the front, the length or more is the end); each gets a new entry id.
    /// - Parameter isAutomatic: whether playback adds the episodes without a command.
    public func insertEntries(
        _ episodes: [EpisodeID], at index: Int, isAutomatic: Bool = false
    ) throws(LibraryError) -> [QueueEntry] {
        if episodes.isEmpty { return [] }
        return try write(.synced) {
            for episode in episodes { _ = try library.episodes.episode(episode) }
            return try recording(.added, isAutomatic: isAutomatic) {
                try enqueue(episodes, at: index, priority: 0)
            }
        }
    }

    func enqueue(_ episodes: [EpisodeID], at index: Int, priority: Int) throws -> [QueueEntry] {
        if list != nil, try count() + episodes.count > Self.maximumOfList {
            throw LibraryError.refused("a playlist has at most \(Self.maximumOfList) episodes")
        }
        let places = try freePlaces(episodes.count, at: index, without: [])
        return try zip(places, episodes).map { place, episode in
            try run(
                """
                INSERT INTO queue_entry(place, episode, priority, list)
                VALUES (\(place), \(episode), \(priority), \(list))
                """)
            return QueueEntry(id: EntryID(connection.lastInsertedRow), episode: episode)
        }
    }

    /// Removes entries; unknown ids are ignored.
    public func removeEntries(_ ids: [EntryID]) throws(LibraryError) {
        if ids.isEmpty { return }
        try write(.synced) { try recording(.removed) { try ids.forEach(delete) } }
    }

    public func clearEntries() throws(LibraryError) {
        try write(.synced) { try recording(.cleared) { try deleteAll() } }
    }

    func deleteAll() throws { try run("DELETE FROM queue_entry WHERE \(isHere)") }

    func count() throws -> Int { try connection.value("SELECT count(*) FROM queue_entry WHERE \(isHere)") ?? 0 }

    /// Restores an entry that was played to its end, before an index. Not an undo step.
    public func restoreEntry(_ entry: QueueEntry, at index: Int) throws(LibraryError) {
        try write(.synced) {
            _ = try library.episodes.episode(entry.episode)
            guard let place = try freePlaces(1, at: index, without: []).first else { return }
            try run("INSERT INTO queue_entry(id, place, episode) VALUES (\(entry.id), \(place), \(entry.episode))")
        }
    }

    /// Marks an entry's episode as played; together with the entry this is one undo step.
    /// - Parameters:
    ///   - heard: the position that undo restores; nil for the saved position. Without it the step is automatic: no command ended
    ///     the episode.
    ///   - keepsEntry: true if the entry stays in the queue.
    public func finishEntry(
        _ entry: QueueEntry, heard: MediaTime?, keepsEntry: Bool, at now: Timestamp
    ) throws(LibraryError) {
        try write(.synced) {
            _ = try library.episodes.episode(entry.episode)
            // Undo goes back to where it was heard.
            if let heard { try library.history.setPosition(heard, of: entry.episode) }
            try recording(.markedPlayed, at: now, isAutomatic: heard == nil) {
                try library.episodes.mark(entry.episode, played: true, as: .played, at: now)
                if !keepsEntry { try delete(entry.id) }
            }
        }
    }

    func delete(_ id: EntryID) throws { try run("DELETE FROM queue_entry WHERE id = \(id)") }

    /// Moves entries, in their order, so that the first has an index; 0 is the front.
    public func moveEntries(_ ids: [EntryID], to index: Int) throws(LibraryError) {
        try write(.synced) {
            let moved = try ids.map { try entry($0) }
            let leaving = Set(ids)
            let former = try order()
            var order = former.filter { !leaving.contains($0) }
            order.insert(contentsOf: ids, at: min(max(index, 0), order.count))
            if order == former { return }
            let title = try moved.first.flatMap { try library.episodes.stored($0.episode)?.title }
            try recording(.moved, title: title, count: ids.count) {
                for (place, id) in zip(try freePlaces(ids.count, at: index, without: leaving), ids) {
                    try setPlace(place, of: id)
                }
            }
        }
    }

    /// Reorders all entries; `ids` must contain each entry exactly once.
    public func reorderEntries(_ ids: [EntryID]) throws(LibraryError) {
        try write(.synced) {
            let known = try order()
            guard known.count == ids.count, Set(known) == Set(ids) else {
                throw LibraryError.notFound("\(ids.count) queue entries, because the queue has changed")
            }
            if known == ids { return }
            try recording(.shuffled, count: ids.count) { try spread(ids) }
        }
    }

    public func setCurrentEntry(_ id: EntryID?) throws(LibraryError) {
        try write(.synced) {
            if let id { _ = try entry(id) }
            try run("UPDATE queue_state SET current = \(id) WHERE current IS NOT \(id)")
        }
    }

    /// The time left at normal speed in the entries after one, by feed; in all entries if `entry` is nil. `CROSS JOIN` begins with the
    /// queue; otherwise SQLite groups all episodes of the library.
    public func timeLeft(
        after entry: EntryID?
    ) throws(LibraryError) -> [(feed: FeedID, time: MediaTime, areDurationsKnown: Bool)] {
        try read {
            try connection.all(
                """
                SELECT feed, sum(max(0, duration - position)) AS time,
                  count(duration) = count(*) AS known
                FROM (SELECT e.feed, coalesce(e.measured_duration, e.duration) AS duration,
                    coalesce(p.position, 0) AS position
                  FROM queue_entry q CROSS JOIN episode e ON e.id = q.episode LEFT JOIN playback p ON p.episode = e.id
                  WHERE q.list IS NULL AND (\(entry) IS NULL OR (q.place, q.id) > (SELECT place, id FROM queue_entry WHERE id = \(entry))))
                GROUP BY feed
                """
            ) { row in
                let time: MediaTime? = row["time"]
                return (feed: row["feed"], time: time ?? .zero, areDurationsKnown: row["known"])
            }
        }
    }

    /// A place for the entry at an index when all entries are renumbered. Random, to differ from places in other libraries.
    private static func place(_ index: Int) -> Int64 { Int64(index + 1) * gap + Int64.random(in: 0..<gap / 2) }

    static func bounded(_ place: Int64) -> Int64 { min(max(place, 0), lastPlace) }

    func isQueued(_ episode: EpisodeID) throws -> Bool {
        try connection.exists("SELECT 1 FROM queue_entry WHERE episode = \(episode) AND \(isHere)")
    }

    private func entry(_ id: EntryID) throws -> QueueEntry {
        guard let entry: QueueEntry = try connection.first("SELECT id, episode FROM queue_entry WHERE id = \(id)")
        else {
            throw LibraryError.notFound("queue entry \(id)")
        }
        return entry
    }

    func order() throws -> [EntryID] {
        try connection.column("SELECT id FROM queue_entry WHERE \(isHere) ORDER BY place, id")
    }

    /// Gives all entries places in the order given.
    func spread(_ order: [EntryID]) throws {
        for (index, id) in order.enumerated() { try setPlace(Self.place(index), of: id) }
    }

    /// Renumbers the entries if two of them have the same place, as after an undo.
    func separate() throws {
        let equal: SQL = "SELECT 1 FROM queue_entry WHERE \(isHere) GROUP BY place HAVING count(*) > 1"
        if try connection.exists(equal) { try spread(order()) }
    }

    private func setPlace(_ place: Int64, of id: EntryID) throws {
        try run("UPDATE queue_entry SET place = \(place) WHERE id = \(id)")
    }

    /// Finds `count` ascending places before the entry at an index; renumbers all entries if there is no room.
    func freePlaces(_ count: Int, at index: Int, without left: Set<EntryID>) throws -> [Int64] {
        let entries = try connection.all("SELECT id, place FROM queue_entry WHERE \(isHere) ORDER BY place, id") {
            (id: $0["id"] as EntryID, place: Self.bounded($0["place"]))
        }.filter { !left.contains($0.id) }
        let index = min(max(index, 0), entries.count)
        var before = index > 0 ? entries[index - 1].place : 0
        // After the places of all entries that are gone and may come back by undo, in their order.
        if index == entries.count {
            let last: Int64 = try connection.value("SELECT seq FROM sqlite_sequence WHERE name = 'queue_entry'") ?? 0
            before = max(before, min(last, Self.lastPlace / Self.gap) * Self.gap)
        }
        let after = index < entries.count ? entries[index].place : before + Int64(count + 1) * Self.gap
        let step = (after - before) / Int64(count + 1)
        if step > 0 {
            return (1...count).map { before + Int64($0) * step - Int64.random(in: 0..<max(1, step / 2)) }
        }
        for (offset, entry) in entries.enumerated() {
            let shifted = offset < index ? offset : offset + count
            try setPlace(Self.place(shifted), of: entry.id)
        }
        return (0..<count).map { Self.place(index + $0) }
    }
}

extension QueueEntry: Record {
    init(row: Row) { self.init(id: row["id"], episode: row["episode"]) }
}
