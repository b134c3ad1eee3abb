internal import SQLite
public import PodcastModel

/// A named list of episodes. Those of filters are looked up on each use.
public struct Playlist: Equatable, Sendable {
    /// Maximum length of a name in bytes.
    public static let maximumNameLength = 100

    /// True if a playlist may have this name: one line of limited length.
    public static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= maximumNameLength && SafeText.isOneLine(name)
    }

    public var name: String
    /// Feeds are written as ids.
    public var content: PlaylistContent

    public init(name: String, _ content: PlaylistContent) {
        self.name = name
        self.content = content
    }

    public init(name: String, filter: EpisodeExpression, order: EpisodeOrder = .newestFirst) {
        self.init(name: name, .filters([.init(filter, order)]))
    }
}

/// Changes are committed when a method returns.
public struct PlaylistStore: LibraryPart {
    let library: LibraryStore

    static let maximumPlaylists = 1_000
    /// The maximum number of episodes in a playlist of several filters.
    private static let mixedEpisodes = 1_000
    /// The pages that are read for each of several filters.
    private static let mixedPages = 50

    /// All playlists, ordered by name. Playlists whose filter cannot be parsed are omitted.
    public func all() throws(LibraryError) -> [Playlist] {
        try read {
            try connection.all("SELECT * FROM smart_playlist ORDER BY name COLLATE NOCASE", Playlist.init(row:))
        }
    }

    /// The playlist with this name, or with one that is the same when folded, as titles are; nil if there is none.
    public func playlist(named name: String) throws(LibraryError) -> Playlist? {
        try read {
            try connection.first(
                "SELECT * FROM smart_playlist WHERE name = \(try storedName(of: name))", Playlist.init(row:))
        }
    }

    /// The name as it is stored; nil if no playlist has it.
    private func storedName(of name: String) throws -> String? {
        let names = try connection.all("SELECT name FROM smart_playlist") { $0["name"] as String }
        let folded = FoldedText.folded(name)
        return names.contains(name) ? name : names.first { FoldedText.folded($0) == folded }
    }

    // MARK: episodes

    /// The entries of a playlist that is not one filter, in their order; nil for one filter. Entries of several filters are numbered
    /// from 1.
    public func entries(of playlist: Playlist, at now: Timestamp) throws(LibraryError) -> [QueueEntry]? {
        guard case .filters(let filters) = playlist.content else { return try list(playlist.name).queue().entries }
        if filters.count == 1 { return nil }
        var rows: [ArraySlice<EpisodeID>] = []
        for filter in filters { rows.append(try first(of: filter, at: now)[...]) }
        var (entries, known): ([QueueEntry], Set<EpisodeID>) = ([], [])
        while entries.count < Self.mixedEpisodes, rows.contains(where: { !$0.isEmpty }) {
            for index in rows.indices {
                rows[index] = rows[index].drop { known.contains($0) }
                guard let next = rows[index].popFirst() else { continue }
                known.insert(next)
                entries.append(QueueEntry(id: EntryID(Int64(entries.count + 1)), episode: next))
            }
        }
        return entries
    }

    private func first(of filter: PlaylistContent.Filter, at now: Timestamp) throws(LibraryError) -> [EpisodeID] {
        let view = EpisodeFilter(filter.expression, at: now)
        var found: [EpisodeID] = []
        var anchor = PageAnchor.first
        for _ in 0..<Self.mixedPages where found.count < Self.mixedEpisodes {
            let page = try library.episodes.page(view, order: filter.order, at: anchor, limit: 1_000)
            found += page.episodes.map(\.id)
            guard page.hasAfter,
                let key = page.resumption ?? page.episodes.last.map({ EpisodeKey(of: $0, filter.order) })
            else { break }
            anchor = .after(key)
        }
        return found
    }

    /// The entries that the user gave a playlist by hand, to read and to edit.
    public func list(_ name: String) -> QueueStore { QueueStore(library: library, list: name) }

    // MARK: changes

