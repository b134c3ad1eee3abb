internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel
internal import SerialThreads

struct RulesHandler {
    let decisions: DecisionThread
    let now: @Sendable () -> Timestamp
    let library: LibraryService
    let queue: QueueService
    let changes: ChangeBoard

    var answers: [AnsweredCommand] {
        decisions.answers(list, add, set, remove, move, tryOut, apply, listPolicies, setPolicy, tryPolicy)
    }

    private func list(_ request: ListRules) async throws -> RuleListReply {
        try await library.read { store in
            try RuleListReply(of: try store.feeds.resolveID(request.feed), in: store)
        }
    }

    private func add(_ request: AddRule) async throws -> RuleReply {
        let reply = try await library.perform { store in
            let feed = try store.feeds.resolveID(request.feed)
            let added = try store.rules.addRule(try Self.rule(request.rule, in: store), feed: feed)
            return try RuleReply(added.id, in: store)
        }
        changes.changed(.rules, [reply.id].changes(.insert))
        return reply
    }

    private func set(_ request: SetRule) async throws -> RuleReply {
        let reply = try await library.perform { store in
            try store.rules.changeRule(request.rule, to: try Self.rule(request.text, in: store))
            return try RuleReply(request.rule, in: store)
        }
        changes.changed(.rules, [reply.id].changes(.update))
        return reply
    }

    private static func rule(_ text: String, in store: LibraryStore) throws -> RuleText {
        var rule = try RuleText(parsing: text)
        rule.condition = try rule.condition.lookingUp { try store.feeds.resolveFeed($0).id }
        return rule
    }

    private func remove(_ request: RemoveRule) async throws -> EmptyReply {
        try await library.perform { try $0.rules.removeRule(request.rule) }
        changes.changed(.rules, [request.rule].changes(.delete))
        return EmptyReply()
    }

    private func move(_ request: MoveRule) async throws -> RuleListReply {
        let rules = try await library.perform { store in
            try store.rules.moveRule(request.rule, to: request.to - 1)
            return try RuleListReply(of: nil, in: store)
        }
        changes.changed(.rules)
        return rules
    }

    private func tryOut(_ request: TryRules) async throws -> RuleTrialListReply {
        let anchor = try request.after.map { PageAnchor.after(try EpisodeKey(wireText: $0)) } ?? .first
        return try await library.read { [now] store in
            let id = try store.feeds.resolveID(request.feed)
            let (trials, hasAfter) = try store.rules.tryRules(feed: id, at: now(), page: anchor, limit: request.limit)
            return RuleTrialListReply(trials.map { TrialReply($0.episode, $0.decision) }, hasAfter: hasAfter)
        }
    }

    /// Applies the rules to stored episodes on which no rule has acted, in short commits.
    func apply(_ request: ApplyRules) async throws -> RulesAppliedReply {
        let id = try await library.read { store in try store.feeds.resolveID(request.feed) }
        let isTrial = request.isTrial
        let filter = request.isOfAll ? EpisodeFilter(feed: id, isPlayed: false, isInProgress: false) : .new(of: id)
        let now = now()
        var reply = RulesAppliedReply()
        var place: EpisodeKey?
        repeat {
            let (outcome, next) = try await queue.applyRulesToStored(filter, after: place, isTrial: isTrial, at: now)
            reply.judged += outcome.judged
            reply.changed += outcome.changed.count
            place = next
            if !isTrial {
                changes.episodesChanged(outcome.changed, .mark)
                if outcome.arePlaylistsChanged { changes.changed(.playlists) }
                continue
            }
            let shown = outcome.changed.prefix(ApplyRules.mostShown - reply.episodes.count)
            reply.episodes += try await library.read { store in
                let rules = try store.rules.rules(for: id)
                return try store.episodes.episodes(Array(shown)).map {
                    TrialReply($0, RuleDecision(rules, for: $0, at: now))
                }
            }
        } while place != nil
        return reply
    }

    /// Applies the rules to new episodes, then hides episodes that no policy keeps, in short commits. What fails is done after the next change.
    ///
    /// podcast-refresh does the same for a library without a running daemon; otherwise podcast-refresh only reports merged episodes,
    /// so that the shared queue is edited in one process.
    /// - Returns: the number of new episodes, if there are rules.
    @discardableResult
    func applyToNew() async -> Int {
        let now = now()
        var judged = 0
        while let outcome = try? await queue.applyRulesToNew(at: now) {
            judged += outcome.judged
            changes.episodesChanged(outcome.changed, .mark)
            if outcome.arePlaylistsChanged { changes.changed(.playlists) }
            if !outcome.hasMore { break }
        }
        var round: RetentionRound? = RetentionRound(at: now)
        while let part = round {
            let outcome = try? await library.perform { store in
                var next = part
                return try next.advance(in: store).map { (next, $0) }
            }
            changes.episodesChanged(outcome?.1 ?? [], .mark)
            round = outcome?.0
        }
        return judged
    }

