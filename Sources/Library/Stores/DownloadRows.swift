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
    /// - Returns: whether it was.
    public func downloadIsComplete(_ id: EpisodeID) throws(LibraryError) -> Bool {
        try write(.synced) {
            guard try isWished(id) else { return false }
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

    /// Has an episode's file kept no longer; not outside a transaction.
    func dropDownload(of id: EpisodeID) throws {
        try run("DELETE FROM download_wish WHERE episode = ?", id.rawValue)
        try run("UPDATE episode SET downloaded = 0 WHERE id = ? AND downloaded = 1", id.rawValue)
    }
}
