internal import EpisodeRules
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct PlaylistRows: SmartPlaylistStore, StoreRows {
    let library: LibraryStore

    /// Smart playlists there may be.
    static let maximumPlaylists = 1_000

    /// A playlist whose filter this program does not understand is left out.
    func smartPlaylists() throws(LibraryError) -> [SmartPlaylist] {
        try read { try stored() }
    }

    func stored() throws -> [SmartPlaylist] {
        try connection.all("SELECT * FROM smart_playlist ORDER BY name COLLATE NOCASE", SmartPlaylist.init(row:))
            .compactMap(\.self)
    }

    /// The case of ASCII letters is ignored.
    func smartPlaylist(named name: String) throws(LibraryError) -> SmartPlaylist? {
        try read {
            try connection.first(
                "SELECT * FROM smart_playlist WHERE name = \(name) COLLATE NOCASE", SmartPlaylist.init(row:)
            ).flatMap(\.self)
        }
    }

    func savePlaylist(_ playlist: SmartPlaylist) throws(LibraryError) {
        try write(.synced) {
            let name = playlist.name
            try historyRows.recording(.playlist, title: name) {
                if try insert(playlist) { return }
                try run(
                    """
                    UPDATE smart_playlist SET name = \(name), filter = \(playlist.filter.description),
                      oldest_first = \(playlist.order == .oldestFirst) WHERE name = \(name) COLLATE NOCASE
                    """)
            }
        }
    }

    /// Saves a playlist unless its name is taken.
    /// - Returns: whether the name was free.
    func insert(_ playlist: SmartPlaylist) throws -> Bool {
        let others: Int? = try connection.value("SELECT count(*) FROM smart_playlist WHERE name <> \(playlist.name)")
        if let others, others >= Self.maximumPlaylists {
            throw LibraryError.storage("there are \(Self.maximumPlaylists) playlists already, which is the limit")
        }
        try run(
            """
            INSERT INTO smart_playlist(name, filter, oldest_first)
            VALUES (\(playlist.name), \(playlist.filter.description), \(playlist.order == .oldestFirst))
            ON CONFLICT DO NOTHING
            """)
        return connection.changedRows > 0
    }

    /// Titles are kept by a trigger when a feed is deleted that a playlist names (`deleted_feed`).
    func missingFeeds(in filter: EpisodeExpression) throws(LibraryError) -> [MissingFeed] {
        let feeds = filter.feeds
        if feeds.isEmpty { return [] }
        return try read {
            try feeds.filter { id in
                try !connection.exists("SELECT 1 FROM feed WHERE id = \(id) AND kind <> \(FeedKind.hidden)")
            }.map { id in
                let title: String? = try connection.value(
                    """
                    SELECT title FROM feed WHERE id = \(id) UNION ALL SELECT title FROM deleted_feed WHERE feed = \(id)
                    """)
                return MissingFeed(id: id, title: title)
            }
        }
    }

    func removePlaylist(named name: String) throws(LibraryError) {
        try write(.synced) {
            try historyRows.recording(.playlist, title: name) {
                try run("DELETE FROM smart_playlist WHERE name = \(name) COLLATE NOCASE")
                if connection.changedRows == 0 { throw LibraryError.notFound("playlist \(name)") }
            }
        }
    }
}

extension SmartPlaylist {
    fileprivate init?(row: Row) {
        guard let filter = try? EpisodeExpression(parsing: row["filter"]) else { return nil }
        self.init(name: row["name"], filter: filter, order: row["oldest_first"] ? .oldestFirst : .newestFirst)
    }
}
