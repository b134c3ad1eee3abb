internal import FeedMerging
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct IdentityRows: IdentityStore, StoreRows {
    let library: LibraryStore

    private static let decisions: SQL = """
        SELECT d.*, f.title AS feed_title FROM identity_decision d JOIN feed f ON f.id = d.feed
        """

    /// The latest come first.
    func identityDecisions(
        of feed: FeedID?, before: DecisionID?, limit: Int
    ) throws(LibraryError) -> [IdentityDecision] {
        try read {
            let ofFeed: SQL = feed.map { " AND d.feed = \($0)" } ?? ""
            return try connection.all(
                """
                \(Self.decisions) WHERE d.id < \(before?.rawValue ?? Int64.max)\(ofFeed) AND f.kind <> \(literal: FeedKind.hidden)
                ORDER BY d.id DESC LIMIT \(limit)
                """, IdentityDecision.init(row:)
            ).compactMap(\.self)
        }
    }

    func split(_ id: DecisionID, at now: Timestamp) throws(LibraryError) -> EpisodeSplit {
        try write(.synced) {
            let decision = try stored(id)
            guard decision.kind.canBeSplit, let episode = decision.episode else {
                throw LibraryError.refused("decision \(id) is not a merge")
            }
            if decision.isUndone { throw LibraryError.refused("decision \(id) was already undone") }
            let kept = try episodeRows.visible(episode)
            if decision.kind == .joined {
                return try historyRows.recording(.split) {
                    let split = try separate(decision, kept, at: now)
                    try run("UPDATE identity_decision SET undone = 1 WHERE id = \(id)")
                    return split
                }
            }
            let split = try splitOff(decision, kept.id, at: now)
            try run("UPDATE identity_decision SET undone = 1 WHERE id = \(id)")
            try historyRows.insertFinalAct(
                .split, title: kept.title, "a new episode was made; 'join' makes the two one again")
            return split
        }
    }

    func previewMerge(
        _ contents: FeedContents, _ extent: DocumentExtent, into feed: FeedID?
    ) throws(LibraryError) -> MergePreview {
        try read {
            let document = FeedDocument(
                feed: feed ?? FeedID(0), contents: contents,
                fetch: FetchRecord(time: Timestamp(milliseconds: 0), nextDue: Timestamp(milliseconds: 0)),
                extent: extent)
            let planned =
                try feed == nil
                ? refreshRows.plan(
                    contents, extent, FeedID(0), RefreshRows.MergeBase(mark: 0), stored: [], hasLeftovers: false)
                : refreshRows.plan(document)
            guard let planned else { throw LibraryError.notFound("feed \(feed.map(\.label) ?? "")") }
            return MergePreview(planned, of: contents)
        }
    }

    private func stored(_ id: DecisionID) throws -> IdentityDecision {
        let decision = try connection.first(
            "\(Self.decisions) WHERE d.id = \(id)", IdentityDecision.init(row:))
        guard let decision = decision.flatMap(\.self) else { throw LibraryError.notFound("merge \(id)") }
        return decision
    }

    /// Stores what the user decided about two episodes.
    func recordAct(
        _ kind: IdentityDecision.Kind, _ episode: EpisodeID, _ other: EpisodeID, at now: Timestamp
    ) throws -> DecisionID {
        try run(
            """
            INSERT OR REPLACE INTO identity_decision(feed, kind, episode, item_key, time, other, old_guid, old_url,
              old_title, old_published, old_duration, new_guid, new_url, new_title)
            SELECT e.feed, \(kind), e.id, o.id, \(now), o.id, e.guid, e.url, e.title,
              iif(e.dated, e.published, NULL), e.duration, o.guid, o.url, o.title
            FROM episode e JOIN episode o ON o.id = \(other) WHERE e.id = \(episode)
            """)
        return DecisionID(connection.lastInsertedRow)
    }

    // MARK: Splitting a merge

    private static let publishedColumns = """
        dated, published, first_seen, guid_key, title_key, url_key, media_key, duration, bytes, length, season, number,
          explicit, title, url, type, link, guid, author, image, episode_type, chapters_url
        """

    /// Gives what the publisher says to a new episode, and the one it was taken for the names it had. The next
    /// fetch is unconditional and fills in what is not known here.
    private func splitOff(_ decision: IdentityDecision, _ kept: EpisodeID, at now: Timestamp) throws -> EpisodeSplit {
        let feed = decision.feed
        guard let mark = try refreshRows.mergeBase(feed)?.mark else {
            throw LibraryError.notFound("feed \(feed.label)")
        }
        try run(
            """
            INSERT INTO episode(feed, gone, digest, notes_digest, \(raw: Self.publishedColumns))
            SELECT feed, gone, 0, 0, \(raw: Self.publishedColumns) FROM episode WHERE id = \(kept)
            """)
        let other = EpisodeID(connection.lastInsertedRow)
        // A merge has stored episodes that are not visible yet; publishing the new one would show them.
        if try connection.exists(
            "SELECT 1 FROM episode WHERE id > \(mark) AND id < \(other) AND feed = \(feed) LIMIT 1")
        {
            throw LibraryError.busy
        }
        try moveTexts(from: kept, to: other)
        try restoreNames(of: kept, from: decision.id, at: now)
        try feedRows.forgetValidators(of: feed)
        try refreshRows.publish(feed, through: other)
        _ = try recordAct(.split, kept, other, at: now)
        return EpisodeSplit(kept: kept, other: other)
    }

    private func moveTexts(from kept: EpisodeID, to other: EpisodeID) throws {
        try run(
            """
            INSERT INTO episode_notes(episode, summary, content, summary_marks, content_marks)
            SELECT \(other), summary, content, summary_marks, content_marks FROM episode_notes
            WHERE episode = \(kept)
            """)
        try run(
            """
            UPDATE episode_notes SET summary = NULL, content = NULL, summary_marks = NULL, content_marks = NULL
            WHERE episode = \(kept)
            """)
        for table in [
            "enclosure", "chapter", "transcript", "person", "episode_details", "text_state", "fetched_chapter",
            "passage",
        ] {
            try run("UPDATE \(raw: table) SET episode = \(other) WHERE episode = \(kept)")
        }
    }

    /// Gives an episode the names back that a decision stored, as one that the feed does not list now.
    func restoreNames(of episode: EpisodeID, from decision: DecisionID, at now: Timestamp) throws {
        let item = try connection.first(
            """
            SELECT old_guid, old_url, old_title, old_published, old_duration FROM identity_decision
            WHERE id = \(decision) AND old_url IS NOT NULL
            """
        ) { row in
            var item = Item()
            (item.guid, item.title) = (row["old_guid"], row["old_title"])
            (item.published, item.duration) = (row["old_published"], row["old_duration"])
            item.enclosures = [Enclosure(url: row["old_url"])]
            return item
        }
        guard let item else { return }
        let names = MergeItem(item, media: item.enclosures[0])
        let keys = names.keys
        try downloadRows.renew(episode, url: names.media.url, at: now)
        try run(
            """
            UPDATE episode SET guid_key = \(keys.guid), title_key = \(keys.title), url_key = \(keys.url),
              media_key = \(keys.media), published = coalesce(\(keys.published), published),
              duration = \(keys.duration), guid = \(item.guid), url = \(names.media.url), title = \(names.title),
              gone = 1, digest = 0, notes_digest = 0
            WHERE id = \(episode)
            """)
    }
}

extension IdentityDecision {
    fileprivate init?(row: Row) {
        guard let kind: Kind = row["kind"] else { return nil }
        self.init(
            id: row["id"], feed: row["feed"], feedTitle: row["feed_title"], time: row["time"], kind: kind,
            episode: row["episode"], other: row["other"],
            before: PublishedIdentity(guid: row["old_guid"], url: row["old_url"], title: row["old_title"]),
            after: PublishedIdentity(guid: row["new_guid"], url: row["new_url"], title: row["new_title"]),
            isUndone: row["undone"])
    }
}

extension MergePreview {
    /// What a plan says, item by item.
    fileprivate init(_ planned: RefreshRows.PlannedMerge, of contents: FeedContents) {
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