    /// Replaces a playlist of the same name. Its entries stay only if both are by hand.
    public func savePlaylist(_ playlist: Playlist) throws(LibraryError) {
        try write(.synced) {
            try recording(.playlist, title: playlist.name) { try write(playlist) }
        }
    }

    func write(_ playlist: Playlist) throws {
        if try insert(playlist) { return }
        guard let former = try storedName(of: playlist.name) else { return }
        try run(
            """
            UPDATE smart_playlist SET name = \(playlist.name), filter = \(playlist.content.description), oldest_first = 0
            WHERE name = \(former)
            """)
        if !playlist.content.isByHand { return try list(former).deleteAll() }
        if former != playlist.name { try moveEntries(of: former, to: playlist.name) }
    }

    private func moveEntries(of former: String, to name: String) throws {
        try run("UPDATE queue_entry SET list = \(name) WHERE list = \(former)")
    }

    /// Saves a playlist unless its name is taken.
    /// - Returns: whether the name was free.
    func insert(_ playlist: Playlist) throws -> Bool {
        let others: Int? = try connection.value("SELECT count(*) FROM smart_playlist WHERE name <> \(playlist.name)")
        if let others, others >= Self.maximumPlaylists {
            throw LibraryError.refused("there are \(Self.maximumPlaylists) playlists already, which is the limit")
        }
        if try storedName(of: playlist.name) != nil { return false }
        try run(
            """
            INSERT INTO smart_playlist(name, filter, oldest_first)
            VALUES (\(playlist.name), \(playlist.content.description), 0)
            """)
        return true
    }

    /// The playlist by hand to which a rule, an import or another library adds entries, which is created if missing; nil if it is a
    /// filter, or its name is not valid.
    /// - Parameter known: the playlist's removal here.
    func listForEntries(_ name: String, after known: ChangeStore.LoggedChange? = nil) throws -> QueueStore? {
        if let stored = try playlist(named: name) { return stored.content.isByHand ? list(stored.name) : nil }
        guard Playlist.isName(name), try insert(Playlist(name: name, .byHand)) else { return nil }
        // The change that created it elsewhere may come later, and wins.
        let subject = ChangedSubject(.playlist, name: name)
        try library.changes.log(subject, at: known?.time ?? Timestamp(milliseconds: 0), in: known?.device)
        return list(name)
    }

    /// - Throws: `refused` if the name is taken, except for the same one in other letters.
    public func rename(_ name: String, to other: String) throws(LibraryError) {
        try write(.synced) {
            guard let former = try storedName(of: name) else { throw LibraryError.notFound("playlist \(name)") }
            if let taken = try storedName(of: other), taken != former {
                throw LibraryError.refused("there is a playlist '\(taken)' already")
            }
            try recording(.playlist, title: other) {
                try run("UPDATE smart_playlist SET name = \(other) WHERE name = \(former)")
                try moveEntries(of: former, to: other)
            }
        }
    }

    /// The feeds in a playlist that are no longer subscribed to. Conditions with such feeds match nothing.
    public func missingFeeds(in content: PlaylistContent) throws(LibraryError) -> [MissingFeed] {
        let feeds = content.filters.reduce(EpisodeExpression()) { $0.and($1.expression) }.feeds
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
                guard let stored = try storedName(of: name) else { throw LibraryError.notFound("playlist \(name)") }
                try remove(stored)
            }
        }
    }

    /// - Parameter name: as it is stored.
    func remove(_ name: String) throws {
        try list(name).deleteAll()
        try run("DELETE FROM smart_playlist WHERE name = \(name) COLLATE BINARY")
    }
}

extension Playlist {
    init?(row: Row) {
        guard var content = try? PlaylistContent(parsing: row["filter"]) else { return nil }
        // Older versions stored this order in a column.
        if row["oldest_first"], case .filters(let filters) = content, filters.count == 1 {
            content = .filters([.init(filters[0].expression, .oldestFirst)])
        }
        self.init(name: row["name"], content)
    }
}
