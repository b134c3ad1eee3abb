internal import LibraryDatabase
internal import JSON
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct BookmarkRows: BookmarkStore, StoreRows {
    let library: LibraryStore

    private static let columns: SQL = """
        SELECT b.*, e.title, f.title AS feed_title FROM bookmark b JOIN episode e ON e.id = b.episode
        JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode AND f.kind <> \(literal: FeedKind.hidden)
        """

    func bookmarks(of episode: EpisodeID) throws(LibraryError) -> [Bookmark] {
        try read {
            try connection.all("\(Self.columns) WHERE b.episode = \(episode) ORDER BY b.position, b.id")
        }
    }

    func bookmarks(after id: BookmarkID?, limit: Int) throws(LibraryError) -> [Bookmark] {
        let place: SQL = id.map { "WHERE b.id < \($0)" } ?? ""
        return try read { try connection.all("\(Self.columns) \(place) ORDER BY b.id DESC LIMIT \(limit)") }
    }

    func bookmark(_ id: BookmarkID) throws(LibraryError) -> Bookmark { try read { try stored(id) } }

    func addBookmark(_ bookmark: PortableBookmark, to episode: EpisodeID) throws(LibraryError) -> Bookmark {
        try write(.synced) {
            _ = try episodeRows.visible(episode)
            let count: Int = try connection.value("SELECT count(*) FROM bookmark WHERE episode = \(episode)") ?? 0
            if count >= Bookmark.maximumOfEpisode {
                throw LibraryError.refused("the episode has \(count) bookmarks, which is the limit")
            }
            return try stored(try historyRows.recording(.bookmarked) { try insert(bookmark, of: episode) })
        }
    }

    func changeBookmark(
        _ id: BookmarkID, text: String?, position: MediaTime?, skipEnd: MediaTime?
    ) throws(LibraryError) -> Bookmark {
        try write(.synced) {
            let before = try stored(id)
            let begin = max(.zero, position ?? before.position)
            let end = skipEnd ?? before.skipEnd.map { $0 - before.position + begin }
            if let end, end <= begin { throw LibraryError.refused("a part cannot end at or before its beginning") }
            try historyRows.recording(.bookmarked) {
                try run(
                    """
                    UPDATE bookmark SET text = coalesce(\(text), text), position = \(begin), skip_end = \(end)
                    WHERE id = \(id)
                    """)
            }
            return try stored(id)
        }
    }

    func removeBookmarks(_ ids: [BookmarkID]) throws(LibraryError) {
        if ids.isEmpty { return }
        try write(.synced) {
            for id in ids { _ = try stored(id) }
            try historyRows.recording(.bookmarked) {
                for id in ids { try run("DELETE FROM bookmark WHERE id = \(id)") }
            }
        }
    }

    private func stored(_ id: BookmarkID) throws -> Bookmark {
        guard let bookmark: Bookmark = try connection.first("\(Self.columns) WHERE b.id = \(id)") else {
            throw LibraryError.notFound("bookmark \(id)")
        }
        return bookmark
    }

    // MARK: import and export

    @discardableResult
    private func insert(_ bookmark: PortableBookmark, of episode: EpisodeID) throws -> BookmarkID {
        try run(
            """
            INSERT INTO bookmark(episode, position, text, created, skip_end)
            VALUES (\(episode), \(max(.zero, bookmark.position)), \(bookmark.text), \(bookmark.created), \(bookmark.skipEnd))
            """)
        return BookmarkID(connection.lastInsertedRow)
    }

    /// Adds those that the episode does not have yet.
    func add(_ bookmarks: [PortableBookmark], to episode: EpisodeID) throws {
        for bookmark in bookmarks.prefix(Bookmark.maximumOfEpisode) {
            let isKnown = try connection.exists(
                """
                SELECT 1 FROM bookmark WHERE episode = \(episode) AND position = \(max(.zero, bookmark.position))
                  AND text = \(bookmark.text) AND skip_end IS \(bookmark.skipEnd)
                """)
            if !isKnown { try insert(bookmark, of: episode) }
        }
    }

    func portable(of episode: Int64) throws -> [PortableBookmark] {
        try connection.all(
            "SELECT position, skip_end, text, created FROM bookmark WHERE episode = \(episode) ORDER BY position, id"
        ) {
            PortableBookmark(
                position: $0["position"], skipEnd: $0["skip_end"], text: $0["text"], created: $0["created"])
        }
    }
}

extension Bookmark: Record {
    init(row: Row) {
        self.init(
            id: row["id"], episode: row["episode"], title: row["title"], feedTitle: row["feed_title"],
            position: row["position"], skipEnd: row["skip_end"], text: row["text"], created: row["created"])
    }
}

extension [PortableBookmark] {
    /// The value of `imported_episode.bookmarks`; nil for none.
    var storedText: String? {
        if isEmpty { return nil }
        return JSONValue.array(
            map {
                .array(
                    [.integer($0.position.milliseconds), .integer($0.created.milliseconds), .string($0.text)]
                        + ($0.skipEnd.map { [.integer($0.milliseconds)] } ?? []))
            }
        ).text
    }

    init(stored: String?) {
        let parsed = stored.map { Array<UInt8>($0.utf8) }.flatMap { bytes in
            bytes.withUnsafeBytes { try? JSONValue(parsing: $0) }
        }
        self = (parsed?.arrayValue ?? []).compactMap { value in
            guard let parts = value.arrayValue, (3...4).contains(parts.count), let position = parts[0].integerValue,
                let created = parts[1].integerValue, let text = parts[2].stringValue
            else { return nil }
            return PortableBookmark(
                position: MediaTime(milliseconds: position),
                skipEnd: parts.count == 4 ? parts[3].integerValue.map { MediaTime(milliseconds: $0) } : nil, text: text,
                created: Timestamp(milliseconds: created))
        }
    }
}
