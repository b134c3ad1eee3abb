internal import SQLite
public import PodcastModel

/// A named filter; the episodes are looked up on each use.
public struct SmartPlaylist: Equatable, Sendable {
    /// Maximum length of a name in bytes.
    public static let maximumNameLength = 100

    /// True if a playlist may have this name: one line of limited length.
    public static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= maximumNameLength && SafeText.isOneLine(name)
    }

    public var name: String
    /// The filter, with feeds by id.
    public var filter: EpisodeExpression
    public var order: EpisodeOrder
    public init(name: String, filter: EpisodeExpression, order: EpisodeOrder = .newestFirst) {
        self.name = name
        self.filter = filter
        self.order = order
    }
}

/// Changes are committed when a method returns.
public struct SmartPlaylistStore: LibraryPart {
    let library: LibraryStore

    static let maximumPlaylists = 1_000

    /// All smart playlists, ordered by name. Playlists whose filter cannot be parsed are omitted.
    public func smartPlaylists() throws(LibraryError) -> [SmartPlaylist] { try read { try stored() } }

    func stored() throws -> [SmartPlaylist] {
        try connection.all("SELECT * FROM smart_playlist ORDER BY name COLLATE NOCASE", SmartPlaylist.init(row:))
    }

    /// The playlist with this name, or with one that is the same when folded, as titles are; nil if there is none.
    public func smartPlaylist(named name: String) throws(LibraryError) -> SmartPlaylist? {
        try read { try stored(named: name) }
    }

    func stored(named name: String) throws -> SmartPlaylist? {
        try connection.first(
            "SELECT * FROM smart_playlist WHERE name = \(try storedName(of: name))", SmartPlaylist.init(row:))
    }

    /// The name as it is stored; nil if no playlist has it.
    private func storedName(of name: String) throws -> String? {
        let names = try connection.all("SELECT name FROM smart_playlist") { $0["name"] as String }
        let folded = FoldedText.folded(name)
        return names.contains(name) ? name : names.first { FoldedText.folded($0) == folded }
    }

    /// Replaces a playlist of the same name.
    public func savePlaylist(_ playlist: SmartPlaylist) throws(LibraryError) {
        try write(.synced) {
            try recording(.playlist, title: playlist.name) { try write(playlist) }
        }
    }

    func write(_ playlist: SmartPlaylist) throws {
        if try insert(playlist) { return }
        try run(
            """
            UPDATE smart_playlist SET name = \(playlist.name), filter = \(playlist.filter.description),
              oldest_first = \(playlist.order == .oldestFirst) WHERE name = \(try storedName(of: playlist.name))
            """)
    }

    /// Saves a playlist unless its name is taken.
    /// - Returns: whether the name was free.
    func insert(_ playlist: SmartPlaylist) throws -> Bool {
        let others: Int? = try connection.value("SELECT count(*) FROM smart_playlist WHERE name <> \(playlist.name)")
        if let others, others >= Self.maximumPlaylists {
            throw LibraryError.refused("there are \(Self.maximumPlaylists) playlists already, which is the limit")
        }
        if try storedName(of: playlist.name) != nil { return false }
        try run(
            """
            INSERT INTO smart_playlist(name, filter, oldest_first)
            VALUES (\(playlist.name), \(playlist.filter.description), \(playlist.order == .oldestFirst))
            """)
        return true
    }

    /// The feeds in a filter that are no longer subscribed to. Conditions with such feeds match nothing.
    public func missingFeeds(in filter: EpisodeExpression) throws(LibraryError) -> [MissingFeed] {
        let feeds = filter.feeds
        if feeds.isEmpty { return [] }
        return try read {
            try feeds.filter { id in
                try !connection.exists("SELECT 1 FROM feed WHERE id = \(id) AND kind <> \(FeedKind.hidden)")
            }.map { id in
                MissingFeed(id: id, title: try connection.value("SELECT title FROM feed WHERE id = \(id)"))
            }
        }
    }

    public func removePlaylist(named name: String) throws(LibraryError) {
        try write(.synced) {
            try recording(.playlist, title: name) {
                if try !remove(name) { throw LibraryError.notFound("playlist \(name)") }
            }
        }
    }

    /// - Returns: false if there is no such playlist.
    @discardableResult
    func remove(_ name: String) throws -> Bool {
        try run("DELETE FROM smart_playlist WHERE name = \(try storedName(of: name))")
        return connection.changedRows > 0
    }
}

extension SmartPlaylist {
    fileprivate init?(row: Row) {
        guard let filter = try? EpisodeExpression(parsing: row["filter"]) else { return nil }
        self.init(name: row["name"], filter: filter, order: row["oldest_first"] ? .oldestFirst : .newestFirst)
    }
}
