public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore: IdentityStore {
    private static let decisionSQL = """
        SELECT d.id, d.feed, f.title, d.time, d.kind, d.episode, d.other, d.old_guid, d.old_url, d.old_title,
          d.new_guid, d.new_url, d.new_title, d.undone
        FROM identity_decision d JOIN feed f ON f.id = d.feed
        """

    /// What was decided, the latest first.
    public func identityDecisions(
        of feed: FeedID?, before: DecisionID?, limit: Int
    ) throws(LibraryError) -> [IdentityDecision] {
        try read {
            let query = try connection.statement(
                Self.decisionSQL + " WHERE d.id < ?1\(feed == nil ? "" : " AND d.feed = ?3") AND f.kind <> 2"
                    + " ORDER BY d.id DESC LIMIT ?2")
            defer { query.reset() }
            try query.bind(1, before?.rawValue ?? Int64.max)
            try query.bind(2, limit)
            if let feed { try query.bind(3, feed.rawValue) }
            var decisions: [IdentityDecision] = []
            while try query.step() {
                if let decision = IdentityDecision(row: query) { decisions.append(decision) }
            }
            return decisions
        }
    }

    /// Takes a merge back. Committed before it returns.
    public func split(_ id: DecisionID, at now: Timestamp) throws(LibraryError) -> EpisodeSplit {
        try write(.synced) {
            let decision = try storedDecision(id)
            guard decision.kind.canBeSplit, let episode = decision.episode else {
                throw LibraryError.refused("decision \(id) took nothing together")
            }
            if decision.isUndone { throw LibraryError.refused("decision \(id) was taken back before") }
            let kept = try visibleEpisode(episode)
            let split =
                decision.kind == .joined
                ? try separate(decision, kept, at: now) : try splitOff(decision, kept.id.rawValue, at: now)
            try run("UPDATE identity_decision SET undone = 1 WHERE id = ?", id.rawValue)
            return split
        }
    }

    /// What a merge would make of each item. Nothing is written.
    public func previewMerge(
        _ contents: FeedContents, _ extent: DocumentExtent, into feed: FeedID?
    ) throws(LibraryError) -> MergePreview {
        try read {
            let document = FeedDocument(
                feed: feed ?? FeedID(0), contents: contents,
                fetch: FetchRecord(time: Timestamp(milliseconds: 0), nextDue: Timestamp(milliseconds: 0)),
                extent: extent)
            let planned =
                try feed == nil
                ? plan(contents, extent, 0, MergeBase(mark: 0), stored: [], hasLeftovers: false) : plan(document)
            guard let planned else { throw LibraryError.notFound("feed \(feed.map(\.description) ?? "")") }
            return MergePreview(planned, of: contents)
        }
    }

    /// A decision; not outside a transaction.
    func storedDecision(_ id: DecisionID) throws -> IdentityDecision {
        let query = try connection.statement(Self.decisionSQL + " WHERE d.id = ?")
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        guard try query.step(), let decision = IdentityDecision(row: query) else {
            throw LibraryError.notFound("merge \(id)")
        }
        return decision
    }

    /// Writes down what the listener decided about two episodes; not outside a transaction.
    func recordAct(
        _ kind: IdentityDecision.Kind, _ episode: Int64, _ other: Int64, at now: Timestamp
    ) throws -> Int64 {
        let insert = try connection.statement(
            """
            INSERT OR REPLACE INTO identity_decision(feed, kind, episode, item_key, time, other, old_guid, old_url,
              old_title, old_published, old_duration, new_guid, new_url, new_title)
            SELECT e.feed, ?1, e.id, o.id, ?4, o.id, e.guid, e.url, e.title, iif(e.dated, e.published, NULL), e.duration,
              o.guid, o.url, o.title
            FROM episode e JOIN episode o ON o.id = ?3 WHERE e.id = ?2
            """)
        try insert.bind(1, kind.rawValue)
        try insert.bind(2, episode)
        try insert.bind(3, other)
        try insert.bind(4, now.milliseconds)
        try insert.run()
        return connection.lastInsertedRow
    }

    // MARK: Splitting a merge

    private static let publishedColumns = """
        dated, published, first_seen, guid_key, title_key, url_key, media_key, duration, length, season, number, explicit,
          title, url, type, link, guid, author, image, episode_type, chapters_url
        """

    /// Gives what the publisher says to an episode of its own, and the one it was taken for the names it had. The next
    /// fetch is unconditional and fills in what is not known here.
    private func splitOff(_ decision: IdentityDecision, _ kept: Int64, at now: Timestamp) throws -> EpisodeSplit {
        let feed = decision.feed.rawValue
        guard let mark = try mergeBase(feed)?.mark else { throw LibraryError.notFound("feed \(feed)") }
        let insert = try connection.statement(
            """
            INSERT INTO episode(feed, gone, digest, notes_digest, \(Self.publishedColumns))
            SELECT feed, gone, 0, 0, \(Self.publishedColumns) FROM episode WHERE id = ?
            """)
        try insert.bind(1, kept)
        try insert.run()
        let other = connection.lastInsertedRow
        if try hasUnpublished(feed, between: mark, and: other) { throw LibraryError.busy }
        try moveTexts(from: kept, to: other)
        try restoreNames(of: kept, from: decision.id.rawValue, at: now)
        try forgetValidators(of: feed)
        try publish(feed, through: EpisodeID(other))
        _ = try recordAct(.split, kept, other, at: now)
        return EpisodeSplit(kept: EpisodeID(kept), other: EpisodeID(other))
    }

    /// Whether a merge has stored episodes that are not visible yet: a higher mark would show them.
    private func hasUnpublished(_ feed: Int64, between mark: Int64, and end: Int64) throws -> Bool {
        let query = try connection.statement(
            "SELECT 1 FROM episode WHERE id > ?1 AND id < ?2 AND feed = ?3 LIMIT 1")
        defer { query.reset() }
        try query.bind(1, mark)
        try query.bind(2, end)
        try query.bind(3, feed)
        return try query.step()
    }

    private func moveTexts(from kept: Int64, to other: Int64) throws {
        for sql in [
            """
            INSERT INTO episode_notes(episode, summary, content, summary_marks, content_marks, is_raw)
            SELECT ?2, summary, content, summary_marks, content_marks, is_raw FROM episode_notes WHERE episode = ?1
            """,
            """
            UPDATE episode_notes SET summary = NULL, content = NULL, summary_marks = NULL, content_marks = NULL, is_raw = 0
            WHERE episode = ?1
            """,
            "UPDATE enclosure SET episode = ?2 WHERE episode = ?1",
            "UPDATE chapter SET episode = ?2 WHERE episode = ?1",
            "UPDATE transcript SET episode = ?2 WHERE episode = ?1",
            "UPDATE person SET episode = ?2 WHERE episode = ?1",
            "UPDATE episode_details SET episode = ?2 WHERE episode = ?1",
            "UPDATE text_state SET episode = ?2 WHERE episode = ?1",
            "UPDATE fetched_chapter SET episode = ?2 WHERE episode = ?1",
            "UPDATE passage SET episode = ?2 WHERE episode = ?1",
        ] {
            let move = try connection.statement(sql)
            try move.bind(1, kept)
            if sql.contains("?2") { try move.bind(2, other) }
            try move.run()
        }
    }

    /// Gives an episode the names back that a decision remembers, as one that the feed does not list now.
    func restoreNames(of episode: Int64, from decision: Int64, at now: Timestamp) throws {
        let query = try connection.statement(
            "SELECT old_guid, old_url, old_title, old_published, old_duration FROM identity_decision WHERE id = ?")
        defer { query.reset() }
        try query.bind(1, decision)
        guard try query.step(), let url = query.optionalText(1) else { return }
        var item = Item()
        item.guid = query.optionalText(0)
        item.title = query.optionalText(2)
        item.published = query.optionalTime(3)
        item.duration = query.optionalMediaTime(4)
        let names = MergeItem(item, media: Enclosure(url: url))
        try DownloadRenewal(connection: connection, now: now).note(url, of: episode)
        let update = try connection.statement(
            """
            UPDATE episode SET guid_key = ?2, title_key = ?3, url_key = ?4, media_key = ?5,
              published = coalesce(?6, published), duration = ?7, guid = ?8, url = ?9, title = ?10, gone = 1, digest = 0,
              notes_digest = 0
            WHERE id = ?1
            """)
        try update.bind(1, episode)
        try Self.bind(names.keys, to: update)
        try update.bind(8, item.guid)
        try update.bind(9, url)
        try update.bind(10, names.title)
        try update.run()
    }
}

