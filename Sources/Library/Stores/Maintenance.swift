internal import PodcastModel
internal import SQLite

/// Work that can wait: rows of removed feeds, addresses and words of new episodes. Each method makes one short commit.
struct Maintenance: LibraryPart {
    let library: LibraryStore

    /// Rows of addresses that are indexed in one commit; a few milliseconds.
    private static let addressesPerCommit = 1_000

    /// - Returns: whether there is more to do.
    func perform() throws(LibraryError) -> Bool {
        if try sweepRemovedFeeds() { return true }
        if try indexAddresses() { return true }
        for index in WordIndex.allCases where try library.episodes.extend(index) { return true }
        return false
    }

    /// Indexes all remaining addresses, for a search by URL. If the library cannot be written now, the search covers what
    /// is indexed.
    func finishAddresses() throws(LibraryError) {
        do {
            while try indexAddresses() {}
        } catch .diskFull, .readOnly, .busy {
            return
        }
    }

    private func indexAddresses() throws(LibraryError) -> Bool {
        try library.index(mark: "addressed_through", of: "episode", rows: Self.addressesPerCommit) {
            first, last in
            """
            INSERT INTO episode_address(media_key, episode)
            SELECT media_key, id FROM episode WHERE id > \(first) AND id <= \(last) ORDER BY media_key
            """
        }
    }

    private func sweepRemovedFeeds() throws(LibraryError) -> Bool {
        try library.write(ifAny: removedFeed, else: false) { feed in
            if try deleteEpisodes(above: 0, of: feed) == 0 { try run("DELETE FROM feed WHERE id = \(feed)") }
            return true
        }
    }

    private func removedFeed() throws -> FeedID? {
        try connection.value(
            """
            SELECT id FROM feed INDEXED BY feed_removed WHERE kind = \(literal: FeedKind.hidden)
              AND NOT EXISTS (SELECT 1 FROM removed_feed r WHERE r.feed = feed.id) LIMIT 1
            """)
    }

    /// Deletes as many episodes above a mark as one commit may. Returns 0 if there were none.
    func deleteEpisodes(above mark: Int64, of feed: FeedID) throws -> Int {
        let ids: [EpisodeID] = try connection.column(
            """
            SELECT id FROM episode INDEXED BY episode_feed WHERE feed = \(feed) AND id > \(mark)
            LIMIT \(literal: LibraryStore.rowsPerCommit)
            """)
        let end = library.clock.now + LibraryStore.commitInterval
        for id in ids {
            try run("DELETE FROM episode WHERE id = \(id)")
            if library.clock.now >= end { break }
        }
        return ids.count
    }
}
