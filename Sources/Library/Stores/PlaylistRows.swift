internal import EpisodeRules
public import LibraryModel
internal import PodcastModel
internal import SQLite

extension LibraryStore: SmartPlaylistStore {
    /// Smart playlists there may be.
    static let maximumPlaylists = 1_000

    /// All of them by name. One whose filter this program does not understand is left out.
    public func smartPlaylists() throws(LibraryError) -> [SmartPlaylist] {
        try read {
            let query = try connection.statement(
                "SELECT name, filter, oldest_first FROM smart_playlist ORDER BY name COLLATE NOCASE")
            defer { query.reset() }
            var playlists: [SmartPlaylist] = []
            while try query.step() { if let playlist = SmartPlaylist(row: query) { playlists.append(playlist) } }
            return playlists
        }
    }

    /// The one of that name without regard to the case of ASCII letters; nil when there is none.
    public func smartPlaylist(named name: String) throws(LibraryError) -> SmartPlaylist? {
        try read {
            let query = try connection.statement(
                "SELECT name, filter, oldest_first FROM smart_playlist WHERE name = ? COLLATE NOCASE")
            defer { query.reset() }
            try query.bind(1, name)
            return try query.step() ? SmartPlaylist(row: query) : nil
        }
    }

    /// Saves one; it takes the place of another of that name. Committed before it returns.
    public func savePlaylist(_ playlist: SmartPlaylist) throws(LibraryError) {
        try write(.synced) {
            if try insertPlaylist(playlist) { return }
            let update = try connection.statement(
                "UPDATE smart_playlist SET name = ?1, filter = ?2, oldest_first = ?3 WHERE name = ?1 COLLATE NOCASE")
            try update.bind(playlist)
            try update.run()
        }
    }

    /// Saves one whose name is free; not outside a transaction.
    /// - Returns: whether it was free.
    func insertPlaylist(_ playlist: SmartPlaylist) throws -> Bool {
        let count = try connection.statement("SELECT count(*) FROM smart_playlist WHERE name <> ?")
        defer { count.reset() }
        try count.bind(1, playlist.name)
        if try count.step(), count.int(0) >= Self.maximumPlaylists {
            throw LibraryError.storage("there are \(Self.maximumPlaylists) playlists already")
        }
        let insert = try connection.statement(
            "INSERT INTO smart_playlist(name, filter, oldest_first) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")
        try insert.bind(playlist)
        try insert.run()
        return connection.changedRows > 0
    }

    /// Removes one. Committed before it returns.
    public func removePlaylist(named name: String) throws(LibraryError) {
        try write(.synced) {
            let delete = try connection.statement("DELETE FROM smart_playlist WHERE name = ? COLLATE NOCASE")
            try delete.bind(1, name)
            try delete.run()
            if connection.changedRows == 0 { throw LibraryError.notFound("playlist \(name)") }
        }
    }
}

extension Statement {
    fileprivate func bind(_ playlist: SmartPlaylist) throws {
        try bind(1, playlist.name)
        try bind(2, playlist.filter.description)
        try bind(3, playlist.order == .oldestFirst)
    }
}

extension SmartPlaylist {
    fileprivate init?(row: Statement) {
        guard let filter = try? EpisodeExpression(parsing: row.text(1)) else { return nil }
        self.init(name: row.text(0), filter: filter, order: row.bool(2) ? .oldestFirst : .newestFirst)
    }
}
