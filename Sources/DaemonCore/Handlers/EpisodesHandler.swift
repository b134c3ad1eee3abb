internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import Playback
internal import PodcastModel
internal import SerialThreads

extension DaemonParts {
    var episodeAnswers: [AnsweredCommand] {
        decisions.answers(
            list, get, show, mark, { @Sendable [self] (request: StarEpisodes) in try await star(request.what, true) },
            { @Sendable [self] (request: UnstarEpisodes) in try await star(request.what, false) }, note, setPosition,
            download, listDownloads, deleteDownloads, history, chapters)
            + transcripts.answers + files.answers + pictures.answers
    }

    private func star(_ what: [String], _ isStarred: Bool) async throws -> EpisodesMarkedReply {
        try await edit(chooser.chosen(what, .all) { $0.state.isStarred != isStarred }) {
            try $0.episodes.setStarred(isStarred, $1)
        }
    }

    private func list(_ request: ListEpisodes) async throws -> EpisodeListReply {
        let expression = try EpisodeExpression(parsing: request.filter ?? "")
        return try await library.read { [now] store in
            var filter = EpisodeFilter(try expression.lookingUp { try store.feeds.resolveFeed($0).id }, at: now())
            // The conditions that have their own parameters.
            var asked = EpisodeFilter(
                isPlayed: request.isUnplayed ? false : nil, isStarred: request.isStarred ? true : nil,
                isInProgress: request.isInProgress ? true : nil, isDownloaded: request.isDownloaded ? true : nil,
                isGone: request.isGone ? true : nil, text: request.search)
            asked.searchesFeedTitles = request.searchesFeedTitles
            asked.feed = try store.feeds.resolveID(request.feed)
            filter.narrow(to: asked)
            let order: EpisodeOrder =
                request.order ?? (request.isInProgress && filter.text == nil ? .lastHeardFirst : .bestFirst)
            if filter.text != nil, ![.bestFirst, .newestFirst, .oldestFirst].contains(order) {
                throw ControlError(
                    .invalidArgument, "a search has no order '\(order.rawValue)'", hint: "use best, newest or oldest")
            }
            return try EpisodeListReply(filter, order, request.page, in: store)
        }
    }

    private func get(_ request: GetEpisodes) async throws -> EpisodeRowsReply {
        guard request.ids.count <= GetEpisodes.mostEpisodes else {
            throw ControlError(.invalidArgument, "more than \(GetEpisodes.mostEpisodes) ids")
        }
        let rows = try await library.read { try $0.episodes.episodes(request.ids) }
        return EpisodeRowsReply(rows.map { EpisodeReply(listing: $0) })
    }

    private func show(_ request: ShowEpisode) async throws -> EpisodeDetailReply {
        var (reply, published, isRequested) = try await library.read { store in
            let episode = try Self.shownEpisode(request.episode, in: store)
            let notes = try store.episodes.notes(of: episode.id)
            var reply = EpisodeDetailReply()
            reply.episode = EpisodeReply(listing: episode)
            reply.summary = notes.summary?.formatted
            reply.content = notes.content?.formatted
            reply.html = (notes.content ?? notes.summary)?.html
            reply.ruleAct = try store.rules.ruleAct(on: episode.id)
            reply.bookmarks = try store.bookmarks.bookmarks(of: episode.id)
            reply.details = try store.episodes.details(of: episode.id)
            reply.feedDetails = try store.feeds.details(of: episode.feed)
            return (reply, notes.chapters, try store.downloads.downloadRequest(of: episode.id) != nil)
        }
        let episode = reply.episode.episode
        let id = episode.id
        reply.path = await downloads.wholeFile(url: episode.enclosure.url)
        if isRequested {
            reply.download = await downloads.description(of: id)
        } else if reply.path != nil, !episode.state.isDownloaded {
            reply.download = "in the cache until its space is needed"
        }
        let isOnDisk = reply.path != nil || player.status.entry?.episode == id
        reply.hasPicture = try await pictures.hasPicture(of: id, inFile: isOnDisk ? episode.enclosure.url : nil)
        let known = fileChapters.known(of: id) ?? []
        let chapters = ChapterList(published: published, ofFile: known, of: episode)
        reply.chapters = try await replies(for: chapters, of: reply.episode.episode)
        if request.fetches {
            programs.texts.prepare([id])
            if player.status.entry?.episode != id {
                decisions.start { [fileChapters] in _ = await fileChapters.chapters(of: id) }
            }
        }
        return reply
    }

    private func chapters(_ request: ListChapters) async throws -> ChapterListReply {
        let status = player.status
        let episode: Episode
        if let word = request.episode {
            episode = try await library.read { try Self.shownEpisode(word, in: $0) }
        } else {
            guard let entry = status.entry ?? queue.snapshot.currentEntry else { throw PlayerError.nothingPlaying }
            episode = try await library.episode(entry.episode)
        }
        _ = try? await programs.texts.fetch(episode.id)
        let rows: [ChapterReply]
        if status.entry?.episode == episode.id, status.info != nil {
            let now = player.status
            rows = ChapterList(merging: [now.chapters]).replies(skipping: now.parameters.skips, duration: now.duration)
        } else {
            let own = await fileChapters.chapters(of: episode.id)
            let published = try await library.read { try $0.episodes.notes(of: episode.id).chapters }
            rows = try await replies(for: ChapterList(published: published, ofFile: own, of: episode), of: episode)
        }
        return ChapterListReply {
            $0.episode = episode.id
            $0.title = episode.title
            $0.chapters = rows
        }
    }

