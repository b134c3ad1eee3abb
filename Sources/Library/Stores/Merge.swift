internal import PodcastModel
internal import SQLite

extension LibraryRefreshStore {
    /// Writes rows in commits of at most 200 rows or 50 ms: first new episodes, which are invisible, then changed episodes. The
    /// last commit stores the validators and makes the new episodes visible. If a merge is killed, the next merge deletes the
    /// invisible episodes and comes to the same decisions for the others. If it could not, because matches follow from what the
    /// host changed in all episodes (`MergePlan.isIndivisible`), all changed episodes are written in one commit.
    func merge(_ documents: [FetchedDocument]) throws(LibraryError) -> [MergeResult?] {
        // Plan before taking the write lock, because no other process changes what the plan depends on.
        defer { library.attempts?.end() }
        let merges = try read {
            try documents.map { document in
                library.attempts?.begin(document.attempt)
                return try plan(document.contents, document.extent, into: document.feed, at: document.fetch.time)
            }
        }
        return try write(.relaxed) {
            var pace = CommitPace(clock: library.clock)
            var results: [MergeResult?] = []
            for (document, merge) in zip(documents, merges) {
                guard let merge else {
                    results.append(nil)
                    continue
                }
                let rows = merge.plan.inserts.count + merge.rewritten
                if pace.rows > 0 && (pace.isSpent || pace.rows + rows > LibraryStore.rowsPerCommit) {
                    try library.commitAndContinue(.relaxed)
                    pace = CommitPace(clock: library.clock)
                }
                library.attempts?.begin(document.attempt)
                results.append(try performUndisturbed(merge, document, &pace))
            }
            return results
        }
    }

    /// The year 2020, before which there was no podcastd: a clock with an earlier time is not set.
    private static let earliestTime = Timestamp(year: 2020, month: 1, day: 1)

    struct PlannedMerge {
        let feed: FeedID
        /// The feed's last visible episode when the merge was planned.
        let mark: Int64
        /// True if a merge that was killed left rows above the mark.
        let hasLeftovers: Bool
        let items: [MergeItem]
        /// Items that become no episode by themselves, by their place in the document.
        let skipped: [(item: Int, reason: SkipReason)]
        /// The items' places in the document.
        let places: [Int]
        let plan: MergePlan
        let order: ListedOrder
        /// When the feed was subscribed to; the date of the newest episode, if the clock of this machine was not set then.
        let subscribed: Timestamp
        /// Items to store that are new although they are dated before the subscription.
        let fresh: Set<Int>
        let leftOut: LeftOut
        /// True if the document seems to belong to another feed.
        let isOtherFeed: Bool
        /// Number of stored episodes that the merge changes, including their flags and dates.
        var rewritten: Int { plan.rewritten + order.moves.count }
    }

    /// Episodes that a feed has dropped, or drops now, and that the listener never touched: the oldest first.
    private func untouchedEpisodes(of feed: FeedID, alsoGone: [Int64]) throws -> [(id: Int64, bytes: Int64)] {
        let isGoneNow = Set(alsoGone)
        return try connection.all(
            """
            SELECT e.id, e.bytes, e.gone FROM episode e INDEXED BY episode_feed\(raw: EpisodeRow.visibility)
            WHERE e.feed = \(feed) AND NOT \(raw: UserData.isUsed) AND NOT \(raw: UserData.isKept)
              AND NOT EXISTS (SELECT 1 FROM history x WHERE x.episode = e.id)
              AND NOT EXISTS (SELECT 1 FROM undo_episode x WHERE x.episode = e.id)
            ORDER BY e.published, e.id
            """
        ) { (id: $0["id"] as Int64, bytes: $0["bytes"] as Int64, isGone: $0["gone"] as Bool) }
        .filter { $0.isGone || isGoneNow.contains($0.id) }.map { ($0.id, $0.bytes) }
    }

