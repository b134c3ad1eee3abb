public import Activity
public import LibraryModel
public import PodcastModel

/// What choosing needs from the queue.
public protocol ChoiceQueue: Sendable {
    /// The entry at the index that `3` or `#3` names; nil for text that is not an index of the queue.
    /// - Throws: if the text starts with `#` and the queue has no such entry.
    func entry(named name: String) throws -> QueueEntry?
    /// The first entry of an episode; the current one if it is of that episode.
    func entry(of episode: EpisodeID) -> QueueEntry?
    /// Inserts episodes after the current entry.
    func insertAfterCurrent(_ episodes: [EpisodeID]) async throws -> [QueueEntry]
}

/// Subscribes to feeds.
public protocol FeedSubscribing: Sendable {
    /// Subscribes to a URL; nil if it is not a feed.
    func subscribe(_ url: String) async throws -> FeedID?
}

/// Finds the episodes that a client names, and the queue's entry to play.
public struct PlayChooser: Sendable {
    private let library: any LibraryAccess
    private let queue: any ChoiceQueue
    private let feeds: any FeedSubscribing
    private let activities: any ActivityReporting
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - library: where names are looked up.
    ///   - queue: where chosen episodes are inserted.
    ///   - feeds: subscribes to a URL that is to be played.
    ///   - activities: where lookups of URLs are shown.
    ///   - now: the time of day.
    public init(
        library: any LibraryAccess, queue: any ChoiceQueue, feeds: any FeedSubscribing,
        activities: any ActivityReporting, now: @escaping @Sendable () -> Timestamp
    ) {
        self.library = library
        self.queue = queue
        self.feeds = feeds
        self.activities = activities
        self.now = now
    }

    /// A URL with such a path is a media file; its host is not asked.
    private static let mediaEndings = [
        ".mp3", ".mp2", ".mpga", ".m4a", ".m4b", ".aac", ".ogg", ".oga", ".opus", ".flac", ".wav",
    ]

    /// Episodes that one word queues at most.
    private static let mostQueued = 1000

    /// The entry to play. An episode that is not queued yet is inserted after the current entry.
    ///
    /// - Parameter mayAddFeeds: whether the caller may subscribe to a feed by its URL.
    public func entry(for what: String, mayAddFeeds: Bool) async throws -> QueueEntry {
        if let entry = try queue.entry(named: what) { return entry }
        if EpisodeChoice.isView(what) {
            let entries = try await queue.insertAfterCurrent(try await episodes(for: [what]))
            guard let first = entries.first else { throw ChoiceFailure.emptyView(what) }
            return first
        }
        let episode: EpisodeID
        if what.contains("://") {
            episode = try await self.episode(url: what, mayAddFeeds: mayAddFeeds)
        } else {
            episode = try await library.query { store in try Self.episode(named: what, in: store) }
        }
        if let queued = queue.entry(of: episode) { return queued }
        return try await queue.insertAfterCurrent([episode])[0]
    }

    /// The episodes to queue: of a feed the unplayed ones, oldest first.
    public func episodes(for what: [String]) async throws -> [EpisodeID] {
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

    /// What words name. The URL of a media file becomes an episode if it is not one yet.
    public func choices(for what: [String]) async throws -> [EpisodeChoice] {
        var choices: [EpisodeChoice] = []
        for name in what {
            if !EpisodeChoice.isView(name), name.contains("://"),
                try await library.query({ try $0.feeds.feed(url: name) }) == nil
            {
                choices.append(.one(try await episode(url: name, mayAddFeeds: false)))
            } else {
                choices.append(try await existing(name))
            }
        }
        return choices
    }

    /// What a word names that exists already.
    public func existing(_ name: String) async throws -> EpisodeChoice {
        if name.hasPrefix("#"), let entry = try queue.entry(named: name) { return .one(entry.episode) }
        let now = now()
        return try await library.query { try EpisodeChoice(name, in: $0, at: now) }
    }

    private func episode(url: String, mayAddFeeds: Bool) async throws -> EpisodeID {
        guard WebAddress.isWeb(url) else {
            throw ChoiceFailure.unsupportedURL
        }
        let known = try await library.query { store -> EpisodeID? in
            if let feed = try store.feeds.feed(url: url) { return try Self.newest(of: feed, in: store) }
            do { return try store.episodes.resolveEpisode(url).id } catch LibraryError.notFound { return nil }
        }
        if let known { return known }
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let loading = activities.begin(.loading, "Loading feed", subject: url)
        defer { loading.end() }
        if !Self.mediaEndings.contains(where: path.hasSuffix), mayAddFeeds {
            let subscribed = try await feeds.subscribe(url)
            // What was stopped in the meantime is not queued.
            try Task.checkCancellation()
            if let id = subscribed {
                let episodes = try await library.query { store in
                    let unplayed = EpisodeFilter(feed: id, isPlayed: false)
                    return try store.episodes.page(unplayed, order: .newestFirst, at: .first, limit: 100).episodes.map(
                        \.id)
                }
                guard let first = episodes.first else {
                    throw ChoiceFailure.emptyFeed
                }
                _ = try await queue.insertAfterCurrent(episodes)
                return first
            }
        }
        let now = now()
        return try await library.access { try $0.episodes.looseEpisode(url: url, title: nil, at: now) }
    }

    private static func episode(named what: String, in store: any LibraryStores) throws -> EpisodeID {
        do {
            return try store.episodes.resolveEpisode(what).id
        } catch LibraryError.notFound {
            return try newest(of: try store.feeds.resolveFeed(what), in: store)
        }
    }

    private static func newest(of feed: Feed, in store: any LibraryStores) throws -> EpisodeID {
        let unplayed = EpisodeFilter(feed: feed.id, isPlayed: false)
        let page = try store.episodes.page(unplayed, order: .newestFirst, at: .first, limit: 1)
        guard let episode = page.episodes.first else {
            throw ChoiceFailure.nothingUnplayed(feed.title)
        }
        return episode.id
    }
}