extension IdentityDecision {
    fileprivate init?(row: Statement) {
        guard let kind = Kind(rawValue: row.int(4)) else { return nil }
        self.init(
            id: DecisionID(row.int64(0)), feed: FeedID(row.int64(1)), feedTitle: row.text(2),
            time: Timestamp(milliseconds: row.int64(3)), kind: kind,
            episode: row.optionalInt64(5).map(EpisodeID.init), other: row.optionalInt64(6).map(EpisodeID.init),
            before: PublishedIdentity(guid: row.optionalText(7), url: row.optionalText(8), title: row.optionalText(9)),
            after: PublishedIdentity(
                guid: row.optionalText(10), url: row.optionalText(11), title: row.optionalText(12)),
            isUndone: row.bool(13))
    }
}

extension MergePreview {
    /// What a plan says, item by item.
    fileprivate init(_ planned: LibraryStore.PlannedMerge, of contents: FeedContents) {
        let (plan, places) = (planned.plan, planned.places)
        var outcomes: [Int: Outcome] = [:]
        for (item, reason) in planned.skipped { outcomes[item] = .skipped(reason) }
        for index in plan.inserts { outcomes[places[index]] = .new }
        for (index, owner) in plan.reusedGUIDs { outcomes[places[index]] = .newDespiteGUID(EpisodeID(owner)) }
        for (index, _) in plan.found { outcomes[places[index]] = .known }
        for update in plan.updates {
            if let kind = update.kind { outcomes[places[update.item]] = .matched(kind, EpisodeID(update.id)) }
        }
        for (index, earlier) in plan.repeated {
            outcomes[places[index]] = .skipped(.repeats(item: places[earlier]))
        }
        for (index, episode) in plan.joined { outcomes[places[index]] = .skipped(.joined(EpisodeID(episode))) }
        self.init(
            gone: plan.gone.count, isOtherFeed: planned.isOtherFeed, sharesNothing: plan.isForeign)
        leftOut = planned.leftOut
        let stored = Set(plan.inserts.map { places[$0] } + plan.found.map { places[$0.item] })
        rows = contents.items.enumerated().map { place, item in
            Row(
                item: place,
                title: item.title.flatMap { SafeText.title($0) } ?? item.guid ?? item.enclosures.first?.url ?? "",
                outcome: outcomes[place] ?? (stored.contains(place) ? .known : .skipped(.beyondShare)))
        }
    }
}
