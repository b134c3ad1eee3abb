internal import JSON
public import PodcastModel
internal import SQLite

/// A bookmark without an id, for import and export.
public struct PortableBookmark: Equatable, Sendable {
    public var position: MediaTime
    /// See `Bookmark.skipTo`; ignored if it is not after `position` in whole milliseconds.
    public var skipEnd: MediaTime?
    public var text: String
    public var created: Timestamp

    public init(position: MediaTime, skipEnd: MediaTime? = nil, text: String, created: Timestamp) {
        self.position = max(.zero, position)
        self.text = text
        self.created = created
        self.skipEnd = skipEnd.flatMap { [position = self.position] in
            $0.milliseconds > position.milliseconds ? $0 : nil
        }
    }
}

extension PortableBookmark {
    init(_ value: LibraryChange.Value, created: Timestamp) {
        self.init(
            position: value.position ?? .zero, skipEnd: value.skipTo, text: value.text ?? "", created: created)
    }
}

extension BookmarkStore {
    /// Ranges of an episode that playback skips, ordered by start.
    public func skips(of episode: EpisodeID) throws(LibraryError) -> [Range<MediaTime>] {
        try bookmarks(of: episode).compactMap { bookmark in
            bookmark.skipTo.flatMap { $0 > bookmark.position ? bookmark.position..<$0 : nil }
        }
    }
}

/// Bookmarks. Changes are committed when a method returns, and can be undone.
public struct BookmarkStore: LibraryPart {
    let library: LibraryStore

    private static let columns: SQL = """
        SELECT b.*, e.title, f.title AS feed_title FROM bookmark b JOIN episode e ON e.id = b.episode
        JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode AND f.kind <> \(literal: FeedKind.hidden)
        """

    /// Ordered by position.
    public func bookmarks(of episode: EpisodeID) throws(LibraryError) -> [Bookmark] {
        try read {
            try connection.all("\(Self.columns) WHERE b.episode = \(episode) ORDER BY b.position, b.id")
        }
    }

    /// A page of all bookmarks, newest first, starting after `id`; nil for the first page.
    public func bookmarks(after id: BookmarkID?, limit: Int) throws(LibraryError) -> [Bookmark] {
        let place: SQL = id.map { "WHERE b.id < \($0)" } ?? ""
        return try read { try connection.all("\(Self.columns) \(place) ORDER BY b.id DESC LIMIT \(limit)") }
    }

    public func bookmark(_ id: BookmarkID) throws(LibraryError) -> Bookmark {
        let found: Bookmark? = try read { try connection.first("\(Self.columns) WHERE b.id = \(id)") }
        guard let found else { throw .notFound("bookmark \(id)") }
        return found
    }

    /// - Throws: `refused` if the episode has `Bookmark.maximumOfEpisode` bookmarks.
    public func addBookmark(_ bookmark: PortableBookmark, to episode: EpisodeID) throws(LibraryError) -> Bookmark {
        try write(.synced) {
            _ = try library.episodes.episode(episode)
            try requireRoom(in: episode)
            return try self.bookmark(recording(.bookmarked) { try insert(bookmark, of: episode) })
        }
    }

    /// Changes the values that are not nil. A new `position` moves the skipped range, unless `skipEnd` is given.
    /// - Throws: `notFound`, and `refused` if the range would end before its start.
    public func changeBookmark(
        _ id: BookmarkID, text: String?, position: MediaTime?, skipEnd: MediaTime?
    ) throws(LibraryError) -> Bookmark {
        try write(.synced) {
            let before = try bookmark(id)
            let begin = max(.zero, position ?? before.position)
            let end = skipEnd ?? before.skipTo.map { $0 - before.position + begin }
            if let end, end.milliseconds <= begin.milliseconds {
                throw LibraryError.refused("a part cannot end at or before its beginning")
            }
            try recording(.bookmarked) {
                try run(
                    """
                    UPDATE bookmark SET text = coalesce(\(text), text), position = \(begin), skip_end = \(end)
                    WHERE id = \(id)
                    """)
            }
            return try bookmark(id)
        }
    }

    /// - Throws: `notFound` if any of the bookmarks does not exist; then none is removed.
    public func removeBookmarks(_ ids: [BookmarkID]) throws(LibraryError) {
        if ids.isEmpty { return }
        try write(.synced) {
            for id in ids { _ = try bookmark(id) }
            try recording(.bookmarked) {
                for id in ids { try run("DELETE FROM bookmark WHERE id = \(id)") }
            }
        }
    }

    // MARK: import and export

    @discardableResult
    private func insert(_ bookmark: PortableBookmark, of episode: EpisodeID) throws -> BookmarkID {
        try run(
            """
            INSERT INTO bookmark(episode, position, text, created, skip_end)
            VALUES (\(episode), \(bookmark.position), \(bookmark.text),
              iif(EXISTS (SELECT 1 FROM bookmark WHERE episode = \(episode) AND created = \(bookmark.created)),
                (SELECT max(created) + 1 FROM bookmark WHERE episode = \(episode)), \(bookmark.created)),
              \(bookmark.skipEnd))
            """)
        return BookmarkID(connection.lastInsertedRow)
    }

    /// Changes, adds or removes the bookmark with a creation time.
    func replace(_ created: Timestamp, with value: LibraryChange.Value?, of episode: EpisodeID) throws {
        guard let bookmark = value.map({ PortableBookmark($0, created: created) }) else {
            return try run("DELETE FROM bookmark WHERE episode = \(episode) AND created = \(created)")
        }
        try run(
            """
            UPDATE bookmark SET text = \(bookmark.text), position = \(bookmark.position), skip_end = \(bookmark.skipEnd)
            WHERE episode = \(episode) AND created = \(created)
            """)
        if connection.changedRows > 0 { return }
        try requireRoom(in: episode)
        try insert(bookmark, of: episode)
    }

    private func requireRoom(in episode: EpisodeID) throws {
        let count: Int = try connection.value("SELECT count(*) FROM bookmark WHERE episode = \(episode)") ?? 0
        if count >= Bookmark.maximumOfEpisode {
            throw LibraryError.refused("the episode has \(count) bookmarks, which is the limit")
        }
    }

    /// Skips bookmarks that the episode has.
    func add(_ bookmarks: [PortableBookmark], to episode: EpisodeID) throws {
        for bookmark in bookmarks.prefix(Bookmark.maximumOfEpisode) {
            let isKnown = try connection.exists(
                """
                SELECT 1 FROM bookmark WHERE episode = \(episode) AND position = \(bookmark.position)
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
        self.init()
        id = row["id"]
        episode = row["episode"]
        title = row["title"]
        feedTitle = row["feed_title"]
        position = row["position"]
        skipTo = row["skip_end"]
        text = row["text"]
        created = row["created"]
    }
}

extension PortableBookmark: StoredElement {
    var parts: [JSONValue] {
        [position.milliseconds.json, created.milliseconds.json, text.json]
            + (skipEnd.map { [$0.milliseconds.json] } ?? [])
    }

    init?(_ parts: [JSONValue]) {
        guard (3...4).contains(parts.count), let position = parts[0].integerValue, let created = parts[1].integerValue,
            let text = parts[2].stringValue
        else { return nil }
        let end = parts.count == 4 ? parts[3].integerValue : nil
        self.init(
            position: MediaTime(milliseconds: position), skipEnd: end.map { MediaTime(milliseconds: $0) }, text: text,
            created: Timestamp(milliseconds: created))
    }
}
