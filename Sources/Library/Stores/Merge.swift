public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Merges a document: only rows that differ are written, episodes the document lacks stay and are flagged, and
    /// positions, stars, notes and queue entries are never touched.
    ///
    /// New episodes go in by commits of at most 200 rows or 50 ms and are invisible; the last commit rewrites what
    /// changed, stores the validators and makes the whole visible. A merge that was killed leaves the feed as it was,
    /// and the next one sweeps what it left. Changed rows are not split: whole before short.
    public func merge(
        _ contents: FeedContents, into id: FeedID, _ fetch: FetchRecord
    ) throws(LibraryError) -> MergeResult {
        guard let result = try merge([FeedDocument(feed: id, contents: contents, fetch: fetch)])[0] else {
            throw .notFound("feed \(id)")
        }
        return result
    }

    /// Merges several documents with few commits: small feeds share one, a large one has several. Each feed becomes
    /// visible whole; after an error, those before it may be merged, and merging them again is harmless.
    /// - Returns: a result for each document, nil where the feed is not subscribed to.
    public func merge(_ documents: [FeedDocument]) throws(LibraryError) -> [MergeResult?] {
        // What is to do is found out before the write lock is taken: nobody else changes what it depends on.
        let merges = try read { try documents.map { try plan($0) } }
        return try write(.relaxed) {
            var pace = CommitPace(clock: clock)
            var results: [MergeResult?] = []
            for (document, merge) in zip(documents, merges) {
                guard let merge else {
                    results.append(nil)
                    continue
                }
                let rows = merge.plan.inserts.count + merge.plan.rewritten
                if pace.rows > 0 && (pace.isSpent || pace.rows + rows > Self.rowsPerCommit) {
                    try commitAndContinue(.relaxed)
                    pace = CommitPace(clock: clock)
                }
                results.append(try perform(merge, document, &pace))
            }
            return results
        }
    }

    /// A document with what is to do.
    private struct PlannedMerge {
        let feed: Int64
        /// The feed's last visible episode.
        let mark: Int64
        /// Whether a merge that was killed left rows above the mark.
        let hasLeftovers: Bool
        let items: [MergeItem]
        let plan: MergePlan
    }

    private func plan(_ document: FeedDocument) throws -> PlannedMerge? {
        let feed = document.feed.rawValue
        guard let mark = try mergeMark(feed) else { return nil }
        let items = document.contents.items.compactMap { MergeItem($0) }
        let found = try storedEpisodes(of: feed)
        let stored = found.filter { $0.id <= mark }
        return PlannedMerge(
            feed: feed, mark: mark, hasLeftovers: stored.count < found.count, items: items,
            plan: MergePlan(items: items, stored: stored))
    }

    private func perform(
        _ merge: PlannedMerge, _ document: FeedDocument, _ pace: inout CommitPace
    ) throws -> MergeResult? {
        let (feed, items, plan) = (merge.feed, merge.items, merge.plan)
        guard let mark = try mergeMark(feed) else { return nil }
        try requireMark(merge.mark, mark, feed)
        if merge.hasLeftovers { try sweepUnpublished(above: mark, of: feed) }
        var result = MergeResult(skipped: document.contents.items.count - items.count + plan.repeated)
        var writer = try EpisodeWriter(
            connection: connection, feed: feed, now: document.fetch.time, notesReader: notesReader)
        for index in plan.inserts {
            if pace.isSpent {
                try continueMerge(feed, mark)
                pace = CommitPace(clock: clock)
            }
            result.added.append(try writer.insert(items[index], place: index))
            pace.rows += 1
        }
        if pace.rows > 0 && pace.rows + plan.rewritten > Self.rowsPerCommit {
            try continueMerge(feed, mark)
            pace = CommitPace(clock: clock)
        }
        for update in plan.updates {
            try writer.rewrite(update, items[update.item])
            result.changed.append(EpisodeID(update.id))
        }
        for id in plan.gone { try run("UPDATE episode SET gone = 1 WHERE id = ?", id) }
        try describe(feed, document.contents.channel)
        _ = try record(document.fetch, of: feed, .merged, newEpisodes: result.added.count)
        try publish(feed, through: result.added.last)
        if !result.added.isEmpty || !result.changed.isEmpty { try applyCarried(to: feed) }
        // The rows of the feed itself count as one.
        pace.rows += plan.rewritten + 1
        return result
    }

    /// Rows and time since the last commit of a merge.
    private struct CommitPace {
        let clock: () -> UInt64
        let start: UInt64
        var rows = 0

        init(clock: @escaping () -> UInt64) {
            self.clock = clock
            start = clock()
        }

        var isSpent: Bool {
            rows >= LibraryStore.rowsPerCommit || rows > 0 && clock() &- start >= LibraryStore.commitInterval
        }
    }

    /// Lets another writer in; afterwards the feed must be as it was.
    private func continueMerge(_ feed: Int64, _ mark: Int64) throws {
        try commitAndContinue(.relaxed)
        guard let now = try mergeMark(feed) else { throw LibraryError.notFound("feed \(feed)") }
        try requireMark(mark, now, feed)
    }

    /// Only one process merges at a time; `LibraryLock` is what keeps it so.
    private func requireMark(_ known: Int64, _ found: Int64, _ feed: Int64) throws {
        if known != found { throw LibraryError.storage("feed \(feed) is merged by two at once") }
    }

    /// The last visible episode of a feed; nil when it is not subscribed to.
    func mergeMark(_ feed: Int64) throws -> Int64? {
        let query = try connection.statement("SELECT last_episode FROM feed WHERE id = ? AND kind = 0")
        defer { query.reset() }
        try query.bind(1, feed)
        return try query.step() ? query.int64(0) : nil
    }

    private func sweepUnpublished(above mark: Int64, of feed: Int64) throws {
        while try deleteEpisodes(above: mark, of: feed) > 0 { try continueMerge(feed, mark) }
    }

    /// A feed's episodes as a merge sees them, also those above its mark; not outside a transaction.
    func storedEpisodes(of feed: Int64) throws -> [StoredEpisode] {
        let query = try connection.statement(
            """
            SELECT id, guid_key, title_key, url_key, media_key, iif(dated, published, NULL), duration, digest,
              notes_digest, gone
            FROM episode INDEXED BY episode_feed WHERE feed = ?
            """)
        defer { query.reset() }
        try query.bind(1, feed)
        var stored: [StoredEpisode] = []
        while try query.step() {
            let keys = ItemKeys(
                guid: query.optionalInt64(1), title: query.int64(2), url: query.int64(3), media: query.int64(4),
                published: query.optionalInt64(5), duration: query.optionalInt64(6))
            stored.append(
                StoredEpisode(
                    id: query.int64(0), keys: keys, digest: query.int64(7), notesDigest: query.int64(8),
                    isGone: query.bool(9)))
        }
        return stored
    }

    /// Writes what the document says of the feed itself, if that differs.
    private func describe(_ feed: Int64, _ channel: Channel) throws {
        let title = channel.title.flatMap(PlainLine.clean)
        let author = channel.author.flatMap(PlainLine.clean)
        var hash = StableHash()
        for text in [
            title, author, channel.link, channel.language, channel.image, channel.type, channel.medium, channel.guid,
            channel.summary,
        ] { hash.add(text) }
        for flag in [channel.explicit, channel.complete] { hash.add(flag.map { $0 ? 1 : 0 }) }
        let update = try connection.statement(
            """
            UPDATE feed SET digest = ?2, title = coalesce((SELECT value FROM feed_setting
              WHERE feed = ?1 AND name = 'title'), ?3, title), author = ?4, link = ?5, language = ?6, image = ?7,
              type = ?8, medium = ?9, guid = ?10, summary = ?11, explicit = ?12, complete = ?13
            WHERE id = ?1 AND digest <> ?2
            """)
        try update.bind(1, feed)
        try update.bind(2, hash.value)
        try update.bind(3, title)
        try update.bind(4, author)
        try update.bind(5, channel.link)
        try update.bind(6, channel.language)
        try update.bind(7, channel.image)
        try update.bind(8, channel.type)
        try update.bind(9, channel.medium)
        try update.bind(10, channel.guid)
        try update.bind(11, channel.summary)
        try update.bind(12, channel.explicit)
        try update.bind(13, channel.complete)
        try update.run()
    }

    /// Makes a feed's episodes visible up to one; nothing happens without one.
    func publish(_ feed: Int64, through episode: EpisodeID?) throws {
        guard let episode else { return }
        let update = try connection.statement("UPDATE feed SET last_episode = ?2 WHERE id = ?1")
        try update.bind(1, feed)
        try update.bind(2, episode.rawValue)
        try update.run()
    }
}
