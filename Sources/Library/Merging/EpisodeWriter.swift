internal import JSON
internal import PodcastModel
internal import SQLite

/// Writes a feed's episodes within an open transaction.
struct EpisodeWriter: LibraryPart {
    let library: LibraryStore
    let feed: FeedID
    let now: Timestamp

    /// - Parameters:
    ///   - time: milliseconds, from `ListedOrder`.
    ///   - isFresh: whether the episode is new although it is dated before the subscription.
    func insert(_ merge: MergeItem, at time: Int64, isFresh: Bool) throws -> EpisodeID {
        let isDated = merge.keys.published != nil
        let values = [feed.sqlValue, now.sqlValue, isDated.sqlValue, time.sqlValue, isFresh.sqlValue]
        try run(Self.insertion.with(values + merge.columns.values))
        let id = EpisodeID(connection.lastInsertedRow)
        let notes = StoredNotes(merge.item, library.readNotes)
        try run(
            """
            INSERT INTO episode_notes(episode, summary, content, summary_marks, content_marks)
            VALUES (\(id), \(notes.summary?.words), \(notes.content?.words), \(notes.summaryMarks),
              \(notes.contentMarks))
            """)
        try insertLists(of: merge, id)
        return id
    }

    /// Rewrites the publisher's data of an episode without its date; user data stays.
    func rewrite(_ update: MergePlan.Update, _ merge: MergeItem) throws {
        let id = EpisodeID(update.id)
        if update.changesEpisode { try library.downloads.renew(id, url: merge.media.url, at: now) }
        // Leave the date out: SQLite writes every index whose columns a statement names.
        try run(Self.update.with(merge.columns.values + [id.sqlValue]))
        if update.changesEpisode {
            for table in ["chapter", "transcript", "person", "episode_details"] {
                try run("DELETE FROM \(raw: table) WHERE episode = \(id)")
            }
            try insertLists(of: merge, id)
        }
        if update.changesNotes { try rewrite(StoredNotes(merge.item, library.readNotes), of: id) }
    }

    private static let columns = MergeItem(Item(), media: Enclosure()).columns
    private static let insertion: SQL = {
        var row = DeclaredColumns()
        for name in ["feed", "first_seen", "dated", "published", "fresh"] as [StaticString] {
            row.add(name, nil as Int?)
        }
        for name in columns.names { row.add(name, nil as Int?) }
        return row.insertion(into: "episode")
    }()
    private static let update = SQL(raw: "UPDATE episode SET gone = 0, \(columns.list(suffix: " = ?")) WHERE id = ?")

    private func insertLists(of merge: MergeItem, _ id: EpisodeID) throws {
        let details = merge.item.details.inDocument
        if details != EpisodeDetails() {
            try run("INSERT INTO episode_details(episode, document) VALUES (\(id), \(details.json.text))")
        }
        var item = merge.item
        var lists = ListRows(episode: id)
        item.declareMembers(&lists)
        for row in lists.rows { try run(row) }
    }
}

extension MergeItem {
    /// The publisher's data, without the date.
    fileprivate var columns: DeclaredColumns {
        var columns = DeclaredColumns()
        columns.add("guid_key", keys.guid)
        columns.add("title_key", keys.title)
        columns.add("url_key", keys.url)
        columns.add("media_key", keys.media)
        columns.add("digest", digest)
        columns.add("notes_digest", notesDigest)
        columns.add("bytes", storedBytes)
        columns.add(media)
        columns.add(item)
        return columns
    }
}

private struct ListRows: MemberVisitor {
    let episode: EpisodeID
    private(set) var rows: [SQL] = []
    var isIncomplete = false

    mutating func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object]) {
        guard let table = list.table else { return }
        var insertion: SQL?
        for (place, object) in objects.enumerated() {
            let row = DeclaredColumns(of: object, at: place, of: episode)
            insertion = insertion?.with(row.values) ?? row.insertion(into: table)
            if let insertion { rows.append(insertion) }
        }
    }
}

extension EpisodeDetails {
    /// Without persons, who have separate rows.
    fileprivate var inDocument: EpisodeDetails {
        var details = self
        details.persons = []
        return details
    }
}

extension LibraryPart {
    func rewrite(_ notes: StoredNotes, of id: EpisodeID) throws {
        try run(
            """
            UPDATE episode_notes SET summary = \(notes.summary?.words), content = \(notes.content?.words),
              summary_marks = \(notes.summaryMarks), content_marks = \(notes.contentMarks)
            WHERE episode = \(id)
            """)
    }
}
