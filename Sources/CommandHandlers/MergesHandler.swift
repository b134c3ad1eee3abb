internal import ControlLanguage
internal import ControlProtocol
internal import LibraryModel
internal import Playback
internal import PodcastModel
internal import SerialThreads
internal import SharedQueue
internal import WireMapping

/// Answers `merges`.
struct MergesHandler: CommandHandler {
    let decisions: DecisionThread
    let library: any LibraryAccess
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
            let feed = try request.feed.map { try store.feeds.resolveFeed($0).id }
            let found = try store.identity.identityDecisions(of: feed, before: before, limit: request.limit + 1)
            return MergeListReply(
                found.prefix(request.limit).map { MergeReply($0) }, hasAfter: found.count > request.limit)
        }
    }

    private func split(_ request: SplitMerge) async throws -> EpisodeSplitReply {
        let time = now()
        let split = try await library.perform { try $0.identity.split(DecisionID(request.merge), at: time) }
        try await queue.reload()
        changes.changed(
            .episodes, [RowChange(.update, split.kept.rawValue), RowChange(.insert, split.other.rawValue)])
        return EpisodeSplitReply(kept: split.kept, other: split.other)
    }

    private func join(_ request: JoinEpisodes) async throws -> EpisodesJoinedReply {
        let (kept, other) = try await library.read { store in
            (try store.episodes.resolveEpisode(request.episode).id, try store.episodes.resolveEpisode(request.other).id)
        }
        if player.status.entry?.episode == other {
            throw ControlError(
                .conflict, "episode \(other.label) is the current episode",
                hint: "give it as the first argument, so that it stays")
        }
        let time = now()
        let decision = try await library.perform { try $0.identity.join(kept, with: other, at: time) }
        try await queue.reload()
        changes.changed(.episodes, [RowChange(.update, kept.rawValue), RowChange(.delete, other.rawValue)])
        return EpisodesJoinedReply(merge: decision.rawValue, episode: kept)
    }
}
