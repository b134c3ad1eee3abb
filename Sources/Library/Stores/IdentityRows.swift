internal import FeedMerging
internal import LibraryDatabase
internal import LibraryModel
internal import PodcastModel
internal import SQLite

struct IdentityRows: IdentityStore, StoreRows {
    let library: LibraryStore

    func identityDecisions(of feed: FeedID, limit: Int) throws(LibraryError) -> [IdentityDecision] {
        try read {
            try connection.all(
                """
                SELECT * FROM identity_decision INDEXED BY identity_decision_feed WHERE feed = \(feed) ORDER BY id DESC
                LIMIT \(limit)
                """
            ) { row -> IdentityDecision? in
                guard let kind: IdentityDecision.Kind = row["kind"] else { return nil }
                return IdentityDecision(
                    time: row["time"], kind: kind, episode: row["episode"], other: row["other"],
                    before: PublishedIdentity(guid: row["old_guid"], url: row["old_url"], title: row["old_title"]),
                    after: PublishedIdentity(guid: row["new_guid"], url: row["new_url"], title: row["new_title"]))
            }.compactMap(\.self)
        }
    }

    func previewMerge(
        _ contents: FeedContents, _ extent: DocumentExtent, into feed: FeedID?
    ) throws(LibraryError) -> MergePreview {
        try read {
            let document = FetchedDocument(
                feed: feed ?? FeedID(0), contents: contents,
                fetch: FetchRecord(time: Timestamp(milliseconds: 0), nextDue: Timestamp(milliseconds: 0)),
                extent: extent)
            let planned =
                try feed == nil
                ? refreshRows.plan(
                    contents, extent, FeedID(0), mark: 0, stored: [], hasLeftovers: false)
                : refreshRows.plan(document)
            guard let planned else { throw LibraryError.notFound("feed \(feed.map(\.label) ?? "")") }
            return MergePreview(planned, of: contents)
        }
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
