import Library
import PodcastModel
import Reporting

/// The feed at a URL, or the feed that a web page links to.
enum FoundFeed: Equatable, Sendable {
    case subscribed(FeedID)
    /// A feed that is not subscribed, and the file of its newest episode if it has any.
    case other(title: String?, url: String, newestURL: String?, newestTitle: String?)
}

/// The episodes that `play` puts at the front of the queue.
struct PlayChoice: Equatable, Sendable {
    var entry: QueueEntry
    /// Number of episodes queued with `entry`; nil if WHAT names a single episode.
    var queued: Int?
    /// A note for the user, in one line.
    var note: String?
    /// True if WHAT is a URL that was not queued before.
    var isNew = false
}

/// Finds the episodes that a client names, and the queue entry to play.
struct PlayChooser: Sendable {
    let library: any LibraryAccess
    let queue: QueueService
    let activities: ActivityBoard
    let now: @Sendable () -> Timestamp
    /// Finds the feed at a URL without subscribing; nil if there is none.
    let lookUp: @Sendable (_ url: String) async throws -> FoundFeed?

    /// More episodes than this are refused.
    private static let maximumChosen = 100_000

    // MARK: what to play

    /// The entry to play. An episode that is not queued is inserted after the current entry. A number is an index.
    /// - Parameter first: the index, from 1, of the first episode of a playlist or filter.
    func choice(for what: String, from first: Int = 1) async throws -> PlayChoice {
        let name = Name(what, number: .entry)
        switch name {
        case .entries(let range):
            guard let entry = queue.snapshot.entry(at: range.lowerBound - 1) else {
                throw LibraryError.notFound(what, of: .entry)
            }
            return PlayChoice(entry: entry)
        case .url(let url):
            let (episode, note) = try await self.episode(url: url, looksForFeeds: true)
            let isNew = queue.snapshot.entry(of: episode) == nil
            return PlayChoice(entry: try await entry(of: episode), note: note, isNew: isNew)
        case .episodes, .feeds, .current, .reversedRange, .playlist, .filter, .text:
            var chosen = try await chosen(name, what, .unplayedNewestFirst)
            if chosen.object == nil { chosen.episodes.removeFirst(min(first - 1, chosen.episodes.count)) }
            guard var first = chosen.episodes.first else {
                guard case .feed? = chosen.object else { throw ChoiceFailure.emptyView(what) }
                throw ChoiceFailure.nothingUnplayed(chosen.title ?? what)
            }
            if case .feed(let feed)? = chosen.object {
                first = try await library.read { try Self.nextOfSerial(feed, in: $0) } ?? first
            }
            if chosen.object != nil {
                let isNew = queue.snapshot.entry(of: first) == nil
                return PlayChoice(entry: try await entry(of: first), isNew: isNew)
            }
            let queued = queue.snapshot.episodes
            let added = try await queue.insertAfterCurrent(chosen.episodes.filter { !queued.contains($0) })
            guard let entry = queue.snapshot.entry(of: first) ?? added.first else {
                throw ChoiceFailure.emptyView(what)
            }
            return PlayChoice(entry: entry, queued: added.count)
        }
    }

    func entry(of episode: EpisodeID) async throws -> QueueEntry {
        if let queued = queue.snapshot.entry(of: episode) { return queued }
        return try await queue.insertAfterCurrent([episode])[0]
    }

    // MARK: what to queue, mark and keep

    /// The episodes that each word names. A number is an id. The URL of a media file becomes an episode if `mayAddFiles`.
    /// - Parameters:
    ///   - order: of the episodes of playlists and filters; nil for their own.
    ///   - limit: maximum number per feed, playlist or filter; nil for all.
    ///   - isExact: true to refuse part of a title.
    ///   - isWanted: selects episodes of feeds, playlists and filters.
    func chosen(
        _ words: [String], _ part: FeedPart, _ order: EpisodeOrder? = nil, limit: Int? = nil, isExact: Bool = false,
        mayAddFiles: Bool = false,
        where isWanted: @escaping @Sendable (Episode) -> Bool = { _ in true }
    ) async throws -> [ChosenEpisodes] {
        var all: [ChosenEpisodes] = []
        for word in try await library.read({ try $0.names.joiningTitle(words, .feedOrEpisode) }) {
            let name = Name(word, number: .episode)
            if mayAddFiles, case .url(let url) = name, try await library.read({ try $0.feeds.feed(url: url) }) == nil {
                all.append(try await chosen(try await episode(url: url, looksForFeeds: false).id, word))
            } else {
                all.append(try await chosen(name, word, part, order, limit: limit, isExact: isExact, where: isWanted))
            }
        }
        return all
    }

