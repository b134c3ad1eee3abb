internal import Activity
internal import ControlProtocol
internal import JSON
internal import Library
internal import LibraryModel
internal import PodcastModel

/// Turns what a client wants to hear into an entry of the queue.
struct PlayChooser {
    let library: LibraryService
    let queue: QueueService
    let refresher: RefreshRunner
    let activities: ActivityBoard
    let now: @Sendable () -> Timestamp
    let changes: ChangeBoard

    /// Endings by which an URL is taken for a media file without asking its host what it is.
    private static let mediaEndings = [
        ".mp3", ".mp2", ".mpga", ".m4a", ".m4b", ".aac", ".ogg", ".oga", ".opus", ".flac", ".wav",
    ]

    /// Episodes that one word puts into the queue at most.
    private static let mostQueued = 1000

    /// The entry to play. An episode that is not queued yet is put after the current entry.
    func entry(for what: String, mayAddFeeds: Bool) async throws -> QueueEntry {
        if let entry = try queue.entry(named: what) { return entry }
        if EpisodeChoice.isView(what) {
            let entries = try await queue.insertAfterCurrent(try await episodes(for: [what]))
            guard let first = entries.first else { throw ControlError(.notFound, "\(what) has no episode to play") }
            return first
        }
        let episode: EpisodeID
        if what.contains("://") {
            episode = try await self.episode(url: what, mayAddFeeds: mayAddFeeds)
        } else {
            episode = try await library.read { store in try Self.episode(named: what, in: store) }
        }
        if let queued = queue.entry(of: episode) { return queued }
        return try await queue.insertAfterCurrent([episode])[0]
    }

    /// The episodes that an edit of the queue names; a feed stands for its unplayed ones, oldest first.
    func episodes(for what: [String]) async throws -> [EpisodeID] {
        var episodes: [EpisodeID] = []
        for choice in try await choices(for: what) {
            switch choice {
            case .one(let id): episodes.append(id)
            case .feed(let feed):
                let unplayed = EpisodeFilter(feed: feed, isPlayed: false)
                episodes += try await first(of: unplayed, order: .oldestFirst)
            case .view(let filter, let order): episodes += try await first(of: filter, order: order)
            }
        }
        return episodes
    }

    private func first(of filter: EpisodeFilter, order: EpisodeOrder) async throws -> [EpisodeID] {
        try await library.firstEpisodes(filter, order: order, limit: Self.mostQueued).episodes.map(\.id)
    }

    /// What words stand for. The URL of a media file that is no known episode's becomes an episode.
    func choices(for what: [String]) async throws -> [EpisodeChoice] {
        var choices: [EpisodeChoice] = []
        for name in what {
            if !EpisodeChoice.isView(name), name.contains("://"),
                try await library.read({ try $0.feed(url: name) }) == nil
            {
                choices.append(.one(try await episode(url: name, mayAddFeeds: false)))
            } else {
                choices.append(try await known(name))
            }
        }
        return choices
    }

    /// What a word stands for that names something that is there.
    func known(_ name: String) async throws -> EpisodeChoice {
        if name.hasPrefix("#"), let entry = try queue.entry(named: name) { return .one(entry.episode) }
        let now = now()
        return try await library.read { try EpisodeChoice(name, in: $0, at: now) }
    }

    private func episode(url: String, mayAddFeeds: Bool) async throws -> EpisodeID {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ControlError(
                .invalidArgument, "only http and https URLs are played", hint: "podcast-play plays files")
        }
        let known = try await library.read { store -> EpisodeID? in
            if let feed = try store.feed(url: url) { return try Self.newest(of: feed, in: store) }
            do { return try store.resolveEpisode(url).id } catch LibraryError.notFound { return nil }
        }
        if let known { return known }
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let loading = activities.begin(.loading, "Loading playlist", subject: url)
        defer { loading.end() }
        if !Self.mediaEndings.contains(where: path.hasSuffix), mayAddFeeds {
            let outcome = try await refresher.run(["add", "--urls-only"], on: [url])
            if let id = outcome.document["feeds"]?.arrayValue?.first?["id"]?.integerValue {
                changes.changed(.feeds)
                changes.changed(.episodes)
                let episodes = try await library.read { store in
                    let unplayed = EpisodeFilter(feed: FeedID(id), isPlayed: false)
                    return try store.page(unplayed, order: .newestFirst, at: .first, limit: 100).episodes.map(\.id)
                }
                guard let first = episodes.first else {
                    throw ControlError(.feedFailed, "the feed has no episode to play")
                }
                _ = try await queue.insertAfterCurrent(episodes)
                return first
            }
        }
        let now = now()
        return try await library.perform { try $0.looseEpisode(url: url, title: nil, at: now) }
    }

    private static func episode(named what: String, in store: some FeedStore & EpisodeStore) throws -> EpisodeID {
        do {
            return try store.resolveEpisode(what).id
        } catch LibraryError.notFound {
            return try newest(of: try store.resolveFeed(what), in: store)
        }
    }

    private static func newest(of feed: Feed, in store: some EpisodeStore) throws -> EpisodeID {
        let unplayed = EpisodeFilter(feed: feed.id, isPlayed: false)
        let page = try store.page(unplayed, order: .newestFirst, at: .first, limit: 1)
        guard let episode = page.episodes.first else {
            throw ControlError(.notFound, "\(feed.title) has no unplayed episode", hint: "name one of its episodes")
        }
        return episode.id
    }
}
