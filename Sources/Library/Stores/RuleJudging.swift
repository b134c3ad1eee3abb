internal import EpisodeRules
public import LibraryModel
public import PodcastModel
internal import SQLite

extension LibraryStore {
    /// Episodes that are judged in one commit; a few milliseconds.
    private static let judgedPerCommit = 200

    /// What the rules would do with stored episodes, the newest first, also with those that were set aside; nothing is
    /// changed.
    public func tryRules(feed: FeedID?, at now: Timestamp, limit: Int) throws(LibraryError) -> [RuleTrial] {
        var filter = EpisodeFilter(feed: feed)
        filter.includesSetAside = true
        let rules = try rules(for: feed)
        return try page(filter, order: .newestFirst, at: .first, limit: limit).episodes.map { episode in
            RuleTrial(episode: episode, decision: RuleDecision(rules, for: episode, at: now))
        }
    }

    /// Judges episodes that came since there are rules, each once: what was judged is noted by the commit that does what
    /// was decided. One short commit.
    ///
    /// - Parameter nextIndex: the place in the queue, from 0, of what is played next; nil: after the current entry.
    public func judgeNewEpisodes(nextIndex: Int? = nil, at now: Timestamp) throws(LibraryError) -> RuleOutcome {
        guard try read({ try unjudgedFeed() }) != nil else { return RuleOutcome() }
        return try write(.relaxed) {
            guard let (feed, after) = try unjudgedFeed() else { return RuleOutcome() }
            let ids = try newEpisodes(of: feed, after: after)
            var outcome = try judge(ids, by: try storedRules(for: FeedID(feed)), nextIndex: nextIndex, at: now)
            if ids.count == Self.judgedPerCommit, let last = ids.last {
                let update = try connection.statement("UPDATE unjudged SET after = ?2 WHERE feed = ?1")
                try update.bind(1, feed)
                try update.bind(2, last.rawValue)
                try update.run()
            } else {
                try run("DELETE FROM unjudged WHERE feed = ?", feed)
            }
            outcome.hasMore = try unjudgedFeed() != nil
            return outcome
        }
    }

    /// Judges stored episodes that are new and that no rule has done anything with, oldest first. One short commit.
    ///
    /// - Parameters:
    ///   - place: where to go on; nil begins.
    ///   - nextIndex: the place in the queue, from 0, of what is played next; nil: after the current entry.
    public func judgeStoredEpisodes(
        feed: FeedID?, after place: EpisodeKey?, nextIndex: Int? = nil, at now: Timestamp
    ) throws(LibraryError) -> (outcome: RuleOutcome, next: EpisodeKey?) {
        let new = EpisodeFilter(feed: feed, isPlayed: false, isInProgress: false)
        let page = try page(
            new, order: .oldestFirst, at: place.map { .after($0) } ?? .first, limit: Self.judgedPerCommit)
        guard let last = page.episodes.last else { return (RuleOutcome(), nil) }
        var outcome = try write(.relaxed) {
            let ids = try page.episodes.map(\.id).filter { try !isActedOn($0) }
            return try judge(ids, by: try storedRules(for: feed), nextIndex: nextIndex, at: now)
        }
        outcome.hasMore = page.hasAfter
        return (outcome, page.hasAfter ? EpisodeKey(published: last.published, id: last.id) : nil)
    }

    /// A feed with episodes that no rule has looked at, and the last one that was; not outside a transaction.
    private func unjudgedFeed() throws -> (feed: Int64, after: Int64)? {
        let query = try connection.statement(
            "SELECT u.feed, u.after FROM unjudged u JOIN feed f ON f.id = u.feed AND f.kind = 0 LIMIT 1")
        defer { query.reset() }
        return try query.step() ? (query.int64(0), query.int64(1)) : nil
    }

    private func newEpisodes(of feed: Int64, after: Int64) throws -> [EpisodeID] {
        let query = try connection.statement(
            """
            SELECT e.id FROM episode e INDEXED BY episode_feed\(EpisodeRow.visibility)
            WHERE e.feed = ?1 AND e.id > ?2
              AND e.id <= coalesce((SELECT through FROM unjudged WHERE feed = ?1), e.id)
            ORDER BY e.id LIMIT ?3
            """)
        defer { query.reset() }
        try query.bind(1, feed)
        try query.bind(2, after)
        try query.bind(3, Self.judgedPerCommit)
        var ids: [EpisodeID] = []
        while try query.step() { ids.append(EpisodeID(query.int64(0))) }
        return ids
    }

