public import PodcastModel
internal import SQLite

/// Two subscriptions of one show made one.
extension FeedStore {
    private static let episodesAtATime = 500

    /// Moves positions, stars, notes, queue entries, tags and URLs of `other` to `kept`, and unsubscribes from `other`.
    /// Committed before the function returns.
    /// - Throws: `refused` if no episode shows that both are one show, unless one of them was never fetched.
    /// - Returns: counts of the episodes with user data.
    public func mergeFeed(_ other: FeedID, into kept: FeedID, at now: Timestamp) throws(LibraryError)
        -> EpisodeImportCounts
    {
        let feeds = [try feed(other), try feed(kept)]
        if let empty = feeds.first(where: { $0.episodeCount == 0 && $0.health.lastSuccess != nil }) {
            throw .refused("\(empty.title) (\(empty.id.label)) has no episodes that show it to be the same show")
        }
        return try library.history.act(.feedsMerged, title: feeds[0].title) { () throws(LibraryError) in
            try unite(other, with: kept, at: now) { (id) throws(LibraryError) in try removeFeed(id, at: now) }
        }
    }

    /// Each commit can be repeated, so a merge that was interrupted is completed by merging again.
    func unite(
        _ other: FeedID, with kept: FeedID, at now: Timestamp, removing remove: (FeedID) throws(LibraryError) -> Void
    ) throws(LibraryError) -> EpisodeImportCounts {
        let (from, to) = try read { (try stored(other), try stored(kept)) }
        if other == kept { throw .refused("both are feed \(kept)") }
        let matches = try read { try self.matches(of: other, in: kept) }
        if matches.isEmpty, from.episodeCount > 0, to.episodeCount > 0 {
            throw .refused(
                "\(from.title) (\(from.id.label)) and \(to.title) (\(to.id.label)) have no episode in common")
        }
        try write(.synced) {
            try recordingPart {
                // Queued episodes keep their places.
                for (episode, match) in matches where try !library.queue.isQueued(EpisodeID(match)) {
                    try run("UPDATE queue_entry SET episode = \(match) WHERE episode = \(episode)")
                }
                // If both episodes have a note, both notes stay.
                for (episode, match) in matches {
                    try run(
                        """
                        UPDATE note SET text = note.text || char(10) || o.text FROM note o
                        WHERE note.episode = \(match) AND o.episode = \(episode) AND NOT instr(note.text, o.text)
                        """)
                }
                try run("UPDATE rule SET feed = \(kept) WHERE feed = \(other)")
                try run(
                    """
                    UPDATE retention SET feed = \(kept)
                    WHERE feed = \(other) AND NOT EXISTS (SELECT 1 FROM retention WHERE feed = \(kept))
                    """)
                if connection.changedRows > 0 { try library.retention.scheduleRound() }
            }
        }
        let taken = try moveState(of: other, to: kept, at: now)
        var portable = PortableFeed(url: to.url, tags: from.tags)
        portable.formerURLs = from.formerURLs + [from.url]
        // Settings of the kept feed win, and the kept feed keeps its title.
        portable.settings = try settings(of: other).filter { $0.key != FeedSetting.title.rawValue }
        try remove(other)
        // The addresses are free now.
        _ = try library.imports.importFeeds([portable], at: now)
        return taken
    }

    /// Copies the user data of a feed's episodes to another feed's episodes; data of missing episodes waits for them.
    private func moveState(of other: FeedID, to kept: FeedID, at now: Timestamp) throws(LibraryError)
        -> EpisodeImportCounts
    {
        var taken = EpisodeImportCounts()
        var keys = try library.imports.exportedKeys().filter { $0.feed == other }[...]
        while !keys.isEmpty {
            let page = keys.prefix(Self.episodesAtATime)
            keys = keys.dropFirst(page.count)
            let episodes = try library.imports.exportedEpisodes(page)
            taken += try library.imports.importEpisodes(episodes, of: kept, queueStart: 0)
        }
        return taken
    }

    /// The episodes of `other` that `kept` has too, with those of `kept`.
    private func matches(of other: FeedID, in kept: FeedID) throws -> [Int64: Int64] {
        let episodes = try connection.all(
            """
            SELECT e.id, e.guid, e.url, e.title, iif(e.dated, e.published, NULL) AS published, e.duration
            FROM episode e JOIN feed f ON f.id = e.feed WHERE e.feed = \(other) AND e.id <= f.last_episode
            """
        ) { (id: $0["id"] as Int64, identity: EpisodeIdentity(row: $0)) }
        guard let mark = try refreshStore.lastEpisode(of: kept) else { return [:] }
        let found = try library.imports.matches(of: episodes.map(\.identity), in: kept, through: mark)
        return Dictionary(uniqueKeysWithValues: found.map { (episodes[$0.key].id, $0.value) })
    }
}