    /// Compares a document with a feed's episodes; for nil, with none. Returns nil if the feed is not subscribed to.
    func plan(
        _ contents: FeedContents, _ extent: DocumentExtent, into known: FeedID?, at now: Timestamp
    ) throws -> PlannedMerge? {
        // No feed has the id 0.
        let feed = known ?? FeedID(0)
        guard let mark = known == nil ? 0 : try lastEpisode(of: feed) else { return nil }
        let found = try storedEpisodes(of: feed)
        let stored = found.filter { $0.id <= mark }
        var (items, places): ([MergeItem], [Int]) = ([], [])
        items.reserveCapacity(contents.items.count)
        var skipped: [(item: Int, reason: SkipReason)] = []
        var leftOut = LeftOut()
        _ = contents.channel.bounded(&leftOut)
        for (place, item) in contents.items.enumerated() {
            do throws(SkipReason) {
                items.append(try MergeItem(item, &leftOut))
                places.append(place)
            } catch {
                skipped.append((place, error))
            }
        }
        let names = stored.isEmpty ? nil : try library.feeds.names(of: feed)
        var plan = MergePlan(
            items: items, stored: stored, extent: extent,
            namesOtherFeed: names?.isOther(byGUIDOf: contents.channel) ?? false)
        let gone = plan.gone
        leftOut.items = try plan.limit(to: library.feedLimit, stored: stored, items: items) {
            try untouchedEpisodes(of: feed, alsoGone: gone)
        }
        leftOut.removedEpisodes = plan.removed.count
        let (isCatalogue, pagesBefore) = extent.isCatalogue(mark: mark)
        var subscribed: Timestamp = try connection.value("SELECT subscribed FROM feed WHERE id = \(feed)") ?? now
        // Room for a millisecond each, before the subscription; or the second after it.
        let arrival =
            isCatalogue ? subscribed.seconds - 1 - Int64((pagesBefore + items.count) / 1_000) : now.seconds + 1
        let order = ListedOrder(
            plan, items: items, stored: stored, isOlderPage: extent.isOlder, arrival: arrival * 1_000,
            isCatalogue: isCatalogue, now: now)
        if isCatalogue, now < Self.earliestTime, let newest = order.times.values.max() {
            subscribed = max(subscribed, Timestamp(milliseconds: newest))
        }
        let early = plan.inserts.filter { order.times[$0] ?? 0 <= subscribed.milliseconds }
        let newest = early.max { order.times[$0] ?? 0 < order.times[$1] ?? 0 }
        let fresh = !isCatalogue ? early : extent.isOlder ? [] : [newest].compactMap(\.self)
        return PlannedMerge(
            feed: feed, mark: mark, hasLeftovers: stored.count < found.count, items: items, skipped: skipped,
            places: places, plan: plan, order: order, subscribed: subscribed, fresh: Set(fresh), leftOut: leftOut,
            isOtherFeed: plan.isForeign && !extent.isOlder && names?.isOther(contents.channel) ?? false)
    }

    /// Plans the merge again if the user subscribes again or merges feeds meanwhile.
    private func performUndisturbed(
        _ planned: PlannedMerge, _ document: FetchedDocument, _ pace: inout CommitPace
    ) throws -> MergeResult? {
        var next: PlannedMerge? = planned
        var changed: [EpisodeID] = []
        while let merge = next {
            do {
                try requireMark(of: merge)
                return try perform(merge, document, &pace, &changed)
            } catch is DisturbedMerge {
                next = try plan(document.contents, document.extent, into: document.feed, at: document.fetch.time)
            }
        }
        return nil
    }

