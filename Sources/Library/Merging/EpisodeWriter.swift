internal import JSON
internal import FeedMerging
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import PublisherDetails
internal import SQLite

/// Writes a feed's episodes within an open transaction.
struct EpisodeWriter: StoreRows {
    let library: LibraryStore
    let feed: FeedID
    /// Dates what the feed does not.
    let now: Timestamp

    /// Stores a new episode.
    ///
    /// - Parameter place: the item's place in its document; it orders what has no date, the first one latest.
    func insert(_ merge: MergeItem, place: Int) throws -> EpisodeID {
        let (item, keys) = (merge.item, merge.keys)
        try run(
            """
            INSERT INTO episode(feed, first_seen, dated, published, guid_key, title_key, url_key, media_key, duration,
              digest, notes_digest, length, season, number, explicit, title, url, type, link, guid, author, image,
              episode_type, chapters_url, bytes)
            VALUES (\(feed), \(now), \(keys.published != nil), \(keys.published ?? now.milliseconds - Int64(place)),
              \(keys.guid), \(keys.title), \(keys.url), \(keys.media), \(keys.duration), \(merge.digest),
              \(merge.notesDigest), \(merge.media.length), \(item.season), \(item.episode), \(item.explicit),
              \(merge.title), \(merge.media.url), \(merge.media.type), \(item.link), \(item.guid),
              \(item.author.flatMap { SafeText.title($0) }), \(item.image), \(item.episodeType), \(item.chaptersURL),
              \(merge.storedBytes))
            """)
        let id = EpisodeID(connection.lastInsertedRow)
        let notes = StoredNotes(item, library.notesReader)
        try run(
            """
            INSERT INTO episode_notes(episode, summary, content, summary_marks, content_marks)
            VALUES (\(id), \(notes.summary?.words), \(notes.content?.words), \(notes.summaryMarks),
              \(notes.contentMarks))
            """)
        try insertLists(of: merge, id)
        return id
    }

    /// Rewrites an episode's publisher's part; what the user did stays. A date once known or made up stays when
    /// the feed has none.
    func rewrite(_ update: MergePlan.Update, _ merge: MergeItem) throws {
        let id = EpisodeID(update.id)
        let (item, keys) = (merge.item, merge.keys)
        if update.changesEpisode { try downloadRows.renew(id, url: merge.media.url, at: now) }
        // A date that stays is not named, because SQLite writes every index whose columns a statement names.
        let date: SQL =
            update.movesDate ? "dated = \(keys.published != nil), published = \(keys.published), " : ""
        try run(
            """
            UPDATE episode SET gone = 0, \(date)guid_key = \(keys.guid), title_key = \(keys.title),
              url_key = \(keys.url), media_key = \(keys.media), duration = \(keys.duration), digest = \(merge.digest),
              notes_digest = \(merge.notesDigest), length = \(merge.media.length), season = \(item.season),
              number = \(item.episode), explicit = \(item.explicit), title = \(merge.title),
              url = \(merge.media.url), type = \(merge.media.type), link = \(item.link), guid = \(item.guid),
              author = \(item.author.flatMap { SafeText.title($0) }), image = \(item.image),
              episode_type = \(item.episodeType), chapters_url = \(item.chaptersURL), bytes = \(merge.storedBytes)
            WHERE id = \(id)
            """)
        if update.changesEpisode {
            for table in ["enclosure", "chapter", "transcript", "person", "episode_details"] {
                try run("DELETE FROM \(raw: table) WHERE episode = \(id)")
            }
            try insertLists(of: merge, id)
        }
        if update.changesNotes { try rewrite(StoredNotes(item, library.notesReader), of: id) }
    }

    private func insertLists(of merge: MergeItem, _ id: EpisodeID) throws {
        if let details = merge.details.kept {
            try run("INSERT INTO episode_details(episode, document) VALUES (\(id), \(details.json.text))")
        }
        for (place, other) in merge.item.enclosures.filter({ $0 != merge.media }).enumerated() {
            try run(
                """
                INSERT INTO enclosure(episode, place, url, type, length)
                VALUES (\(id), \(place), \(other.url), \(other.type), \(other.length))
                """)
        }
        for (place, chapter) in merge.item.chapters.enumerated() {
            try run(
                """
                INSERT INTO chapter(episode, place, start, "end", title, link, image, listed) VALUES
                  (\(id), \(place), \(chapter.start), \(chapter.end), \(chapter.title.flatMap { SafeText.title($0) }),
                  \(chapter.link), \(chapter.image), \(chapter.isListed))
                """)
        }
        for (place, transcript) in merge.item.transcripts.enumerated() {
            try run(
                """
                INSERT INTO transcript(episode, place, url, type, language, rel) VALUES
                  (\(id), \(place), \(transcript.url), \(transcript.type), \(transcript.language), \(transcript.rel))
                """)
        }
        for (place, person) in merge.item.persons.enumerated() {
            try run(
                """
                INSERT INTO person(episode, place, name, role, href, image) VALUES
                  (\(id), \(place), \(SafeText.title(person.name) ?? ""), \(person.role), \(person.href),
                  \(person.image))
                """)
        }
    }
}

extension StoreRows {
    /// Replaces an episode's notes.
    func rewrite(_ notes: StoredNotes, of id: EpisodeID) throws {
        try run(
            """
            UPDATE episode_notes SET summary = \(notes.summary?.words), content = \(notes.content?.words),
              summary_marks = \(notes.summaryMarks), content_marks = \(notes.contentMarks)
            WHERE episode = \(id)
            """)
    }
}
