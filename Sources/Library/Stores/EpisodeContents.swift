internal import JSON
public import PodcastModel
internal import SQLite

/// An episode's longer texts.
public struct EpisodeNotes: Equatable, Sendable {
    /// The publisher's summary; nil if the content begins with the summary.
    public var summary: MarkedText?
    public var content: MarkedText?
    /// Chapters from the feed, or else from the chapters document, or else the times in the texts.
    public var chapters: [Chapter] = []
}

extension EpisodeStore {
    public func notes(of id: EpisodeID) throws(LibraryError) -> EpisodeNotes {
        try read {
            let duration = try episode(id).duration
            let stored: EpisodeNotes? = try connection.first("SELECT * FROM episode_notes WHERE episode = \(id)")
            var notes = stored ?? EpisodeNotes()
            notes.chapters = try chapters(of: id, in: "chapter")
            if notes.chapters.isEmpty { notes.chapters = try chapters(of: id, in: "fetched_chapter") }
            for text in [notes.content, notes.summary] where notes.chapters.isEmpty {
                notes.chapters = TimeCodes.chapters(in: text?.words ?? "", of: duration)
            }
            return notes
        }
    }

    private func chapters(of id: EpisodeID, in table: String) throws -> [Chapter] {
        try connection.all("SELECT * FROM \(raw: table) WHERE episode = \(id) ORDER BY place", Chapter.init)
    }

    /// The publisher's data about an episode that lists do not show.
    public func details(of id: EpisodeID) throws(LibraryError) -> EpisodeDetails {
        try read {
            _ = try episode(id)
            let document = try document("SELECT document FROM episode_details WHERE episode = \(id)")
            var details = document.flatMap(EpisodeDetails.init(json:)) ?? EpisodeDetails()
            details.persons = try connection.all(
                "SELECT * FROM person WHERE episode = \(id) ORDER BY place", Person.init)
            return details
        }
    }

    // MARK: Single files

    /// The episode of a subscribed feed with this enclosure, or else the episode of the feed of single files (`play URL`,
    /// local files); created if missing. A new episode is archived until its first use, so that undo archives it again.
    /// - Parameters:
    ///   - link: the feed that named the file, if the user did not; becomes the episode's link.
    ///   - length: bytes of the file, if known; a file whose length changed starts at its beginning.
    public func looseEpisode(
        url: String, title: String?, link: String? = nil, length: Int64? = nil, at now: Timestamp
    ) throws(LibraryError) -> EpisodeID {
        try maintenance.finishAddresses()
        let found = try read { try stored(url: url, limit: 1).first }
        if let found {
            guard let length, found.enclosure.length != length else { return found.id }
            try write(.relaxed) {
                try run("UPDATE episode SET length = \(length), measured_duration = NULL WHERE id = \(found.id)")
                try run("UPDATE playback SET position = 0 WHERE episode = \(found.id)")
                try run("DELETE FROM loudness WHERE episode = \(found.id)")
            }
            return found.id
        }
        // The caller queues it or plays it next, and that commit is synced.
        return try write(.relaxed) {
            var item = Item()
            item.title = title
            item.facts.link = link
            item.enclosures = [Enclosure(url: url, length: length)]
            let feed = try looseFeed(at: now)
            let writer = EpisodeWriter(library: library, feed: feed, now: now)
            let id = try writer.insert(MergeItem(item, media: item.enclosures[0]), at: now.milliseconds, isFresh: false)
            try run("UPDATE episode SET visibility = \(Visibility.archived) WHERE id = \(id)")
            try refreshStore.publish(feed, through: id)
            return id
        }
    }

    /// Removes a single file that was never used, with its queue entries. Committed before it returns.
    /// - Returns: true if removed.
    public func removeUnheard(_ id: EpisodeID) throws(LibraryError) -> Bool {
        try write(.synced) {
            let isUnheard = try connection.exists(
                """
                SELECT 1 FROM episode e JOIN feed f ON f.id = e.feed AND f.kind = \(literal: FeedKind.loose)
                WHERE e.id = \(id) AND e.measured_duration IS NULL AND NOT \(raw: UserData.isUsed)
                """)
            guard isUnheard else { return false }
            try run("DELETE FROM queue_entry WHERE episode = \(id)")
            try run("DELETE FROM episode WHERE id = \(id)")
            return true
        }
    }

    private func looseFeed(at now: Timestamp) throws -> FeedID {
        let kind = FeedKind.loose
        if let feed: FeedID = try connection.value(
            "SELECT id FROM feed INDEXED BY feed_loose WHERE kind = \(literal: kind)")
        {
            return feed
        }
        try run(
            "INSERT INTO feed(kind, title, subscribed) VALUES (\(literal: kind), \(Feed.singleFilesTitle), \(now))")
        return FeedID(connection.lastInsertedRow)
    }

    /// Visible episodes whose enclosure has exactly this URL.
    func stored(url: String, limit: Int) throws -> [Episode] {
        try connection.all(
            """
            \(raw: EpisodeRow.select(from: "episode_address a CROSS JOIN episode e ON e.id = a.episode"))
            WHERE a.media_key = \(MediaAddress.key(of: url)) AND e.url = \(url) LIMIT \(limit)
            """, EpisodeRow.episode)
    }
}
