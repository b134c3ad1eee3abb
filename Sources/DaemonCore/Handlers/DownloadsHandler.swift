internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel

extension DaemonParts {
    /// Requests downloads; of a feed the newest unplayed episodes. The limit is per feed or view. Unplayable episodes are not
    /// requested, and files of this machine are left out.
    func download(_ request: DownloadEpisodes) async throws -> DownloadsReply {
        let chosen = try await chooser.chosen(
            request.what, .unplayedNewestFirst, limit: request.limit, mayAddFiles: true)
        let named = EpisodesMarkedReply(chosen).episodes
        let now = now()
        await downloads.reconcile()
        let (episodes, playable) = try await library.perform { store in
            let all = try store.episodes.episodes(named)
            let episodes = all.filter { !FileAddress.isFile($0.enclosure.url) }
            if episodes.isEmpty, let first = all.first {
                throw ControlError(
                    .invalidArgument, "'\(first.title)' is a file of this machine: it is on disk already")
            }
            let playable = episodes.filter { $0.unplayableFormat == nil }
            if playable.isEmpty, let first = episodes.first, let name = first.unplayableFormat {
                throw ControlError(
                    .mediaFailed, "'\(first.title)' is not downloaded, because \(name) cannot be played", status: 65)
            }
            try store.downloads.requestDownloads(of: playable.map(\.id), at: now)
            return (episodes, playable)
        }
        await downloads.retry(playable.map(\.id))
        changes.downloadsChanged(playable.map(\.id))
        var reply = DownloadsReply()
        reply.episodes = episodes.prefix(DownloadsReply.mostListed).map { EpisodeReply(listing: $0) }
        reply.hasMore = chosen.contains(where: \.hasMore)
        reply.named = chosen.map { NamedReply($0) }
        reply.count = playable.count
        reply.present = playable.count { $0.state.isDownloaded }
        return reply
    }

    /// Deletes files and withdraws requests of the named episodes. Only episodes that have one of both are listed in the answer.
    func deleteDownloads(_ request: DeleteDownloads) async throws -> EpisodesMarkedReply {
        let requests = try await library.read { Set(try $0.downloads.requestedDownloads(limit: 1_000_000)) }
        let files = await downloads.wholeFiles
        let isStored: @Sendable (Episode) -> Bool = { $0.state.isDownloaded || files[$0.enclosure.url] != nil }
        let isKept: @Sendable (Episode) -> Bool = { isStored($0) || requests.contains($0.id) }
        var chosen: [ChosenEpisodes]
        do {
            chosen = try await chooser.chosen(request.what, .all, isExact: !request.acceptsPart, where: isKept)
        } catch LibraryError.ambiguous(let name, let kind, let candidates) where kind != .feed {
            // Only episodes with a file or a request can be meant.
            let recorded = try await library.read { store in
                try store.episodes.episodes(Array(requests.union(store.downloads.downloadedURLs().keys)))
            }
            let kept = Set((recorded + (try await cached().map(\.episode))).map { NamedCandidate($0) })
            switch TitleResolver(name).resolve(kept) {
            case .none: throw LibraryError.ambiguous(name, of: kind, candidates: candidates)
            case .several(let several): throw LibraryError.ambiguous(name, of: .episode, candidates: several)
            case .one(let one, let isWhole):
                if !request.acceptsPart, !isWhole { throw LibraryError.inexact(name, one) }
                chosen = try await chooser.chosen([one.label], .all)
            }
        }
        let named = EpisodesMarkedReply(chosen).episodes
        let episodes = try await library.perform { store in
            let kept = try store.episodes.episodes(named).filter(isKept)
            let recorded = kept.filter { $0.state.isDownloaded || requests.contains($0.id) }
            if !recorded.isEmpty { try store.downloads.deleteDownloads(of: recorded.map(\.id)) }
            return kept
        }
        let dropped = Set(episodes.map(\.id))
        for index in chosen.indices { chosen[index].episodes.removeAll { !dropped.contains($0) } }
        changes.downloadsChanged(episodes.map(\.id))
        try await downloads.remove(episodes)
        var reply = EpisodesMarkedReply(chosen)
        reply.cancelled = episodes.count { !isStored($0) }
        return reply
    }

    /// The episodes of feeds whose files are on disk.
    func stored(of feeds: Set<FeedID>) async throws -> [Episode] {
        let downloaded = try await library.read { store in
            try store.episodes.episodes(Array(store.downloads.downloadedURLs().keys))
        }
        return (try await cached().map(\.episode) + downloaded).filter { feeds.contains($0.feed) }
    }

