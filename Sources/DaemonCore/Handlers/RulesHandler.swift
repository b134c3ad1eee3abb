internal import ControlProtocol
internal import EpisodeRules
internal import Library
internal import LibraryModel
internal import PodcastModel

/// Answers `rules`.
struct RulesHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let keeper: RuleKeeper
    let changes: ChangeBoard
    let now: @Sendable () -> Timestamp

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        let rule = RuleID(parameters.integer("rule") ?? 0)
        switch call.command(of: RulesCommand.self) {
        case .list?: return list(feed: parameters.text("feed"))
        case .add?: return add(parameters.text(required: "rule"), feed: parameters.text("feed"))
        case .remove?:
            return decisions.answer { [library, changes] in
                try await library.perform { try $0.removeRule(rule) }
                changes.changed(.rules)
                return EmptyReply()
            }
        case .move?:
            let index = Int(parameters.integer(required: "to")) - 1
            return decisions.answer { [library, changes] in
                let rules = try await library.perform { store in
                    try store.moveRule(rule, to: index)
                    return try RuleListReply(of: nil, in: store)
                }
                changes.changed(.rules)
                return rules
            }
        case .try?: return trial(feed: parameters.text("feed"), limit: parameters.limit)
        case .apply?:
            let feed = parameters.text("feed")
            return decisions.answer { [library, keeper] in
                let id = try await library.read { store in try feed.map { try store.resolveFeed($0).id } }
                let (judged, changed) = try await keeper.apply(to: id)
                return RulesAppliedReply(judged: judged, changed: changed)
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func list(feed: String?) -> CommandAnswer {
        decisions.answer { [library] in
            try await library.read { store in
                try RuleListReply(of: try feed.map { try store.resolveFeed($0).id }, in: store)
            }
        }
    }

    private func add(_ text: String, feed: String?) -> CommandAnswer {
        decisions.answer { [library, changes] in
            let reply = try await library.perform { store in
                var rule = try RuleText(parsing: text)
                rule.condition = try rule.condition.lookingUp { try store.resolveFeed($0).id }
                let added = try store.addRule(rule, feed: try feed.map { try store.resolveFeed($0).id })
                return try RuleListReply(of: nil, in: store).rules.first { $0.id == added.id } ?? RuleReply()
            }
            changes.changed(.rules)
            return reply
        }
    }

    private func trial(feed: String?, limit: Int) -> CommandAnswer {
        decisions.answer { [library, now] in
            try await library.read { store in
                let id = try feed.map { try store.resolveFeed($0).id }
                return RuleTrialListReply(
                    try store.tryRules(feed: id, at: now(), limit: limit).map { trial in
                        let decision = trial.decision
                        return RuleTrialReply(
                            trial.episode, rule: decision.rule?.id, action: decision.action.description,
                            why: decision.reason)
                    })
            }
        }
    }
}

extension RuleListReply {
    /// The rules that look at a feed, or all of them, each with its place among all.
    fileprivate init(of feed: FeedID?, in store: LibraryStore) throws {
        let titles = Dictionary(try store.feeds().map { ($0.id, $0.title) }) { first, _ in first }
        self.init(
            try store.rules().enumerated().filter { feed == nil || $1.feed == nil || $1.feed == feed }
                .map { index, rule in
                    RuleReply(
                        id: rule.id, index: index + 1, feed: rule.feed, feedTitle: rule.feed.flatMap { titles[$0] },
                        rule: rule.text.description)
                })
    }
}

/// Answers `retention`.
struct RetentionHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let keeper: RuleKeeper
    let changes: ChangeBoard
    let now: @Sendable () -> Timestamp

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: RetentionCommand.self) {
        case .list?:
            return decisions.answer { [library] in try await library.read { try RetentionListReply(of: $0) } }
        case .set?: return set(parameters.text(required: "keep"), feed: parameters.text("feed"))
        case .try?:
            let (feed, limit) = (parameters.text("feed"), parameters.limit)
            return decisions.answer { [library, now] in
                try await library.read { store in
                    let id = try feed.map { try store.resolveFeed($0).id }
                    return RetentionTrialListReply(
                        try store.tryRetention(feed: id, at: now(), limit: limit).map {
                            RetentionTrialReply($0.episode, why: $0.reason.words)
                        })
                }
            }
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func set(_ text: String, feed: String?) -> CommandAnswer {
        decisions.answer { [library, changes, decisions, keeper] in
            let policy = text == "off" ? nil : try RetentionPolicy(parsing: text)
            let reply = try await library.perform { store in
                try store.setRetention(policy, of: try feed.map { try store.resolveFeed($0).id })
                return try RetentionListReply(of: store)
            }
            changes.changed(.rules)
            decisions.start { await keeper.settle() }
            return reply
        }
    }
}

extension RetentionListReply {
    fileprivate init(of store: LibraryStore) throws {
        let titles = Dictionary(try store.feeds().map { ($0.id, $0.title) }) { first, _ in first }
        self.init(
            try store.retention().map { feed, policy in
                RetentionReply(feed: feed, feedTitle: feed.flatMap { titles[$0] }, keep: policy.description)
            })
    }
}

extension RetentionReason {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .notNewest: "enough newer ones are there"
        case .tooOld: "it was there long enough"
        case .played: "it was played"
        }
    }
}
