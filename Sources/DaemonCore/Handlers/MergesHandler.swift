internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Playback
internal import PodcastModel

/// Answers `merges`.
struct MergesHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let queue: QueueService
    let player: Player
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: MergesCommand.self) {
        case .list?: return list(parameters)
        case .split?: return split(DecisionID(parameters.integer("merge") ?? 0))
        case .join?: return join(parameters.text(required: "episode"), with: parameters.text(required: "other"))
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private func list(_ parameters: Parameters) -> CommandAnswer {
        let (what, limit) = (parameters.text("feed"), parameters.limit)
        let before = parameters.integer("before").map(DecisionID.init)
        return decisions.answer { [library] in
            try await library.read { store in
                let feed = try what.map { try store.resolveFeed($0).id }
                return MergeListReply(
                    try store.identityDecisions(of: feed, before: before, limit: limit).map { MergeReply($0) })
            }
        }
    }

    private func split(_ decision: DecisionID) -> CommandAnswer {
        decisions.answer { [library, queue, changes, now] in
            let time = now()
            let split = try await library.perform { try $0.split(decision, at: time) }
            try await queue.reload()
            changes.changed(.episodes)
            return EpisodeSplitReply(kept: split.kept, other: split.other)
        }
    }

    private func join(_ what: String, with otherWhat: String) -> CommandAnswer {
        decisions.answer { [library, queue, player, changes, now] in
            let (kept, other) = try await library.read { store in
                (try store.resolveEpisode(what).id, try store.resolveEpisode(otherWhat).id)
            }
            if player.status.entry?.episode == other {
                // Its position is being written.
                throw ControlError(
                    .conflict, "episode \(other) is in the player", hint: "name it first, so that it stays")
            }
            let time = now()
            let decision = try await library.perform { try $0.join(kept, with: other, at: time) }
            try await queue.reload()
            changes.changed(.episodes)
            return EpisodesJoinedReply(merge: decision.rawValue, episode: kept)
        }
    }
}

extension MergeReply {
    /// What was decided.
    init(_ decision: IdentityDecision) {
        self.init()
        id = decision.id.rawValue
        time = decision.time
        kind = Kind(decision.kind)
        feed = decision.feed
        feedTitle = decision.feedTitle
        episode = decision.episode
        other = decision.other
        before = PublishedNamesReply(decision.before)
        after = PublishedNamesReply(decision.after)
        isUndone = decision.isUndone
    }
}

extension MergeReply.Kind {
    init(_ kind: IdentityDecision.Kind) {
        switch kind {
        case .matchedByGUIDAlone: self = .guid
        case .matchedByURL: self = .url
        case .matchedByFile: self = .file
        case .matchedByTitle: self = .title
        case .reusedGUID: self = .reusedGUID
        case .repeatedItem: self = .repeated
        case .otherFeed: self = .otherFeed
        case .split: self = .split
        case .joined: self = .joined
        }
    }
}

extension PublishedNamesReply {
    init(_ names: PublishedIdentity) { self.init(guid: names.guid, url: names.url, title: names.title) }
}