    private func isActedOn(_ id: EpisodeID) throws -> Bool {
        let query = try connection.statement("SELECT 1 FROM rule_act WHERE episode = ?")
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        return try query.step()
    }

    // MARK: acting

    /// Decides about episodes and does it; not outside a transaction. What the listener has touched meanwhile is left
    /// alone.
    private func judge(
        _ ids: [EpisodeID], by rules: [EpisodeRule], nextIndex: Int?, at now: Timestamp
    ) throws -> RuleOutcome {
        var outcome = RuleOutcome()
        var queued: [RuleAction.Queueing: [Episode]] = [:]
        for id in ids {
            guard let episode = try storedEpisode(id) else { continue }
            outcome.judged += 1
            guard EpisodeCondition.State.new.holds(for: episode.state, isGone: episode.isGone) else { continue }
            let decision = RuleDecision(rules, for: episode, at: now)
            guard let rule = decision.rule, decision.action != .keep else { continue }
            switch decision.action {
            case .keep: break
            case .played: try run("UPDATE episode SET section = 2 WHERE id = ? AND section = 0", id.rawValue)
            case .skip:
                if try isKept(episode) { continue }
                try run("UPDATE episode SET aside = 1 WHERE id = ?", id.rawValue)
            case .fetch(let queueing, let isDownloaded):
                if let queueing, try !isQueued(id) { queued[queueing, default: []].append(episode) }
                if isDownloaded { try wishDownload(of: id, at: now) }
            }
            try note(rule, decision.action, on: id, at: now)
            outcome.changed.append(id)
        }
        let entries = try enqueue(queued, nextIndex: nextIndex)
        if !outcome.changed.isEmpty {
            let step = try ruleStep(at: now)
            try keep(entries, madeIn: step)
            for id in outcome.changed { try keep(try visibleEpisode(id), position: .zero, in: step) }
        }
        outcome.isQueueChanged = !queued.isEmpty
        return outcome
    }

    /// Whether the listener holds on to an episode, so that it is never set aside.
    private func isKept(_ episode: Episode) throws -> Bool {
        try episode.state.isStarred || episode.state.note != nil || isQueued(episode.id)
    }

    private func isQueued(_ id: EpisodeID) throws -> Bool {
        let query = try connection.statement("SELECT 1 FROM queue_entry WHERE episode = ?")
        defer { query.reset() }
        try query.bind(1, id.rawValue)
        return try query.step()
    }

    private func note(_ rule: EpisodeRule, _ action: RuleAction, on id: EpisodeID, at now: Timestamp) throws {
        let insert = try connection.statement(
            "INSERT OR REPLACE INTO rule_act(episode, rule, action, time) VALUES (?, ?, ?, ?)")
        try insert.bind(1, id.rawValue)
        try insert.bind(2, rule.id.rawValue)
        try insert.bind(3, action.description)
        try insert.bind(4, now.milliseconds)
        try insert.run()
    }

    /// Puts episodes into the queue: what has most priority first, each kind by date, the oldest first.
    private func enqueue(
        _ queued: [RuleAction.Queueing: [Episode]], nextIndex: Int?
    ) throws -> [QueueEntry] {
        var entries: [QueueEntry] = []
        for (queueing, episodes) in queued.sorted(by: { $0.key.priority > $1.key.priority }) {
            let (priorities, first) = try upcomingPriorities(from: nextIndex)
            let index = QueuePlacing.index(for: queueing, upcoming: priorities, from: first)
            let inOrder = episodes.sorted { ($0.published, $0.id) < ($1.published, $1.id) }
            entries += try enqueue(inOrder.map(\.id), at: index, priority: queueing.priority)
        }
        return entries
    }

    /// Priorities of the entries from an index on, else of those after the current one, and the index of the first.
    private func upcomingPriorities(from nextIndex: Int?) throws -> (priorities: [Int], first: Int) {
        let query = try connection.statement(
            """
            SELECT q.priority, q.id IS (SELECT current FROM queue_state) FROM queue_entry q ORDER BY q.place, q.id
            """)
        defer { query.reset() }
        var (priorities, current): ([Int], Int?) = ([], nil)
        while try query.step() {
            if query.bool(1) { current = priorities.count }
            priorities.append(query.int(0))
        }
        let first = min(nextIndex ?? current.map { $0 + 1 } ?? 0, priorities.count)
        return (Array(priorities[first...]), first)
    }
}
