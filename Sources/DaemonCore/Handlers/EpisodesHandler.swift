internal import ControlProtocol
internal import EpisodeRules
internal import Library
internal import LibraryModel
internal import PodcastModel

/// Answers `episodes`.
struct EpisodesHandler: CommandHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let texts: EpisodeTextService
    let downloads: DownloadActs
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    func answer(_ call: CommandCall) -> CommandAnswer {
        let parameters = call.parameters
        switch call.command(of: EpisodesCommand.self) {
        case .list?: return list(parameters)
        case .show?: return show(parameters.text(required: "episode"))
        case .mark?:
            let played = parameters.text(required: "as") == "played"
            let now = now()
            return edit(parameters.texts("what")) { try $0.setPlayed(played, $1, at: now) }
        case .star?: return edit(parameters.texts("what")) { try $0.setStarred(true, $1) }
        case .unstar?: return edit(parameters.texts("what")) { try $0.setStarred(false, $1) }
        case .note?: return note(parameters.text(required: "text"), of: parameters.text(required: "episode"))
        case .download?:
            let (what, limit) = (parameters.texts("what"), parameters.limit)
            return decisions.answer { [downloads] in try await downloads.download(what, limit: limit) }
        case .delete?:
            let what = parameters.texts("what")
            return decisions.answer { [downloads] in try await downloads.delete(what) }
        case .history?:
            let limit = parameters.limit
            return decisions.answer { [library] in
                HistoryReply(try await library.read { try $0.history(limit: limit) }.map { HeardReply($0) })
            }
        case .transcript?: return spoken.transcript(parameters)
        case .said?: return spoken.said(parameters)
        case nil: return .error(.unknownCommand(call.declaration.name))
        }
    }

    private var spoken: SpokenHandler { SpokenHandler(decisions: decisions, library: library, texts: texts) }

    private func list(_ parameters: Parameters) -> CommandAnswer {
        decisions.answer { [library, now] in
            let expression = try EpisodeExpression(parsing: parameters.text("filter") ?? "")
            var filter = EpisodeFilter()
            if parameters.flag("unplayed") { filter.isPlayed = false }
            if parameters.flag("starred") { filter.isStarred = true }
            if parameters.flag("downloaded") { filter.isDownloaded = true }
            if parameters.flag("inProgress") { filter.isInProgress = true }
            if parameters.flag("gone") { filter.isGone = true }
            filter.text = parameters.text("search")
            let order: EpisodeOrder =
                switch parameters.text("order") {
                case "oldest": .oldestFirst
                case "newest": .newestFirst
                default: .bestFirst
                }
            let (asked, anchor, limit) = (filter, try PageAnchor(parameters), parameters.limit)
            let feed = parameters.text("feed")
            return try await library.read { store in
                var filter = EpisodeFilter(try expression.lookingUp { try store.resolveFeed($0).id }, at: now())
                filter.narrow(to: asked)
                if let feed { filter.feed = try store.resolveFeed(feed).id }
                let page = try store.page(filter, order: order, at: anchor, limit: limit)
                return EpisodeListReply(page, at: anchor, count: try store.count(filter, upTo: countingBound))
            }
        }
    }

    private func show(_ what: String) -> CommandAnswer {
        decisions.answer { [library, texts, downloads] in
            var (reply, isWished) = try await library.read { store in
                let episode = try store.resolveEpisode(what)
                let notes = try store.notes(of: episode.id)
                var reply = EpisodeDetailReply(
                    EpisodeReply(listing: episode), notes,
                    ruleAct: try store.ruleAct(on: episode.id).map {
                        RuleActReply(rule: $0.rule, action: $0.action, time: $0.time)
                    })
                reply.details = try store.details(of: episode.id)
                reply.feedDetails = try store.details(of: episode.feed)
                return (reply, try store.isDownloadWished(of: episode.id))
            }
            let id = reply.episode.episode.id
            if isWished { reply.download = await downloads.keeper.words(on: id) }
            texts.prepare([id])
            return reply
        }
    }

    private func note(_ text: String, of what: String) -> CommandAnswer {
        decisions.answer { [library, changes] in
            let id = try await library.perform { store in
                let id = try store.resolveEpisode(what).id
                try store.setNote(text.isEmpty ? nil : text, of: id)
                return id
            }
            changes.changed(.episodes)
            return EpisodeNotedReply(id)
        }
    }

    private func edit(
        _ what: [String], _ apply: @escaping @Sendable (LibraryStore, [EpisodeID]) throws -> Void
    ) -> CommandAnswer {
        decisions.answer { [library, changes] in
            let ids = try await library.perform { store in
                // All names are understood before anything changes.
                let ids = try what.map { try store.resolveEpisode($0).id }
                try apply(store, ids)
                return ids
            }
            changes.changed(.episodes)
            return EpisodesMarkedReply(ids)
        }
    }
}
