internal import JSON
internal import LibraryModel
internal import PodcastModel
internal import PublisherDetails
internal import SQLite

/// Writes a feed's episodes within an open transaction, with statements prepared once.
struct EpisodeWriter {
    private let connection: Connection
    private let feed: Int64
    private let now: Timestamp
    private let insertEpisode: Statement
    private let insertNotes: Statement
    private let notesReader: (any NotesReader)?

    /// A writer for one feed; `now` dates what the feed does not, and the reader makes text of notes.
    init(connection: Connection, feed: Int64, now: Timestamp, notesReader: (any NotesReader)?) throws {
        self.notesReader = notesReader
        self.connection = connection
        self.feed = feed
        self.now = now
        insertEpisode = try connection.statement(
            """
            INSERT INTO episode(feed, first_seen, dated, published, guid_key, title_key, url_key, media_key, duration,
              digest, notes_digest, length, season, number, explicit, title, url, type, link, guid, author, image,
              episode_type, chapters_url, bytes)
            VALUES (?24, ?25, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
              ?20, ?21, ?22, ?26)
            """)
        insertNotes = try connection.statement(StoredNotes.insertSQL)
        try insertEpisode.bind(24, feed)
        try insertEpisode.bind(25, now.milliseconds)
    }

    /// Stores a new episode.
    ///
    /// - Parameter place: the item's place in its document; it orders what has no date, the first one latest.
    mutating func insert(_ item: MergeItem, place: Int) throws -> EpisodeID {
        try bind(item, to: insertEpisode, published: item.keys.published ?? now.milliseconds - Int64(place))
        try insertEpisode.bind(26, item.storedBytes)
        try insertEpisode.run()
        let id = connection.lastInsertedRow
        try insertNotes.bind(1, id)
        try StoredNotes(item.item, notesReader).bind(to: insertNotes)
        try insertNotes.run()
        try insertLists(of: item, id)
        return EpisodeID(id)
    }

    /// Rewrites an episode's publisher's part; what the listener did stays. A date once known or made up stays when
    /// the feed has none.
    func rewrite(_ update: MergePlan.Update, _ item: MergeItem) throws {
        // A date that stays is not named, because SQLite writes every index whose columns a statement names.
        let statement = try connection.statement(update.movesDate ? Self.updateWithDate : Self.updateOfRest)
        try bind(item, to: statement, published: item.keys.published)
        let id = update.id
        if update.changesEpisode {
            try DownloadRenewal(connection: connection, now: now).note(item.media.url, of: id)
        }
        try statement.bind(23, id)
        try statement.bind(24, item.storedBytes)
        try statement.run()
        if update.changesEpisode {
            for delete in Self.deleteLists {
                let statement = try connection.statement(delete)
                try statement.bind(1, id)
                try statement.run()
            }
            try insertLists(of: item, id)
        }
        if update.changesNotes {
            let notes = try connection.statement(StoredNotes.updateSQL)
            try notes.bind(1, id)
            try StoredNotes(item.item, notesReader).bind(to: notes)
            try notes.run()
        }
    }

    private static let updateWithDate = updateSQL("dated = ?1, published = ?2, ")
    private static let updateOfRest = updateSQL("")

    private static func updateSQL(_ date: String) -> String {
        """
        UPDATE episode SET gone = 0, \(date)guid_key = ?3, title_key = ?4, url_key = ?5, media_key = ?6, duration = ?7,
          digest = ?8, notes_digest = ?9, length = ?10, season = ?11, number = ?12, explicit = ?13, title = ?14,
          url = ?15, type = ?16, link = ?17, guid = ?18, author = ?19, image = ?20, episode_type = ?21,
          chapters_url = ?22, bytes = ?24
        WHERE id = ?23
        """
    }

    private func bind(_ merge: MergeItem, to statement: Statement, published: Int64?) throws {
        let (item, keys) = (merge.item, merge.keys)
        try statement.bind(1, keys.published != nil)
        try statement.bind(2, published)
        try statement.bind(3, keys.guid)
        try statement.bind(4, keys.title)
        try statement.bind(5, keys.url)
        try statement.bind(6, keys.media)
        try statement.bind(7, keys.duration)
        try statement.bind(8, merge.digest)
        try statement.bind(9, merge.notesDigest)
        try statement.bind(10, merge.media.length)
        try statement.bind(11, item.season)
        try statement.bind(12, item.episode)
        try statement.bind(13, item.explicit)
        try statement.bind(14, merge.title)
        try statement.bind(15, merge.media.url)
        try statement.bind(16, merge.media.type)
        try statement.bind(17, item.link)
        try statement.bind(18, item.guid)
        try statement.bind(19, item.author.flatMap { SafeText.title($0) })
        try statement.bind(20, item.image)
        try statement.bind(21, item.episodeType)
        try statement.bind(22, item.chaptersURL)
    }

    private static let deleteLists = [
        "DELETE FROM enclosure WHERE episode = ?", "DELETE FROM chapter WHERE episode = ?",
        "DELETE FROM transcript WHERE episode = ?", "DELETE FROM person WHERE episode = ?",
        "DELETE FROM episode_details WHERE episode = ?",
    ]

    private func insertLists(of merge: MergeItem, _ id: Int64) throws {
        if let details = merge.details.kept {
            let insert = try connection.statement("INSERT INTO episode_details(episode, document) VALUES (?, ?)")
            try insert.bind(1, id)
            try insert.bind(2, details.json.text)
            try insert.run()
        }
        let others = merge.item.enclosures.filter { $0 != merge.media }
        try insert("INSERT INTO enclosure(episode, place, url, type, length) VALUES (?, ?, ?, ?, ?)", others, id) {
            try $0.bind(3, $1.url)
            try $0.bind(4, $1.type)
            try $0.bind(5, $1.length)
        }
        try insert(
            "INSERT INTO chapter(episode, place, start, \"end\", title, link, image, listed) VALUES (?,?,?,?,?,?,?,?)",
            merge.item.chapters, id
        ) {
            try $0.bind(3, $1.start.milliseconds)
            try $0.bind(4, $1.end?.milliseconds)
            try $0.bind(5, $1.title.flatMap { SafeText.title($0) })
            try $0.bind(6, $1.link)
            try $0.bind(7, $1.image)
            try $0.bind(8, $1.isListed)
        }
        try insert(
            "INSERT INTO transcript(episode, place, url, type, language, rel) VALUES (?, ?, ?, ?, ?, ?)",
            merge.item.transcripts, id
        ) {
            try $0.bind(3, $1.url)
            try $0.bind(4, $1.type)
            try $0.bind(5, $1.language)
            try $0.bind(6, $1.rel)
        }
        try insert(
            "INSERT INTO person(episode, place, name, role, href, image) VALUES (?, ?, ?, ?, ?, ?)",
            merge.item.persons, id
        ) {
            try $0.bind(3, SafeText.title($1.name) ?? "")
            try $0.bind(4, $1.role)
            try $0.bind(5, $1.href)
            try $0.bind(6, $1.image)
        }
    }

    private func insert<Row>(
        _ sql: String, _ rows: [Row], _ episode: Int64, _ bind: (Statement, Row) throws -> Void
    ) throws {
        if rows.isEmpty { return }
        let statement = try connection.statement(sql)
        for (place, row) in rows.enumerated() {
            try statement.bind(1, episode)
            try statement.bind(2, place)
            try bind(statement, row)
            try statement.run()
        }
    }
}