    private func perform(
        _ merge: PlannedMerge, _ document: FetchedDocument, _ pace: inout CommitPace, _ changed: inout [EpisodeID]
    ) throws -> MergeResult {
        let feed = merge.feed
        let items = merge.items
        let plan = merge.plan
        if merge.hasLeftovers { try sweepUnpublished(merge) }
        var result = MergeResult(skipped: merge.skipped.count + plan.repeated.count)
        result.leftOut = merge.leftOut
        func writeRow(isDivisible: Bool = true, _ write: () throws -> Void) throws {
            if isDivisible && pace.isSpent { try continueMerge(merge, &pace) }
            try write()
            pace.rows += 1
        }
        for id in plan.removed { try writeRow { try run("DELETE FROM episode WHERE id = \(id)") } }
        let time = merge.subscribed
        try run("UPDATE feed SET subscribed = \(time) WHERE id = \(feed) AND subscribed < \(time)")
        let writer = EpisodeWriter(library: library, feed: feed, now: document.fetch.time)
        for index in plan.inserts {
            try writeRow {
                result.added.append(
                    try writer.insert(
                        items[index], at: merge.order.times[index] ?? 0, isFresh: merge.fresh.contains(index)))
            }
        }
        if plan.isIndivisible && pace.rows > 0 && pace.rows + merge.rewritten > LibraryStore.rowsPerCommit {
            try continueMerge(merge, &pace)
        }
        var log = DecisionLog(connection: connection, feed: feed, now: document.fetch.time)
        try recordItems(of: merge, added: result.added, &log)
        var moves = merge.order.moves
        func move(_ id: Int64) throws {
            guard let move = moves.removeValue(forKey: id) else { return }
            try run("UPDATE episode SET published = \(move.time), dated = \(move.isDated) WHERE id = \(id)")
        }
        let isDivisible = !plan.isIndivisible
        for update in plan.updates {
            try writeRow(isDivisible: isDivisible) {
                if let kind = update.kind { try log.record(kind, of: update.id, items[update.item]) }
                try writer.rewrite(update, items[update.item])
                try move(update.id)
                changed.append(EpisodeID(update.id))
            }
        }
        for id in moves.keys.sorted() {
            try writeRow(isDivisible: isDivisible) {
                try move(id)
                changed.append(EpisodeID(id))
            }
        }
        for id in plan.gone {
            try writeRow(isDivisible: isDivisible) { try run("UPDATE episode SET gone = 1 WHERE id = \(id)") }
        }
        result.changed = changed
        if merge.isOtherFeed { try log.record(otherFeed: document.contents.channel) }
        try log.prune()
        if case .older(let page) = document.extent {
            try publish(feed, through: result.added.last)
            if page.isCatalogue { try passOverRules(feed, after: merge.mark) }
            result.reachesKnown = plan.found.contains { $0.episode <= page.since?.rawValue ?? 0 }
        } else {
            var leftOut = LeftOut()
            try describe(feed, document.contents.channel.bounded(&leftOut))
            _ = try record(document.fetch, of: feed, .merged, newEpisodes: result.added.count)
            try publish(feed, through: result.added.last)
            result.walk = try beginWalk(of: merge, document)
        }
        if !result.added.isEmpty || !result.changed.isEmpty { try library.imports.applyWaiting(to: feed) }
        // The rows of the feed itself count as one.
        pace.rows += 1
        return result
    }

    /// Writes down that older pages must be followed, so that a kill does not forget it; nil if they need not be.
    private func beginWalk(of merge: PlannedMerge, _ document: FetchedDocument) throws -> PageWalk? {
        guard var walk = document.walk, !document.walksOnlyOverGap || merge.plan.isForeign else { return nil }
        walk.since = EpisodeID(merge.mark)
        try store(walk, of: merge.feed)
        return walk
    }

    /// Records reused GUIDs and duplicated items, before the episodes' rows are rewritten.
    private func recordItems(of merge: PlannedMerge, added: [EpisodeID], _ log: inout DecisionLog) throws {
        let plan = merge.plan
        if plan.reusedGUIDs.isEmpty && plan.repeated.isEmpty { return }
        var ids = Dictionary(uniqueKeysWithValues: zip(plan.inserts, added.map(\.rawValue)))
        for (index, owner) in plan.reusedGUIDs {
            if let id = ids[index] { try log.record(.reusedGUID, of: id, merge.items[index], owner: owner) }
        }
        for match in plan.found { ids[match.item] = match.episode }
        try log.record(
            repeated: plan.repeated.compactMap { item, earlier in ids[earlier].map { (merge.items[item], $0) } })
    }

    /// Rows and time since the last commit of a merge.
    private struct CommitPace {
        let clock: any MonotonicClock
        let end: Instant
        var rows = 0

        init(clock: any MonotonicClock) {
            self.clock = clock
            end = clock.now + LibraryStore.commitInterval
        }

        var isSpent: Bool { rows >= LibraryStore.rowsPerCommit || rows > 0 && clock.now >= end }
    }

    /// The feed's last visible episode changed while a merge had let others in; the plan may be wrong now.
    private struct DisturbedMerge: Error {}

    private func continueMerge(_ merge: PlannedMerge, _ pace: inout CommitPace) throws {
        try library.commitAndContinue(.relaxed)
        try requireMark(of: merge)
        pace = CommitPace(clock: library.clock)
    }

    private func requireMark(of merge: PlannedMerge) throws {
        if try lastEpisode(of: merge.feed) != merge.mark { throw DisturbedMerge() }
    }

