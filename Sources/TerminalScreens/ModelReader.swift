internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// Keeps the model current: reads the lists that are shown when the daemon reports that they have changed.
final class ModelReader {
    private let context: ScreenContext
    /// Lists that were shown, and are read again from then on.
    private var wanted: StatusParts = []
    /// Parts that are being read.
    private var underWay: StatusParts = []
    private var readingFeeds: Set<FeedID> = []
    /// Called with each change of episodes; one that returns false is forgotten.
    var onEpisodes: [(EventReply) -> Bool] = []
    /// Called after the model has changed.
    var onChange: (StatusParts) -> Void = { _ in }

    static let watched: [StatusPart] = StatusPart.allCases

    init(_ context: ScreenContext) { self.context = context }

    /// A screen shows this part from now on.
    func want(_ part: StatusPart) {
        wanted.insert(.init(part))
        read(part)
    }

    func take(_ event: ConnectionEvent) {
        context.model.apply(event)
        switch event {
        case .greeted: underWay = []
        case .lost: readingFeeds = []
        case .snapshot: changed(.all)
        case .changed(let change):
            if change.part == .episodes { onEpisodes.removeAll { !$0(change) } }
            changed(.init(change.part))
        }
    }

    private func changed(_ parts: StatusParts) {
        for part in context.model.partsToReload.members where wanted.contains(part) { read(part) }
        if wanted.contains(.feeds) { readFeeds() }
        onChange(parts)
    }

    private func read(_ part: StatusPart) {
        guard !underWay.contains(part) else { return }
        underWay.insert(.init(part))
        switch part {
        case .queue: readQueue(QueueListReply())
        case .feeds: readFeedList(FeedListReply())
        case .player, .episodes, .activities, .outputs, .settings, .playlists, .rules, .downloads: done(part)
        }
    }

    private func done(_ part: StatusPart) {
        underWay.remove(.init(part))
        onChange(.init(part))
    }

    private func readQueue(_ start: QueueListReply) {
        let after = start.entries.last?.index ?? 0
        context.read(
            ListQueue {
                $0.after = after
                $0.limit = 1_000
            }
        ) { [weak self] page in
            guard let self, let page else { return self?.done(.queue) ?? () }
            var list = page
            list.entries = start.entries + page.entries
            if page.hasAfter && !page.entries.isEmpty { return readQueue(list) }
            list.hasAfter = false
            context.model.apply(list)
            done(.queue)
        }
    }

    private func readFeedList(_ start: FeedListReply) {
        let after = start.feeds.last?.key
        context.read(
            ListFeeds {
                $0.after = after
                $0.limit = 1_000
            }
        ) { [weak self] page in
            guard let self, let page else { return self?.done(.feeds) ?? () }
            var list = page
            list.feeds = start.feeds + page.feeds
            if page.hasAfter && !page.feeds.isEmpty { return readFeedList(list) }
            context.model.apply(list)
            done(.feeds)
        }
    }

    /// Reads single feeds whose rows changed.
    private func readFeeds() {
        for feed in context.model.feedsToRead where !readingFeeds.contains(feed) {
            readingFeeds.insert(feed)
            context.read(ShowFeed { $0.feed = feed.label }) { [weak self] reply in
                guard let self else { return }
                readingFeeds.remove(feed)
                if let reply { context.model.apply(reply.feed) } else { context.model.noteMissing(feed) }
                onChange(.init(.feeds))
            }
        }
    }
}
