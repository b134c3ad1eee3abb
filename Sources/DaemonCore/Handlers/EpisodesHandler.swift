internal import ControlLanguage
internal import ControlProtocol
internal import EpisodeRules
internal import Library
internal import LibraryModel
internal import PodcastModel
internal import Refreshing
internal import SerialThreads
internal import UserActions
internal import WireMapping

/// Answers `episodes`.
struct EpisodesHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let texts: EpisodeTextService
    let downloads: DownloadActions
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    var answers: [AnsweredCommand] {
        let spoken = SpokenHandler(library: library, texts: texts)
        return EpisodesSection.commands.answered(
            by: decisions.answer(list), decisions.answer(show), decisions.answer(mark),
            decisions.answer { try await edit($0.what) { try $0.episodes.setStarred(true, $1) } },
            decisions.answer { try await edit($0.what) { try $0.episodes.setStarred(false, $1) } },
            decisions.answer(note),
            decisions.answer(download),
            decisions.answer { [downloads] in EpisodesMarkedReply(try await downloads.delete($0.what)) },
            decisions.answer(history), decisions.answer(spoken.transcript),
            decisions.answer(spoken.transcripts), decisions.answer(spoken.find))
    }

    private func list(_ request: ListEpisodes) async throws -> EpisodeListReply {
        let expression = try EpisodeExpression(parsing: request.filter ?? "")
        let asked = EpisodeFilter(request)
        let order = EpisodeOrder(request.order)
        let (anchor, limit) = (try PageAnchor(request.page), request.page.limit)
        return try await library.read { [now] store in
            var filter = EpisodeFilter(try expression.lookingUp { try store.feeds.resolveFeed($0).id }, at: now())
            filter.narrow(to: asked)
            if let feed = request.feed { filter.feed = try store.feeds.resolveFeed(feed).id }
            let page = try store.episodes.page(filter, order: order, at: anchor, limit: limit)
            return EpisodeListReply(page, at: anchor, count: try store.episodes.count(filter, upTo: countingBound))
        }
    }

    private func show(_ request: ShowEpisode) async throws -> EpisodeDetailReply {
        var (reply, isRequested) = try await library.read { store in
            let episode = try store.episodes.resolveEpisode(request.episode)
            let notes = try store.episodes.notes(of: episode.id)
            var reply = EpisodeDetailReply(
                EpisodeReply(listing: episode), notes,
                ruleAct: try store.rules.ruleAct(on: episode.id).map {
                    RuleActReply(rule: $0.rule, action: $0.action, time: $0.time)
                })
            reply.details = try store.episodes.details(of: episode.id)
            reply.feedDetails = try store.feeds.details(of: episode.feed)
            return (reply, try store.downloads.isDownloadWished(of: episode.id))
        }
        let id = reply.episode.episode.id
        if isRequested { reply.download = await downloads.manager.description(of: id) }
        texts.prepare([id])
        return reply
    }

    private func mark(_ request: MarkEpisodes) async throws -> EpisodesMarkedReply {
        let now = now()
        return try await edit(request.what) { try $0.episodes.setPlayed(request.mark == .played, $1, at: now) }
    }

    private func note(_ request: NoteEpisode) async throws -> EpisodeNotedReply {
        let id = try await library.perform { store in
            let id = try store.episodes.resolveEpisode(request.episode).id
            try store.episodes.setNote(request.text.isEmpty ? nil : request.text, of: id)
            return id
        }
        changes.episodesChanged([id])
        return EpisodeNotedReply(id)
    }

    private func download(_ request: DownloadEpisodes) async throws -> DownloadsReply {
        let (episodes, hasMore) = try await downloads.download(request.what, limit: request.limit)
        return DownloadsReply(episodes.map { EpisodeReply(listing: $0) }, hasMore: hasMore)
    }

    private func history(_ request: ListHistory) async throws -> HistoryReply {
        HistoryReply(try await library.read { try $0.history.history(limit: request.limit) }.map { HeardReply($0) })
    }

    private func edit(
        _ what: [String], _ apply: @escaping @Sendable (LibraryStore, [EpisodeID]) throws -> Void
    ) async throws -> EpisodesMarkedReply {
        let ids = try await library.perform { store in
            // All names are resolved before anything changes.
            let ids = try what.map { try store.episodes.resolveEpisode($0).id }
            try apply(store, ids)
            return ids
        }
        changes.episodesChanged(ids)
        return EpisodesMarkedReply(ids)
    }
}

extension EpisodeFilter {
    /// The conditions that have their own parameters, except the feed.
    fileprivate init(_ request: ListEpisodes) {
        self.init()
        if request.isUnplayed { isPlayed = false }
        if request.isStarred { isStarred = true }
        if request.isDownloaded { isDownloaded = true }
        if request.isInProgress { isInProgress = true }
        if request.isGone { isGone = true }
        text = request.search
    }
}

extension EpisodeOrder {
    fileprivate init(_ order: ListEpisodes.Order?) {
        switch order {
        case .oldest?: self = .oldestFirst
        case .newest?: self = .newestFirst
        case .best?, nil: self = .bestFirst
        }
    }
}