    /// The last visible episode of a feed, on which a merge depends besides the feed's rows; nil if the feed is not subscribed to.
    func lastEpisode(of feed: FeedID) throws -> Int64? {
        try connection.value(
            "SELECT last_episode FROM feed WHERE id = \(feed) AND kind = \(literal: FeedKind.subscribed)")
    }

    private func sweepUnpublished(_ merge: PlannedMerge) throws {
        while try maintenance.deleteEpisodes(above: merge.mark, of: merge.feed) > 0 {
            try library.commitAndContinue(.relaxed)
            try requireMark(of: merge)
        }
    }

    /// A feed's episodes as a merge sees them, also those above its mark.
    func storedEpisodes(of feed: FeedID) throws -> [StoredEpisode] {
        try connection.all(
            """
            SELECT id, guid_key, title_key, url_key, media_key, iif(dated, published, NULL) AS published, duration,
              digest, notes_digest, gone, bytes, published AS time, first_seen
            FROM episode INDEXED BY episode_feed WHERE feed = \(feed)
            """
        ) {
            StoredEpisode(
                id: $0["id"], keys: ItemKeys(row: $0), digest: $0["digest"], notesDigest: $0["notes_digest"],
                isGone: $0["gone"], bytes: $0["bytes"], time: $0["time"], firstSeen: $0["first_seen"])
        }
    }

    private static let description = SQL(
        raw: """
            UPDATE feed SET \(DeclaredColumns(of: Channel()).list(suffix: " = ?")), digest = ?, summary = ?,
              title = coalesce((SELECT value FROM feed_setting WHERE feed = ? AND name = 'title'), ?, title) WHERE id = ?
            """)

    /// Writes what the document says of the feed itself, if that differs.
    private func describe(_ feed: FeedID, _ channel: Channel) throws {
        var digest = MemberDigest()
        var described = channel
        described.declareMembers(&digest)
        digest.hash.add(digest.notes.value)
        let hash = digest.hash.value
        guard try connection.exists("SELECT 1 FROM feed WHERE id = \(feed) AND digest <> \(hash)") else { return }
        let title = channel.title
        let summary = channel.summary.flatMap { StoredNotes.read($0, library.readNotes)?.formatted }
        let values = DeclaredColumns(of: channel).values
        try run(
            Self.description.with(
                values + [hash.sqlValue, summary.sqlValue, feed.sqlValue, title.sqlValue, feed.sqlValue]))
        try library.feeds.storeDetails(channel.details, of: feed)
        try run(
            """
            INSERT OR REPLACE INTO feed_setting(feed, name, value) SELECT feed, \(FeedStore.publishedTitle), \(title)
            FROM feed_setting WHERE feed = \(feed) AND name = 'title' AND \(title) IS NOT NULL
            """)
    }

    /// Makes a feed's episodes visible up to one, if there is one.
    func publish(_ feed: FeedID, through episode: EpisodeID?) throws {
        guard let episode else { return }
        // The policy of a feed that is new does not wait for the next round.
        try run("UPDATE retention_run SET time = 0 WHERE (SELECT last_episode FROM feed WHERE id = \(feed)) = 0")
        try run("UPDATE feed SET last_episode = \(episode) WHERE id = \(feed)")
    }

    /// Exempts a back catalogue that has just become visible from rules; earlier episodes still wait for rules.
    private func passOverRules(_ feed: FeedID, after mark: Int64) throws {
        try run("DELETE FROM rule_backlog WHERE feed = \(feed) AND after = \(mark)")
        try run("UPDATE rule_backlog SET through = \(mark) WHERE feed = \(feed) AND through IS NULL")
    }
}

extension ItemKeys {
    init(row: Row) {
        self.init(
            guid: row["guid_key"], title: row["title_key"], url: row["url_key"], media: row["media_key"],
            published: (row["published"] as Timestamp?).map { $0.seconds * 1_000 }, duration: row["duration"])
    }
}

extension FetchedDocument {
    fileprivate var attempt: DocumentAttempt { DocumentAttempt(feed: feed, isOlderPage: extent.isOlder) }
}

extension DocumentExtent {
    /// Whether a document's new episodes are older than the subscription, and how many items are on the pages before.
    fileprivate func isCatalogue(mark: Int64) -> (Bool, pagesBefore: Int) {
        if case .older(let page) = self { (page.isCatalogue, page.place) } else { (mark == 0, 0) }
    }
}
