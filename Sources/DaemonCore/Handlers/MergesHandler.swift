internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import LibraryModel
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import SharedQueue

/// Answers `merges`.
struct MergesHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let queue: QueueService
    let player: Player
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    var answers: [AnsweredCommand] {
        MergesSection.commands.answered(by: decisions.answer(list), decisions.answer(split), decisions.answer(join))
    }

    private func list(_ request: ListMerges) async throws -> MergeListReply {
        let before = request.before.map(DecisionID.init)
        return try await library.read { store in
            let feed = try request.feed.map { try store.resolveFeed($0).id }
            return MergeListReply(
                try store.identityDecisions(of: feed, before: before, limit: request.limit).map { MergeReply($0) })
        }
    }

    private func split(_ request: SplitMerge) async throws -> EpisodeSplitReply {
        let time = now()
        let split = try await library.perform { try $0.split(DecisionID(request.merge), at: time) }
        try await queue.reload()
        changes.changed(.episodes)
        return EpisodeSplitReply(kept: split.kept, other: split.other)
    }

    private func join(_ request: JoinEpisodes) async throws -> EpisodesJoinedReply {
        let (kept, other) = try await library.read { store in
            (try store.resolveEpisode(request.episode).id, try store.resolveEpisode(request.other).id)
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
