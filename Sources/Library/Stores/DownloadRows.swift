internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct DownloadRows: DownloadStore, StoreRows {
    let library: LibraryStore

    func requestDownloads(of ids: [EpisodeID], at now: Timestamp) throws(LibraryError) {
        try write(.synced) {
            try historyRows.recording(.downloaded) {
                for id in ids where try !episodeRows.visible(id).state.isDownloaded {
                    try request(id, at: now)
                    try run(
                        """
                        UPDATE episode SET visibility = \(Visibility.visible)
                        WHERE id = \(id) AND visibility <> \(Visibility.visible) AND \(Self.isLoose)
                        """)
                }
            }
        }
    }

    /// Whether an episode is one that was added by URL.
    static let isLoose: SQL =
        "feed = (SELECT id FROM feed INDEXED BY feed_loose WHERE kind = \(literal: FeedKind.loose))"

    func deleteDownloads(of ids: [EpisodeID]) throws(LibraryError) {
        try write(.synced) {
            try historyRows.recording(.deleted) {
                for id in ids { try drop(id) }
            }
        }
    }

    func dropDownloads(of ids: [EpisodeID]) throws(LibraryError) {
        try write(.synced) {
            for id in ids { try drop(id) }
        }
    }

    func downloadedURLs() throws(LibraryError) -> [EpisodeID: String] {
        try read {
            let rows = try connection.all("SELECT id, url FROM episode WHERE downloaded = 1") {
                ($0["id"] as EpisodeID, $0["url"] as String)
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    func downloadIsComplete(_ id: EpisodeID, url: String) throws(LibraryError) -> Bool {
        try write(.synced) {
            guard try isRequested(id), try episodeRows.stored(id)?.enclosure.url == url else { return false }
            try run("DELETE FROM download_request WHERE episode = \(id)")
            try run("UPDATE episode SET downloaded = 1 WHERE id = \(id) AND downloaded = 0")
            // The host may have replaced the file since it was measured.
            try run("DELETE FROM loudness WHERE episode = \(id)")
            return true
        }
    }

    func requestedDownloads(limit: Int) throws(LibraryError) -> [EpisodeID] {
        try read { try requests(limit: limit) }
    }

    func downloadRequests(
        after request: DownloadRequest?, limit: Int
    ) throws(LibraryError) -> [DownloadRequest] {
        try read {
            let (time, episode) = (request?.time ?? Timestamp(milliseconds: .min), request?.episode ?? EpisodeID(0))
            return try connection.all(
                """
                SELECT w.episode, w.time FROM download_request w CROSS JOIN episode e ON e.id = w.episode\(raw:
                  EpisodeRow.visibility)
                WHERE (w.time, w.episode) > (\(time), \(episode)) ORDER BY w.time, w.episode LIMIT \(limit)
                """
            ) { DownloadRequest(episode: $0["episode"], time: $0["time"]) }
        }
    }

    func downloadRequest(of id: EpisodeID) throws(LibraryError) -> DownloadRequest? {
        try read {
            try connection.first("SELECT episode, time FROM download_request WHERE episode = \(id)") {
                DownloadRequest(episode: $0["episode"], time: $0["time"])
            }
        }
    }

    /// Read from indexes alone.
    func downloadNeeds(limit: Int) throws(LibraryError) -> DownloadNeeds {
        try read {
            DownloadNeeds(
                requested: try requests(limit: limit),
                keptCount: try connection.value("SELECT count(*) FROM episode WHERE downloaded = 1") ?? 0)
        }
    }

    func downloadedEpisodes() throws(LibraryError) -> [EpisodeID] {
        try read { try connection.column("SELECT id FROM episode WHERE downloaded = 1") }
    }

    func recentlyHeardURLs(limit: Int) throws(LibraryError) -> [EpisodeID: String] {
        try read {
            let rows = try connection.all(
                """
                SELECT DISTINCT e.id, e.url FROM (SELECT episode FROM history ORDER BY id DESC LIMIT \(limit)) h
                CROSS JOIN episode e ON e.id = h.episode
                """
            ) { ($0["id"] as EpisodeID, $0["url"] as String) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    func isDownloadRequested(of id: EpisodeID) throws(LibraryError) -> Bool { try read { try isRequested(id) } }

    private func isRequested(_ id: EpisodeID) throws -> Bool {
        try connection.exists("SELECT 1 FROM download_request WHERE episode = \(id)")
    }

    private func requests(limit: Int) throws -> [EpisodeID] {
        // Not those of a feed that is kept out of sight.
        try connection.column(
            """
            SELECT w.episode FROM download_request w CROSS JOIN episode e ON e.id = w.episode\(raw: EpisodeRow.visibility)
            ORDER BY w.time, w.episode LIMIT \(limit)
            """)
    }

    // MARK: Parts of other stores' transactions

    /// Requests an episode's download.
    func request(_ id: EpisodeID, at now: Timestamp) throws {
        try run("INSERT OR IGNORE INTO download_request(episode, time) VALUES (\(id), \(now))")
    }

    /// Removes an episode's request, and its file from those to keep.
    func drop(_ id: EpisodeID) throws {
        try run("DELETE FROM download_request WHERE episode = \(id)")
        try run("UPDATE episode SET downloaded = 0 WHERE id = \(id) AND downloaded = 1")
    }

    /// Requests a downloaded episode again whose URL is about to change. Call it before the URL is written.
    func renew(_ id: EpisodeID, url: String, at now: Timestamp) throws {
        try run(
            """
            INSERT OR IGNORE INTO download_request(episode, time)
            SELECT id, \(now) FROM episode WHERE id = \(id) AND downloaded = 1 AND url <> \(url)
            """)
        if connection.changedRows > 0 { try run("UPDATE episode SET downloaded = 0 WHERE id = \(id)") }
    }
}
