internal import SQLite
public import PodcastModel

/// Result of applying the rules to some episodes.
public struct RuleOutcome: Equatable, Sendable {
    /// Number of episodes to which the rules were applied.
    public var judged = 0
    public var changed: [EpisodeID] = []
    public var isQueueChanged = false
    public var arePlaylistsChanged = false
    public var hasMore = false
}

extension RuleStore {
    /// Episodes to which the rules are applied in one commit; a few milliseconds.
    private static let episodesPerCommit = 200

    /// The actions that the rules would take on stored episodes, also hidden ones, newest first; changes nothing.
    public func tryRules(
        feed: FeedID?, at now: Timestamp, page anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> (trials: [(episode: Episode, decision: RuleDecision)], hasAfter: Bool) {
        var filter = EpisodeFilter(feed: feed)
        filter.includesHidden = true
        let rules = try rules(for: feed)
        let page = try library.episodes.page(filter, order: .newestFirst, at: anchor, limit: limit)
        return (page.episodes.map { ($0, RuleDecision(rules, for: $0, at: now)) }, page.hasAfter)
    }

    /// Applies the rules once to the episodes that arrived since there are rules. One short commit, which also records that
    /// the rules were applied.
    /// - Parameter nextIndex: queue index, from 0, for episodes to play next; nil: after the current entry.
    public func applyToNewEpisodes(nextIndex: Int?, at now: Timestamp) throws(LibraryError) -> RuleOutcome {
        try library.write(ifAny: feedWithNewEpisodes, else: RuleOutcome()) { feed, after in
            let ids = try newEpisodes(of: feed, after: after)
            var outcome = try apply(try rules(for: feed), to: ids, nextIndex: nextIndex, at: now)
            if ids.count == Self.episodesPerCommit, let last = ids.last {
                try run("UPDATE rule_backlog SET after = \(last) WHERE feed = \(feed)")
            } else {
                try run("DELETE FROM rule_backlog WHERE feed = \(feed)")
            }
            outcome.hasMore = try feedWithNewEpisodes() != nil
            return outcome
        }
    }

    /// Applies the rules to stored episodes on which no rule has acted, oldest first. One short commit.
    /// - Parameters:
    ///   - filter: the episodes; those that were heard, are played or hidden stay as they are.
    ///   - place: where to continue; nil for the start.
    ///   - nextIndex: queue index, from 0, for episodes to play next; nil: after the current entry.
    ///   - isTrial: whether to change nothing.
    public func applyToStoredEpisodes(
        _ filter: EpisodeFilter, after place: EpisodeKey?, nextIndex: Int?, isTrial: Bool = false, at now: Timestamp
    ) throws(LibraryError) -> (outcome: RuleOutcome, next: EpisodeKey?) {
        let page = try library.episodes.page(
            filter, order: .oldestFirst, at: place.map { .after($0) } ?? .first, limit: Self.episodesPerCommit)
        func applied() throws -> RuleOutcome {
            let ids = try page.episodes.map(\.id).filter { id in
                try !connection.exists("SELECT 1 FROM rule_act WHERE episode = \(id)")
            }
            return try apply(try rules(for: filter.feed), to: ids, nextIndex: nextIndex, at: now)
        }
        var outcome = try isTrial ? library.trying(applied) : write(.relaxed, applied)
        outcome.hasMore = page.hasAfter
        return (outcome, page.hasAfter ? page.resumption ?? page.episodes.last.map { EpisodeKey(of: $0) } : nil)
    }

    /// A feed whose last episodes were not judged yet, and its last judged episode.
    private func feedWithNewEpisodes() throws -> (feed: FeedID, after: EpisodeID)? {
        try connection.first(
            "SELECT u.feed, u.after FROM rule_backlog u JOIN feed f ON f.id = u.feed AND f.kind = \(literal: FeedKind.subscribed) LIMIT 1"
        ) { ($0["feed"], $0["after"]) }
    }

    private func newEpisodes(of feed: FeedID, after: EpisodeID) throws -> [EpisodeID] {
        try connection.column(
            """
            SELECT e.id FROM episode e INDEXED BY episode_feed\(raw: EpisodeRow.visibility)
            WHERE e.feed = \(feed) AND e.id > \(after)
              AND e.id <= coalesce((SELECT through FROM rule_backlog WHERE feed = \(feed)), e.id)
            ORDER BY e.id LIMIT \(Self.episodesPerCommit)
            """)
    }

    // MARK: Acting

    /// Applies rules to episodes that the user has not used meanwhile.
    private func apply(
        _ rules: [EpisodeRule], to ids: [EpisodeID], nextIndex: Int?, at now: Timestamp
    ) throws -> RuleOutcome {
        try recording(.ruled, at: now, continuing: try library.history.ruleStep(at: now)) {
            try act(on: ids, by: rules, nextIndex: nextIndex, at: now)
        }
    }

    private func act(
        on ids: [EpisodeID], by rules: [EpisodeRule], nextIndex: Int?, at now: Timestamp
    ) throws -> RuleOutcome {
        var outcome = RuleOutcome()
        var queued: [RuleAction.Queueing: [Episode]] = [:]
        for id in ids {
            guard let episode = try library.episodes.stored(id) else { continue }
            outcome.judged += 1
            let state = episode.state
            if state.isPlayed || episode.isInProgress || state.hiddenReason != nil { continue }
            let decision = RuleDecision(rules, for: episode, at: now)
            guard let rule = decision.rule, decision.action != .keep else { continue }
            switch decision.action {
            case .keep: break
            case .played:
                try run("UPDATE episode SET section = \(Section.played) WHERE id = \(id) AND section = \(Section.new)")
            case .skip:
                if try connection.exists("SELECT 1 FROM episode e WHERE id = \(id) AND \(raw: UserData.isKept)") {
                    continue
                }
                try run("UPDATE episode SET visibility = \(Visibility.skipped) WHERE id = \(id)")
            case .fetch(let queueing, let playlist, let isDownloaded):
                if let queueing {
                    try library.history.add(.queued, of: id, .zero, at: now)
                    if try !library.queue.isQueued(id) { queued[queueing, default: []].append(episode) }
                }
                let isRequested = try isDownloaded && library.downloads.requestMissing(id, at: now)
                // Undo must not take a file that was on disk or requested before.
                let isAdded = try playlist.map { try add(id, to: $0) } ?? false
                if isAdded { outcome.arePlaylistsChanged = true }
                if queueing == nil, !isAdded, !isRequested { continue }
            }
            try run(
                """
                INSERT OR REPLACE INTO rule_act(episode, rule, action, time)
                VALUES (\(id), \(rule.id), \(decision.action.description), \(now))
                """)
            outcome.changed.append(id)
        }
        try enqueue(queued, nextIndex: nextIndex, at: now)
        outcome.isQueueChanged = !queued.isEmpty
        return outcome
    }

    /// Appends an episode to a playlist by hand.
    /// - Returns: false if the playlist has the episode, is full, or is a filter.
    private func add(_ id: EpisodeID, to playlist: String) throws -> Bool {
        guard let list = try library.playlists.listForEntries(playlist), try !list.isQueued(id),
            try list.count() < QueueStore.maximumOfList
        else { return false }
        _ = try library.changes.withoutTime([id]) { try list.enqueue([id], at: .max, priority: 0) }
        return true
    }

    /// Puts episodes into the queue: what has most priority first, each kind by date, the oldest first.
    private func enqueue(_ queued: [RuleAction.Queueing: [Episode]], nextIndex: Int?, at now: Timestamp) throws {
        for (queueing, episodes) in queued.sorted(by: { $0.key.priority > $1.key.priority }) {
            let (upcoming, first) = try upcoming(from: nextIndex, at: now)
            let index = queueing.index(among: upcoming, from: first)
            let inOrder = episodes.sorted { ($0.published, $0.id) < ($1.published, $1.id) }
            _ = try library.changes.withoutTime(inOrder.map(\.id)) {
                try library.queue.enqueue(inOrder.map(\.id), at: index, priority: queueing.priority)
            }
        }
    }

    /// The entries from an index on, else those after the current one, and the index of the first.
    private func upcoming(from nextIndex: Int?, at now: Timestamp) throws -> ([RuleAction.Upcoming], first: Int) {
        let entries = try connection.all(
            """
            SELECT q.priority, q.id IS (SELECT current FROM queue_state) AS is_current,
              a.time IS \(now) AND a.action GLOB 'next*' AS is_of_run
            FROM queue_entry q LEFT JOIN rule_act a USING (episode) WHERE q.list IS NULL ORDER BY q.place, q.id
            """
        ) { row in
            let entry = RuleAction.Upcoming(priority: row["priority"], isOfRun: row["is_of_run"])
            return (entry: entry, isCurrent: row["is_current"] as Bool)
        }
        let current = entries.lastIndex(where: \.isCurrent)
        let first = min(nextIndex ?? current.map { $0 + 1 } ?? 0, entries.count)
        return (entries[first...].map(\.entry), first)
    }
}
