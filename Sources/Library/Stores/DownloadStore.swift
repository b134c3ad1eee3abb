public import PodcastModel
internal import SQLite

/// A requested download that is not complete.
public struct DownloadRequest: Equatable, Sendable {
    public var episode: EpisodeID
    public var time: Timestamp

    public init(episode: EpisodeID, time: Timestamp) {
        self.episode = episode
        self.time = time
    }
}

/// The work of the download manager.
public struct DownloadNeeds: Equatable, Sendable {
    /// Requested episodes that are not downloaded yet, oldest request first.
    public var requested: [EpisodeID] = []
    public var keptCount = 0

    public var isEmpty: Bool { requested.isEmpty && keptCount == 0 }
}

/// Download requests and downloaded episodes. Changes are committed before a method returns.
public struct DownloadStore: LibraryPart {
    let library: LibraryStore

    /// Requests downloads; episodes that are downloaded already stay unchanged.
    public func requestDownloads(of ids: [EpisodeID], at now: Timestamp) throws(LibraryError) {
        try write(.synced) {
            try recording(.downloaded) {
                for id in ids where try !library.episodes.episode(id).state.isDownloaded {
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

    /// SQL: true if an episode was added by URL.
    static let isLoose: SQL =
        "feed = (SELECT id FROM feed INDEXED BY feed_loose WHERE kind = \(literal: FeedKind.loose))"

    /// Removes requests and the record of the files. Undo requests the downloads again.
    public func deleteDownloads(of ids: [EpisodeID]) throws(LibraryError) {
        try write(.synced) { try recording(.deleted) { try ids.forEach(drop) } }
    }

    /// Requests downloads again whose files do not exist. Cannot be undone.
    public func requestLost(_ ids: [EpisodeID], at now: Timestamp) throws(LibraryError) {
        try write(.synced) {
            for id in ids {
                try drop(id)
                try request(id, at: now)
            }
        }
    }

    public func downloadedURLs() throws(LibraryError) -> [EpisodeID: String] {
        try read { try connection.dictionary("SELECT id, url FROM episode WHERE downloaded = 1") }
    }

    /// Records that an episode's file is complete, if the download is still requested.
    /// - Parameter url: the downloaded URL; if the episode's URL has changed since, the request stays.
    public func downloadIsComplete(_ id: EpisodeID, url: String) throws(LibraryError) -> Bool {
        try write(.synced) {
            guard try connection.exists("SELECT 1 FROM download_request WHERE episode = \(id)"),
                try library.episodes.stored(id)?.enclosure.url == url
            else { return false }
            try run("DELETE FROM download_request WHERE episode = \(id)")
            try run("UPDATE episode SET downloaded = 1 WHERE id = \(id) AND downloaded = 0")
            // The host may have replaced the file since it was measured.
            try run("DELETE FROM loudness WHERE episode = \(id)")
            return true
        }
    }

    public func requestedDownloads(limit: Int) throws(LibraryError) -> [EpisodeID] {
        try downloadRequests(after: nil, limit: limit).map(\.episode)
    }

    /// A page of the requests without those of hidden feeds, oldest first.
    /// - Parameter request: the last request of the previous page, which may have been removed; nil for the first page.
    public func downloadRequests(
        after request: DownloadRequest?, limit: Int
    ) throws(LibraryError) -> [DownloadRequest] {
        let time = request?.time ?? Timestamp(milliseconds: .min)
        let episode = request?.episode ?? EpisodeID(0)
        return try read {
            try connection.all(
                """
                SELECT w.episode, w.time FROM download_request w CROSS JOIN episode e ON e.id = w.episode\(raw:
                  EpisodeRow.visibility)
                WHERE (w.time, w.episode) > (\(time), \(episode)) ORDER BY w.time, w.episode LIMIT \(limit)
                """
            ) { DownloadRequest(episode: $0["episode"], time: $0["time"]) }
        }
    }

    public func downloadRequest(of id: EpisodeID) throws(LibraryError) -> DownloadRequest? {
        try read {
            try connection.first("SELECT episode, time FROM download_request WHERE episode = \(id)") {
                DownloadRequest(episode: $0["episode"], time: $0["time"])
            }
        }
    }

    /// Reads indexes alone.
    public func downloadNeeds(limit: Int) throws(LibraryError) -> DownloadNeeds {
        try read {
            DownloadNeeds(
                requested: try requestedDownloads(limit: limit),
                keptCount: try connection.value("SELECT count(*) FROM episode WHERE downloaded = 1") ?? 0)
        }
    }

    /// Of the latest `limit` lines of the history: played or marked.
    public func recentlyHeardURLs(limit: Int) throws(LibraryError) -> [EpisodeID: String] {
        try read {
            try connection.dictionary(
                """
                SELECT DISTINCT e.id, e.url FROM (SELECT episode FROM history WHERE event <> 'queued' ORDER BY id DESC LIMIT \(limit)) h
                CROSS JOIN episode e ON e.id = h.episode
                """)
        }
    }

    // MARK: Parts of other stores' transactions

    func request(_ id: EpisodeID, at now: Timestamp) throws {
        try run("INSERT OR IGNORE INTO download_request(episode, time) VALUES (\(id), \(now))")
    }

    /// - Returns: false if the file is on disk or requested already.
    func requestMissing(_ id: EpisodeID, at now: Timestamp) throws -> Bool {
        if try connection.exists("SELECT 1 FROM episode WHERE id = \(id) AND downloaded = 1") { return false }
        try request(id, at: now)
        return connection.changedRows > 0
    }

    /// Removes the request and the record of the file.
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