    private func chosen(_ episode: EpisodeID, _ word: String) async throws -> ChosenEpisodes {
        let title = try await library.episode(episode).title
        return ChosenEpisodes(word: word, object: .episode(episode), title: title, episodes: [episode])
    }

    private func chosen(
        _ name: Name, _ word: String, _ part: FeedPart, _ order: EpisodeOrder? = nil, limit: Int? = nil,
        isExact: Bool = false,
        where isWanted: @escaping @Sendable (Episode) -> Bool = { _ in true }
    ) async throws -> ChosenEpisodes {
        let now = now()
        let choices = try await library.read {
            try EpisodeChoice.choices(name, word: word, isExact: isExact, in: $0, at: now)
        }
        if choices.count == 1, case .named(.episode(let id)) = choices[0] { return try await chosen(id, word) }
        var chosen = ChosenEpisodes(word: word, episodes: [])
        if choices.count == 1, case .named(.feed(let id)) = choices[0] {
            chosen.object = .feed(id)
            chosen.title = try await library.read { try $0.feeds.feed(id).title }
        }
        for choice in choices {
            let view: (filter: EpisodeFilter, order: EpisodeOrder)
            switch choice {
            case .named(.episode(let id)):
                chosen.episodes.append(id)
                continue
            case .list(let ids):
                let wanted = try await library.read { try $0.episodes.episodes(ids) }.filter(isWanted).map(\.id)
                chosen.episodes += wanted.prefix(limit ?? Self.maximumChosen)
                chosen.hasMore = wanted.count > limit ?? Self.maximumChosen
                continue
            case .named(.feed(let feed)): view = part.view(of: feed)
            case .view(let filter, let own): view = (filter, order ?? own)
            }
            let found = try await library.episodes(
                view.filter, order: view.order, limit: limit ?? Self.maximumChosen, where: isWanted)
            chosen.episodes += found.ids
            chosen.hasMore = chosen.hasMore || found.hasMore
        }
        if chosen.episodes.count > Self.maximumChosen || chosen.hasMore && limit == nil {
            throw ChoiceFailure.tooMany(word, maximum: Self.maximumChosen)
        }
        return chosen
    }

    // MARK: URLs

    /// - Parameter looksForFeeds: true if an unknown URL that does not look like a media file may be a feed.
    private func episode(url: String, looksForFeeds: Bool) async throws -> (id: EpisodeID, note: String?) {
        guard WebAddress.isWeb(url) else { throw ChoiceFailure.unsupportedURL }
        let known = try await library.read { store -> EpisodeID? in
            if let feed = try store.feeds.feed(url: url) { return try Self.played(of: feed, in: store) }
            do { return try store.episodes.resolveEpisode(url).id } catch LibraryError.notFound { return nil }
        }
        if let known { return (known, nil) }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard looksForFeeds, !MediaName.isMedia(path) else { return (try await single(url), nil) }
        let loading = activities.begin(.loading, "Loading feed", subject: url)
        defer { loading.end() }
        let found = try await lookUp(url)
        // Do not queue anything if the command was cancelled meanwhile.
        try Task.checkCancellation()
        switch found {
        case nil: return (try await single(url), nil)
        case .subscribed(let id):
            return (try await library.read { try Self.played(of: try $0.feeds.feed(id), in: $0) }, nil)
        case .other(let title, let feed, let newestURL, let newestTitle):
            guard let newestURL else { throw ChoiceFailure.emptyFeed }
            let name = title.map { "'\($0)'" } ?? feed
            let note = "\(name) is not subscribed to; to subscribe: podcastctl subscribe \(feed)"
            return (try await single(newestURL, newestTitle, of: feed), note)
        }
    }

    /// - Parameter feed: URL of the feed that names the file; nil if the user named the file.
    private func single(_ url: String, _ title: String? = nil, of feed: String? = nil) async throws -> EpisodeID {
        let now = now()
        return try await library.perform {
            try $0.episodes.looseEpisode(url: url, title: title, link: feed, length: nil, at: now)
        }
    }

    /// The first unplayed episode of a serial show; nil for other feeds.
    private static func nextOfSerial(_ feed: FeedID, in store: LibraryStore) throws -> EpisodeID? {
        try store.episodes.serialOrder(of: feed)?.first { !$0.isPlayed }?.id
    }

    /// The episode that `play` plays for a feed.
    private static func played(of feed: Feed, in store: LibraryStore) throws -> EpisodeID {
        if let next = try nextOfSerial(feed.id, in: store) { return next }
        let unplayed = EpisodeFilter(feed: feed.id, isPlayed: false)
        let page = try store.episodes.page(unplayed, order: .newestFirst, at: .first, limit: 1)
        guard let episode = page.episodes.first else { throw ChoiceFailure.nothingUnplayed(feed.title) }
        return episode.id
    }
}