    /// Applies the rules to episodes that were not reported, and has clients read their lists again.
    func applyMissed() async {
        try? await queue.reload()
        guard await applyToNew() > 0 else { return }
        changes.changed(.feeds)
        changes.episodesChanged(nil)
        await library.maintain()
    }

    // MARK: retention

    private func listPolicies(_ request: ListRetention) async throws -> RetentionListReply {
        try await library.read { try RetentionListReply(of: $0) }
    }

    private func setPolicy(_ request: SetRetention) async throws -> RetentionListReply {
        let policy = request.keep == "off" ? nil : try RetentionPolicy(parsing: request.keep)
        let reply = try await library.perform { [now] store in
            try store.retention.setRetention(policy, of: try store.feeds.resolveID(request.feed))
            var reply = try RetentionListReply(of: store)
            let trial = try store.retention.tryRetention(feed: nil, policies: nil, at: now(), after: nil, limit: 0)
            reply.hidden = trial.count
            reply.released = trial.files
            return reply
        }
        changes.changed(.rules)
        decisions.start { await applyToNew() }
        return reply
    }

    private func tryPolicy(_ request: TryRetention) async throws -> RetentionTrialListReply {
        let policy = try request.keep.flatMap { $0 == "off" ? nil : try RetentionPolicy(parsing: $0) }
        return try await library.read { [now] store in
            let id = try store.feeds.resolveID(request.feed)
            var policies = try store.retention.retention()
            if request.keep != nil {
                policies.removeAll { $0.feed == id }
                if let policy { policies.append((id, policy)) }
            }
            let (episodes, count, files) = try store.retention.tryRetention(
                feed: id, policies: policies, at: now(), after: request.after.map(EpisodeID.init),
                limit: request.limit + 1)
            return RetentionTrialListReply {
                $0.episodes = episodes.prefix(request.limit).map {
                    TrialReply($0.episode, action: "archive", why: $0.reason.rawValue)
                }
                $0.count = count
                $0.released = files
                $0.hasAfter = episodes.count > request.limit
            }
        }
    }
}

extension TrialReply {
    fileprivate init(_ episode: Episode, _ decision: RuleDecision) {
        self.init(
            episode, rule: decision.rule?.id, action: decision.action.description, why: decision.reason,
            key: EpisodeKey(of: episode).wireText)
    }
}

extension RuleReply {
    fileprivate init(_ id: RuleID, in store: LibraryStore) throws {
        self = try RuleListReply(of: nil, in: store).rows.first { $0.id == id } ?? RuleReply()
    }
}

extension RuleListReply {
    /// The rules that apply to a feed, or all rules, each with its number among all.
    fileprivate init(of feed: FeedID?, in store: LibraryStore) throws {
        let titles = try store.feeds.titles()
        let rules = try store.rules.rules(for: nil)
        self.init(
            rules.enumerated().filter { feed == nil || $1.feed == nil || $1.feed == feed }.map { index, rule in
                var reply = RuleReply()
                reply.id = rule.id
                reply.index = index + 1
                reply.rule = rule.text.description
                reply.feed = rule.feed
                reply.feedTitle = rule.feed.flatMap { titles[$0] }
                reply.coveredBy = rules[..<index].first { $0.covers(rule) }?.id
                return reply
            })
    }
}

extension FeedStore {
    fileprivate func titles() throws -> [FeedID: String] {
        Dictionary(uniqueKeysWithValues: try feeds().map { ($0.id, $0.title) })
    }
}

extension RetentionListReply {
    fileprivate init(of store: LibraryStore) throws {
        let titles = try store.feeds.titles()
        let policies = try store.retention.retention()
        let own = Set(policies.compactMap(\.feed))
        self.init(
            policies.map { feed, policy in
                RetentionReply {
                    $0.feed = feed
                    $0.feedTitle = feed.flatMap { titles[$0] }
                    $0.keep = policy.description
                    $0.isUnused = feed == nil && !titles.isEmpty && own.isSuperset(of: titles.keys)
                }
            })
    }
}
