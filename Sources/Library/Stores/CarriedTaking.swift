public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Behind which place everything that is brought in is queued.
    public func queueEnd() throws(LibraryError) -> Int64 {
        try read {
            let query = try connection.statement(
                """
                SELECT max(coalesce((SELECT max(place) FROM queue_entry), 0),
                  coalesce((SELECT max(queue_place) FROM carried_episode), 0))
                """)
            defer { query.reset() }
            return try query.step() ? query.int64(0) : 0
        }
    }

    /// Gives episodes of a feed what another library knows of them, at once or as soon as a refresh brings them. Each
    /// commit is a small one; whatever was committed when it is stopped is kept, and taking the same in again goes on.
    public func takeIn(
        _ episodes: [CarriedEpisode], of feed: FeedID, queueStart: Int64, at now: Timestamp
    ) throws(LibraryError) -> TakenEpisodes {
        let touched = episodes.filter { $0.isTouched && WebAddress.isFetchable($0.identity.url) }
        if touched.isEmpty { return TakenEpisodes() }
        return try write(.relaxed) {
            _ = try storedFeed(feed)
            let mark = try mergeBase(feed.rawValue)?.mark
            let stored = try storedEpisodes(of: feed.rawValue).filter { $0.id <= mark ?? 0 }
            // What is of an episode that was joined into another is that one's.
            let matches = MergePlan.matches(
                touched.map { MergeItem($0.identity) }, in: stored + (try aliases(of: feed.rawValue)))
            for (index, episode) in touched.enumerated() {
                if index > 0, index % Self.rowsPerCommit == 0 {
                    try commitAndContinue(.relaxed)
                    _ = try storedFeed(feed)
                }
                if let id = matches[index] {
                    try apply(episode, place: Self.place(of: episode, after: queueStart), to: id)
                } else {
                    try keepWaiting(episode, of: feed.rawValue, queueStart: queueStart)
                }
            }
            // A refresh may have brought some of them between two commits.
            let late = try mergeBase(feed.rawValue)?.mark == mark ? 0 : try applyCarried(to: feed.rawValue)
            let found = min(matches.count + late, touched.count)
            return TakenEpisodes(found: found, waiting: touched.count - found)
        }
    }

    /// Likewise for an episode that belongs to no feed; it is made when there is none.
    public func takeInLoose(
        _ episode: CarriedEpisode, queueStart: Int64, at now: Timestamp
    ) throws(LibraryError) {
        guard episode.isTouched, WebAddress.isFetchable(episode.identity.url) else { return }
        let id = try looseEpisode(url: episode.identity.url, title: episode.identity.title, at: now)
        try write(.relaxed) {
            try apply(episode, place: Self.place(of: episode, after: queueStart), to: id.rawValue)
        }
    }

    /// Gives the feed's visible episodes what waits for them; not outside a transaction.
    /// - Returns: how many were found.
    @discardableResult
    func applyCarried(to feed: Int64) throws -> Int {
        let waiting = try waitingEpisodes(of: feed)
        guard !waiting.isEmpty, let mark = try mergeBase(feed)?.mark else { return 0 }
        let stored = try storedEpisodes(of: feed).filter { $0.id <= mark }
        let matches = MergePlan.matches(
            waiting.map { MergeItem($0.episode.identity) }, in: stored + (try aliases(of: feed)))
        // In the order of the queue, since an entry is put before the first one that stands behind its place.
        let order = matches.sorted { (waiting[$0.key].place ?? 0, $0.key) < (waiting[$1.key].place ?? 0, $1.key) }
        for (index, id) in order {
            try apply(waiting[index].episode, place: waiting[index].place, to: id)
            try run("DELETE FROM carried_episode WHERE id = ?", waiting[index].row)
        }
        return matches.count
    }

    private func waitingEpisodes(
        of feed: Int64
    ) throws -> [(row: Int64, place: Int64?, episode: CarriedEpisode)] {
        let query = try connection.statement(
            "SELECT \(Self.waitingColumns), id, queue_place FROM carried_episode WHERE feed = ? ORDER BY id")
        defer { query.reset() }
        try query.bind(1, feed)
        var waiting: [(row: Int64, place: Int64?, episode: CarriedEpisode)] = []
        while try query.step() {
            waiting.append((query.int64(12), query.optionalInt64(13), CarriedEpisode(row: query)))
        }
        return waiting
    }

    private func keepWaiting(_ episode: CarriedEpisode, of feed: Int64, queueStart: Int64) throws {
        let insert = try connection.statement(
            """
            INSERT INTO carried_episode(feed, guid, url, title, published, duration, played, position, last_played,
              marked, starred, note, queue_place, is_current)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            ON CONFLICT DO UPDATE SET played = excluded.played, position = excluded.position,
              last_played = excluded.last_played, marked = excluded.marked, starred = max(starred, excluded.starred),
              note = coalesce(note, excluded.note), queue_place = coalesce(queue_place, excluded.queue_place),
              is_current = max(is_current, excluded.is_current)
            """)
        let identity = episode.identity
        try insert.bind(1, feed)
        try insert.bind(2, identity.guid)
        try insert.bind(3, identity.url)
        try insert.bind(4, identity.title.flatMap { SafeText.title($0) })
        try insert.bind(5, identity.published?.milliseconds)
        try insert.bind(6, identity.duration?.milliseconds)
        try insert.bind(7, episode.isPlayed)
        try insert.bind(8, max(0, episode.position.milliseconds))
        try insert.bind(9, episode.lastPlayed?.milliseconds)
        try insert.bind(10, episode.marked?.milliseconds)
        try insert.bind(11, episode.isStarred)
        try insert.bind(12, episode.note)
        try insert.bind(13, Self.place(of: episode, after: queueStart))
        try insert.bind(14, episode.isCurrent)
        try insert.run()
    }

    private static func place(of episode: CarriedEpisode, after start: Int64) -> Int64? {
        // A source may claim any index; within this bound places cannot overflow.
        episode.queueIndex.map { start + Int64(min(max($0, 0), 1 << 24) + 1) * gap }
    }

    // MARK: one episode

    private func apply(_ carried: CarriedEpisode, place: Int64?, to episode: Int64) throws {
        if carried.isStarred { try run("UPDATE episode SET starred = 1 WHERE id = ? AND starred = 0", episode) }
        if let note = carried.note {
            let insert = try connection.statement(
                "INSERT INTO note(episode, text) VALUES (?, ?) ON CONFLICT DO NOTHING")
            try insert.bind(1, episode)
            try insert.bind(2, note)
            try insert.run()
        }
        if carried.hasPlayback, try isNews(carried, of: episode) { try replacePlayback(of: episode, with: carried) }
        if let place { try queueCarried(episode, at: place, isCurrent: carried.isCurrent) }
    }

    /// Whether what was brought in is later than what is known here: anything is later than nothing.
    private func isNews(_ carried: CarriedEpisode, of episode: Int64) throws -> Bool {
        let query = try connection.statement(
            """
            SELECT e.section <> 0 OR p.episode IS NOT NULL, max(coalesce(p.last_played, 0), coalesce(p.marked, 0))
            FROM episode e LEFT JOIN playback p ON p.episode = e.id WHERE e.id = ?
            """)
        defer { query.reset() }
        try query.bind(1, episode)
        guard try query.step(), query.bool(0) else { return true }
        let theirs = max(carried.lastPlayed?.milliseconds ?? 0, carried.marked?.milliseconds ?? 0)
        return theirs > query.int64(1)
    }

    private func replacePlayback(of episode: Int64, with carried: CarriedEpisode) throws {
        let save = try connection.statement(
            """
            INSERT INTO playback(episode, position, last_played, marked) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET position = excluded.position, last_played = excluded.last_played,
              marked = excluded.marked
            """)
        try save.bind(1, episode)
        try save.bind(2, max(0, carried.position.milliseconds))
        try save.bind(3, carried.lastPlayed?.milliseconds)
        try save.bind(4, carried.marked?.milliseconds)
        try save.run()
        let move = try connection.statement("UPDATE episode SET section = ?2 WHERE id = ?1 AND section <> ?2")
        try move.bind(1, episode)
        try move.bind(2, carried.isPlayed ? 2 : carried.position > .zero ? 1 : 0)
        try move.run()
    }

    /// Queues an episode that is not queued yet, where its place says.
    private func queueCarried(_ episode: Int64, at place: Int64, isCurrent: Bool) throws {
        let query = try connection.statement(
            """
            SELECT EXISTS (SELECT 1 FROM queue_entry WHERE episode = ?1),
              EXISTS (SELECT 1 FROM queue_entry WHERE place = ?2),
              (SELECT count(*) FROM queue_entry WHERE place <= ?2)
            """)
        defer { query.reset() }
        try query.bind(1, episode)
        try query.bind(2, place)
        guard try query.step(), !query.bool(0) else { return }
        let (isTaken, index) = (query.bool(1), query.int(2))
        query.reset()
        let free = isTaken ? try freePlaces(1, at: index, without: nil).first ?? place : place
        let insert = try connection.statement("INSERT INTO queue_entry(place, episode) VALUES (?, ?)")
        try insert.bind(1, free)
        try insert.bind(2, episode)
        try insert.run()
        if isCurrent { try run("UPDATE queue_state SET current = ? WHERE current IS NULL", connection.lastInsertedRow) }
    }
}

extension MergeItem {
    /// An episode of another library, as an item of a document would say it.
    init(_ identity: EpisodeIdentity) {
        var item = Item()
        item.guid = identity.guid
        item.title = identity.title
        item.published = identity.published
        item.duration = identity.duration
        item.enclosures = [Enclosure(url: identity.url)]
        self.init(item, media: item.enclosures[0])
    }
}
