public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: DownloadStore {
    /// Asks for episodes to be kept on disk as a whole; those that are kept already stay as they are. Committed before it
    /// returns.
    public func wishDownloads(of ids: [EpisodeID], at now: Timestamp) throws(LibraryError) {
        try write(.synced) {
            for id in ids where try !visibleEpisode(id).state.isDownloaded { try wishDownload(of: id, at: now) }
        }
    }

    /// Takes wishes back, and forgets that the files are kept. Committed before it returns.
    public func dropDownloads(of ids: [EpisodeID]) throws(LibraryError) {
        try write(.synced) {
            for id in ids { try dropDownload(of: id) }
        }
    }

    /// Notes that an episode's file is there as a whole, if that is still wished for. Committed before it returns.
    /// - Parameter url: what was fetched; when the episode has another by now, the wish for that one stands.
    /// - Returns: whether it was.
    public func downloadIsComplete(_ id: EpisodeID, url: String) throws(LibraryError) -> Bool {
        try write(.synced) {
            guard try isWished(id), try storedEpisode(id)?.enclosure.url == url else { return false }
            try run("DELETE FROM download_wish WHERE episode = ?", id.rawValue)
            try run("UPDATE episode SET downloaded = 1 WHERE id = ? AND downloaded = 0", id.rawValue)
            return true
        }
    }

    /// Episodes that are to be kept on disk as a whole and are not yet, the oldest wish first.
    public func downloadWishes(limit: Int) throws(LibraryError) -> [EpisodeID] {
        try read { try storedWishes(limit: limit) }
    }

    /// What there is to do and to look after, from indexes alone.
    public func downloadNeeds(limit: Int) throws(LibraryError) -> DownloadNeeds {
        try read {
            let count = try connection.statement("SELECT count(*) FROM episode WHERE downloaded = 1")
            defer { count.reset() }
            return DownloadNeeds(wishes: try storedWishes(limit: limit), keptCount: try count.step() ? count.int(0) : 0)
        }
    }

    /// Episodes that are kept on disk as a whole.
    public func downloadedEpisodes() throws(LibraryError) -> [EpisodeID] {
        try read {
            let query = try connection.statement("SELECT id FROM episode WHERE downloaded = 1")
            defer { query.reset() }
            var ids: [EpisodeID] = []
            while try query.step() { ids.append(EpisodeID(query.int64(0))) }
            return ids
        }
    }

    /// Whether an episode is to be kept on disk and is not yet.
    public func isDownloadWished(of id: EpisodeID) throws(LibraryError) -> Bool { try read { try isWished(id) } }

    private func isWished(_ id: EpisodeID) throws -> Bool {
        let query = try connection.statement("SELECT 1 FROM download_wish WHERE episode = ?")
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        return try query.step()
    }

    private func storedWishes(limit: Int) throws -> [EpisodeID] {
        let query = try connection.statement("SELECT episode FROM download_wish ORDER BY time, episode LIMIT ?")
        defer { query.reset() }
        try query.bind(1, limit)
        var ids: [EpisodeID] = []
        while try query.step() { ids.append(EpisodeID(query.int64(0))) }
        return ids
    }

    // MARK: Parts of others' commits

    /// Asks for an episode to be kept; not outside a transaction.
    func wishDownload(of id: EpisodeID, at now: Timestamp) throws {
        let insert = try connection.statement("INSERT OR IGNORE INTO download_wish(episode, time) VALUES (?, ?)")
        try insert.bind(1, id.rawValue)
        try insert.bind(2, now.milliseconds)
        try insert.run()
    }

    /// Hands a wish and a kept file on to an episode that another was joined into; not outside a transaction.
    func moveDownload(from other: Int64, to kept: Int64, at now: Timestamp) throws {
        let wish = try connection.statement(
            """
            INSERT OR IGNORE INTO download_wish(episode, time)
            SELECT k.id, coalesce(w.time, ?3)
            FROM episode k JOIN episode o ON o.id = ?1 LEFT JOIN download_wish w ON w.episode = o.id
            WHERE k.id = ?2 AND k.downloaded = 0 AND (o.downloaded = 1 OR w.time IS NOT NULL)
            """)
        try wish.bind(1, other)
        try wish.bind(2, kept)
        try wish.bind(3, now.milliseconds)
        try wish.run()
        try dropDownload(of: EpisodeID(other))
    }

    /// Has an episode's file kept no longer; not outside a transaction.
    func dropDownload(of id: EpisodeID) throws {
        try run("DELETE FROM download_wish WHERE episode = ?", id.rawValue)
        try run("UPDATE episode SET downloaded = 0 WHERE id = ? AND downloaded = 1", id.rawValue)
    }
}

/// Has a kept episode's file fetched anew that is about to get another URL: what the old one brought is not it.
struct DownloadRenewal {
    private let connection: Connection
    private let now: Timestamp

    /// For use within an open transaction.
    init(connection: Connection, now: Timestamp) {
        self.connection = connection
        self.now = now
    }

    /// Does so where it is due; to be called before the URL is written.
    func note(_ url: String, of episode: Int64) throws {
        let wish = try connection.statement(
            """
            INSERT OR IGNORE INTO download_wish(episode, time)
            SELECT id, ?3 FROM episode WHERE id = ?1 AND downloaded = 1 AND url <> ?2
            """)
        try wish.bind(1, episode)
        try wish.bind(2, url)
        try wish.bind(3, now.milliseconds)
        try wish.run()
        if connection.changedRows == 0 { return }
        let forget = try connection.statement("UPDATE episode SET downloaded = 0 WHERE id = ?")
        try forget.bind(1, episode)
        try forget.run()
    }
}
