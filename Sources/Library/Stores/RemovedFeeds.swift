public import PodcastModel
internal import SQLite

/// Feeds that were unsubscribed from and are kept for a while.
extension FeedStore {
    /// Hides a feed with its episodes and positions, which are kept until `deleteRemoved`; its queue entries return only by
    /// undo. The feed of single files is cleared permanently.
    public func removeFeed(_ id: FeedID, at now: Timestamp) throws(LibraryError) {
        if try singleFiles()?.id == id { return try clearSingleFiles(id) }
        try write(.synced) {
            let feed = try stored(id)
            try recording(.unsubscribed, title: feed.title, feed: id) { try hide(id, at: now) }
        }
    }

    /// True if subscribing to a URL would restore an unsubscribed feed.
    public func isKeptAside(url: String) throws(LibraryError) -> Bool { try read { try removedFeed(url: url) != nil } }

    /// Deletes feeds that were unsubscribed before a time, and episodes added by URL before that time whose addition
    /// was undone and cannot be redone. Maintenance deletes the feeds' rows later.
    /// - Returns: the feeds' URLs.
    public func deleteRemoved(before time: Timestamp) throws(LibraryError) -> [String] {
        func urls() throws -> [String] { try connection.column("SELECT url FROM removed_feed WHERE time < \(time)") }
        let unused: SQL = """
            FROM episode INDEXED BY episode_feed WHERE \(DownloadStore.isLoose) AND visibility = \(Visibility.archived)
              AND first_seen < \(time) AND NOT EXISTS (SELECT 1 FROM undo_episode u WHERE u.episode = episode.id)
            """
        if try read({ try urls().isEmpty && !connection.exists("SELECT 1 \(unused)") }) { return [] }
        return try write(.synced) {
            let urls = try urls()
            try run("DELETE \(unused)")
            try run("DELETE FROM undo_step WHERE feed IN (SELECT feed FROM removed_feed WHERE time < \(time))")
            try run("DELETE FROM removed_feed WHERE time < \(time)")
            return urls
        }
    }

    /// The feed that was fetched from a URL, now or formerly, until it was unsubscribed from.
    func removedFeed(url: String) throws -> FeedID? {
        try connection.value(
            """
            SELECT feed FROM removed_feed WHERE url = \(url)
              OR instr(char(10) || former_urls || char(10), char(10) || \(url) || char(10))
            ORDER BY url = \(url) DESC, time DESC LIMIT 1
            """)
    }

    func hide(_ id: FeedID, at now: Timestamp) throws {
        try run(
            """
            INSERT INTO removed_feed(feed, time, url, former_urls, last_episode)
            SELECT id, \(now), url, (SELECT group_concat(url, char(10)) FROM former_url WHERE feed = \(id)), last_episode
            FROM feed WHERE id = \(id) AND kind = \(literal: FeedKind.subscribed)
            """)
        if connection.changedRows == 0 { return }
        // The files are deleted, and asked for again when the feed comes back.
        try run(
            """
            INSERT OR IGNORE INTO download_request(episode, time)
            SELECT id, \(now) FROM episode WHERE feed = \(id) AND downloaded = 1
            """)
        try run("UPDATE episode SET downloaded = 0 WHERE feed = \(id) AND downloaded = 1")
        try discardVisible(id)
    }

    /// Leaves nothing of a feed to be seen. If `removed_feed` does not have it, its rows are deleted in pieces.
    private func discardVisible(_ id: FeedID) throws {
        try run("DELETE FROM queue_entry WHERE episode IN (SELECT id FROM episode WHERE feed = \(id))")
        try run("DELETE FROM former_url WHERE feed = \(id)")
        try run("UPDATE feed SET kind = \(FeedKind.hidden), url = NULL, last_episode = 0 WHERE id = \(id)")
    }

    private func clearSingleFiles(_ id: FeedID) throws(LibraryError) {
        try discard(id) {
            try library.history.insertFinalAct(
                .unsubscribed, title: Feed.singleFilesTitle, "single files are removed for good")
        }
    }

    /// Removes a feed for good, in the same commit as another change.
    func discard(_ id: FeedID, with change: () throws -> Void = {}) throws(LibraryError) {
        try write(.synced) {
            try change()
            try discardVisible(id)
        }
        // If rows cannot be deleted now, they are deleted later.
        _ = try? library.performMaintenance()
    }

    /// Shows a kept feed again.
    /// - Throws: `refused` if another feed has its URL.
    func bringBack(_ id: FeedID) throws {
        let found = try connection.first("SELECT url, former_urls, last_episode FROM removed_feed WHERE feed = \(id)") {
            (url: $0["url"] as String, former: $0.lines("former_urls"), mark: $0["last_episode"] as Int64)
        }
        guard let found else { return }
        if let other = try exactID(url: found.url) {
            throw LibraryError.refused("feed \(other.label) has its URL now")
        }
        try run(
            """
            UPDATE feed SET kind = \(FeedKind.subscribed), url = \(found.url), last_episode = \(found.mark)
            WHERE id = \(id)
            """)
        for url in found.former where try exactID(url: url) == nil {
            try run("INSERT INTO former_url(url, feed) VALUES (\(url), \(id))")
        }
        try run("DELETE FROM removed_feed WHERE feed = \(id)")
    }
}
