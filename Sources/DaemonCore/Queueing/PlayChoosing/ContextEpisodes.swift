import Library
import PodcastModel

/// The episodes of a play context.
enum ContextEpisodes {
    /// Maximum pages to read at once from a view with conditions, whose pages may be short.
    private static let maximumPages = 50

    /// The first unplayed episode of a context, or the first unplayed episode after `episode`. A view that asks for
    /// played episodes returns played ones. May wait for the disk.
    /// - Parameter episode: need not be in the context; its date counts.
    /// - Throws: `LibraryError`, `ChoiceFailure` or `ExpressionError`, also if the feed or playlist is gone.
    static func next(
        in context: PlayContext, after episode: EpisodeID?, in store: LibraryStore, at now: Timestamp
    ) throws -> Episode? {
        var filter: EpisodeFilter
        switch context.source {
        case .feed(let feed):
            filter = EpisodeFilter(feed: try store.feeds.feed(feed).id)
            if context.order == .oldestFirst, let order = try store.episodes.serialOrder(of: feed) {
                let place = order.firstIndex { $0.id == episode }.map { $0 + 1 } ?? 0
                return try order[place...].first { !$0.isPlayed }.map { try store.episodes.episode($0.id) }
            }
        case .view(let word):
            switch try choice(word, in: store, at: now) {
            case .view(let found, _): filter = found
            case .list(let ids):
                let place = ids.firstIndex { $0 == episode }.map { $0 + 1 } ?? 0
                return try store.episodes.episodes(Array(ids[place...])).first { !$0.state.isPlayed }
            case .named: throw ChoiceFailure.noContext(word)
            }
        }
        if filter.isPlayed == nil { filter.isPlayed = false }
        let order: EpisodeOrder = context.order == .oldestFirst ? .oldestFirst : .newestFirst
        var anchor = try episode.map { PageAnchor.after(EpisodeKey(of: try store.episodes.episode($0))) } ?? .first
        for _ in 0..<maximumPages {
            let page = try store.episodes.page(filter, order: order, at: anchor, limit: 1)
            if let found = page.episodes.first { return found }
            guard page.hasAfter, let place = page.resumption else { return nil }
            anchor = .after(place)
        }
        return nil
    }

    /// The context that follows the queue, and the episode after which it continues; nil to stop. A playlist continues after
    /// its own episodes, and starts at its beginning after others. A built-in one that is not sorted by date counts as
    /// newest first.
    /// - Throws: as `next`.
    static func start(
        _ setting: AfterQueue, after id: EpisodeID, in store: LibraryStore, at now: Timestamp
    ) throws -> (context: PlayContext, place: EpisodeID?)? {
        var episode = try store.episodes.episode(id)
        switch setting {
        case .stop: return nil
        case .feed(let order): return (PlayContext(.feed(episode.feed), order), id)
        case .playlist(let name):
            let filter: EpisodeFilter
            let order: EpisodeOrder
            switch try choice(name, in: store, at: now) {
            case .view(let found, let own): (filter, order) = (found, own)
            case .list(let ids):
                return (PlayContext(.view(name), .newestFirst), ids.contains(id) ? id : nil)
            case .named: throw ChoiceFailure.noContext(name)
            }
            // An episode that was played to its end still belongs to a playlist of unplayed ones.
            episode.state.isPlayed = filter.isPlayed ?? false
            return (
                PlayContext(.view(name), order == .oldestFirst ? .oldestFirst : .newestFirst),
                filter.accepts(episode) ? id : nil
            )
        }
    }

    private static func choice(_ word: String, in store: LibraryStore, at now: Timestamp) throws -> EpisodeChoice {
        let choices = try EpisodeChoice.choices(
            Name(word, number: .entry), word: word, isExact: true, in: store, at: now)
        guard choices.count == 1 else { throw ChoiceFailure.noContext(word) }
        return choices[0]
    }
}

extension PlayChooser {
    /// The entry to play, and the context that follows; without an order none. For a feed, a playlist or a filter: the
    /// first unplayed episode in the order; a serial show with the oldest first is ordered by season and number. A single
    /// episode is followed by other episodes of its feed.
    func choice(
        for what: String, _ order: PlayContext.Order?, from first: Int = 1
    ) async throws -> (choice: PlayChoice, context: PlayContext?) {
        guard let order else { return (try await choice(for: what, from: first), nil) }
        let name = Name(what, number: .entry)
        let context: PlayContext
        switch name {
        case .playlist, .filter: context = PlayContext(.view(what), order)
        case .feeds, .text:
            guard let feed = try await feed(named: name, what) else { return try await single(what, order) }
            context = PlayContext(.feed(feed), order)
        case .entries, .episodes, .current, .reversedRange, .url: return try await single(what, order)
        }
        let first = try await library.read { [now] in
            try ContextEpisodes.next(in: context, after: nil, in: $0, at: now())
        }
        guard let first else { throw ChoiceFailure.emptyView(what) }
        return (PlayChoice(entry: try await entry(of: first.id)), context)
    }

    private func single(
        _ what: String, _ order: PlayContext.Order
    ) async throws -> (choice: PlayChoice, context: PlayContext?) {
        let choice = try await choice(for: what)
        let feed = try await library.episode(choice.entry.episode).feed
        return (choice, PlayContext(.feed(feed), order))
    }

    private func feed(named name: Name, _ what: String) async throws -> FeedID? {
        let choices = try await library.read { [now] in
            try EpisodeChoice.choices(name, word: what, isExact: false, in: $0, at: now())
        }
        guard choices.count == 1, case .named(.feed(let feed)) = choices[0] else { return nil }
        return feed
    }
}