    /// Episodes that are not downloaded but completely cached, newest first, with the files' paths.
    private func cached() async throws -> [(episode: Episode, path: String)] {
        let files = await downloads.wholeFiles
        if files.isEmpty { return [] }
        return try await library.read { store in
            let heard = try store.downloads.recentlyHeardURLs(limit: 10_000).filter { files[$0.value] != nil }
            return try store.episodes.episodes(Array(heard.keys)).filter { !$0.state.isDownloaded }
        }.sorted { ($0.published.milliseconds, $0.id.rawValue) > ($1.published.milliseconds, $1.id.rawValue) }
            .map { ($0, files[$0.enclosure.url] ?? "") }
    }

    // MARK: the list

    func listDownloads(_ request: ListDownloads) async throws -> DownloadListReply {
        let (key, requested, kept) = try await library.read { store in
            let key = try request.after.map { try Self.downloadKey($0, in: store) }
            let rows = try Self.downloadRows(after: key, limit: request.limit + 1, in: store)
            return (key, rows.requested, rows.kept)
        }
        let states = await downloads.states
        let files = await downloads.wholeFiles
        let now = now()
        var rows = requested.map {
            DownloadReply($0.episode, states[$0.episode.id], at: now, key: .request($0.request))
        }
        rows += kept.map {
            let key = DownloadKey.file(EpisodeKey(of: $0))
            return DownloadReply($0, .downloaded, key: key.wireText, path: files[$0.enclosure.url])
        }
        if rows.count <= request.limit {
            rows += try await cached().compactMap { episode, path in
                let place = EpisodeKey(of: episode)
                if let key, !key.isBefore(place) { return nil }
                return DownloadReply(episode, .cached, key: DownloadKey.cached(place).wireText, path: path)
            }
        }
        return DownloadListReply(Array(rows.prefix(request.limit)), hasAfter: rows.count > request.limit)
    }

    /// The row with a key, or of an episode by its id.
    private static func downloadKey(_ text: String, in store: LibraryStore) throws -> DownloadKey {
        guard text.hasPrefix("e") else { return try DownloadKey(wireText: text) }
        let episode = try store.episodes.resolveEpisode(text)
        if let request = try store.downloads.downloadRequest(of: episode.id) { return .request(request) }
        let key = EpisodeKey(of: episode)
        return episode.state.isDownloaded ? .file(key) : .cached(key)
    }

    /// The requests and then the files that follow a row.
    private static func downloadRows(
        after key: DownloadKey?, limit: Int, in store: LibraryStore
    ) throws -> (requested: [(request: DownloadRequest, episode: Episode)], kept: [Episode]) {
        var requests: [DownloadRequest] = []
        var anchor = PageAnchor.first
        switch key {
        case nil: requests = try store.downloads.downloadRequests(after: nil, limit: limit)
        case .request(let last)?: requests = try store.downloads.downloadRequests(after: last, limit: limit)
        case .file(let last)?: anchor = .after(last)
        case .cached?: return ([], [])
        }
        let requested = try requests.compactMap { request in
            try store.episodes.episodes([request.episode]).first.map { (request, $0) }
        }
        if requested.count == limit { return (requested, []) }
        let kept = try store.episodes.page(
            EpisodeFilter(isDownloaded: true), order: .newestFirst, at: anchor, limit: limit - requested.count)
        return (requested, kept.episodes)
    }
}

extension Episode {
    /// The format of a file that cannot be played.
    var unplayableFormat: String? { UnplayableMedia.name(type: enclosure.type, url: enclosure.url) }
}

extension DownloadReply {
    /// The state of a download request; nil if the request waits.
    fileprivate init(_ episode: Episode, _ state: DownloadState?, at now: Timestamp, key: DownloadKey) {
        let key = key.wireText
        switch state {
        case nil: self.init(episode, .waiting, key: key)
        case .played?:
            self.init(episode, .waiting, key: key)
            reason = DownloadState.playedReason
        case .underWay(let share)?:
            self.init(episode, .downloading, key: key)
            progress = share
        case .failed(let why, let delay)?:
            self.init(episode, .failed, key: key)
            reason = why
            nextTry = delay.map { now.adding(seconds: $0.components.seconds) }
        }
    }
}