    /// With the parts that playback would leave out of an episode.
    private func replies(for chapters: ChapterList, of episode: Episode) async throws -> [ChapterReply] {
        let all = SoundSettings(settings.current.settings)
        let skips = try await library.read { store in
            let feed = try store.feeds.sound(of: episode.feed)
            return all.applied(to: feed.settings, isMusic: feed.isMusic).parameters(
                chapters: chapters.chapters, duration: episode.measuredDuration,
                marked: try store.bookmarks.skips(of: episode.id)
            ).skips
        }
        return chapters.replies(skipping: skips, duration: episode.measuredDuration)
    }

    /// The word may mean a feed as well, so the error names the feed.
    private static func shownEpisode(_ word: String, in store: LibraryStore) throws -> Episode {
        let found = try store.names.resolve(Name(word, number: .episode), word: word, .feedOrEpisode, isExact: false)
        if found.count > 1 { throw LibraryError.refused("'\(word)' names several; only one can be shown") }
        switch found[0] {
        case .episode(let id): return try store.episodes.episode(id)
        case .feed(let id):
            let feed = try store.feeds.feed(id)
            var error = ControlError(
                .invalidArgument, "'\(word)' is a feed: \(feed.title)", hint: "podcastctl feed \(id.label)")
            error.candidates = [NamedCandidate(.feed(id), title: feed.title)]
            throw error
        }
    }

    private func mark(_ request: MarkEpisodes) async throws -> EpisodesMarkedReply {
        let now = now()
        let isPlayed = request.mark == .played
        var chosen = try await chooser.chosen(request.what, .all) { $0.state.isPlayed != isPlayed }
        if let bound = request.olderThan {
            let all = chosen.flatMap(\.episodes)
            let older = try await library.read { store in
                let bound = try store.episodes.resolveEpisode(bound)
                return Set(try store.episodes.episodes(all).filter { $0.published < bound.published }.map(\.id))
            }
            for index in chosen.indices { chosen[index].episodes.removeAll { !older.contains($0) } }
        }
        let known = chosen
        let already = try await library.read { store in
            isPlayed ? try store.episodes.episodes(EpisodesMarkedReply(known).episodes).count { $0.state.isPlayed } : 0
        }
        var reply = try await edit(chosen) { try $0.episodes.setPlayed(isPlayed, $1, at: now) }
        reply.alreadyPlayed = already
        return reply
    }

    private func note(_ request: NoteEpisode) async throws -> EpisodeNotedReply {
        let note = request.text.nonEmpty
        let episode = try await library.perform { store in
            let episode = try store.episodes.resolveEpisode(request.episode, isExact: request.isExact)
            try store.episodes.setNote(note, of: episode.id)
            return episode
        }
        changes.episodesChanged([episode.id], .mark)
        return EpisodeNotedReply {
            $0.episode = episode.id
            $0.title = episode.title
            $0.note = note
        }
    }

    private func history(_ request: ListHistory) async throws -> HistoryReply {
        let key = try request.after.map { (text) throws(ControlError) in try HistoryKey(wireText: text) }
        let start = try request.since.map { (text) throws(ControlError) in try CalendarDay(asked: text).localStart }
        let records = try await library.read { store in
            try store.history.history(
                of: try store.feeds.resolveID(request.feed), since: start, after: key,
                limit: request.limit + 1, heardOnly: request.heardOnly)
        }
        let rows = records.prefix(request.limit).map { record in
            let key = HistoryKey(time: record.time, number: record.number).wireText
            return HeardReply {
                $0.record = record
                $0.key = key
            }
        }
        return HistoryReply(rows, hasAfter: records.count > request.limit)
    }

    private func edit(
        _ chosen: [ChosenEpisodes], _ apply: @escaping @Sendable (LibraryStore, [EpisodeID]) throws -> Void
    ) async throws -> EpisodesMarkedReply {
        let reply = EpisodesMarkedReply(chosen)
        if reply.episodes.isEmpty { return reply }
        try await library.perform { try apply($0, reply.episodes) }
        changes.episodesChanged(reply.episodes, .mark)
        return reply
    }
}

extension ChapterList {
    fileprivate func replies(skipping skips: [Range<MediaTime>], duration: MediaTime?) -> [ChapterReply] {
        listed(skipping: skips, duration: duration).map { ChapterReply($0.chapter, isSkipped: $0.isSkipped) }
    }
}

extension EpisodesMarkedReply {
    /// Each episode once, in the order in which it was named.
    init(_ chosen: [ChosenEpisodes]) {
        var seen: Set<EpisodeID> = []
        self.init(chosen.flatMap(\.episodes).filter { seen.insert($0).inserted }, named: chosen.map { NamedReply($0) })
    }
}

extension ChapterList {
    fileprivate init(published: [Chapter], ofFile: [Chapter], of episode: Episode) {
        self.init(
            published: published, ofFile: ofFile, duration: episode.measuredDuration,
            announced: episode.announcedDuration)
    }
}
