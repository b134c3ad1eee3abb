internal import Activity
internal import CommandLineTool
internal import FeedParsing
internal import FeedRefresh
internal import JSON
internal import LibraryModel
internal import PodcastModel

extension RefreshCommands {
    /// What became of one address.
    private enum Addition {
        case added(Feed, [EpisodeID])
        case known(Feed)
        case refused(ExitStatus, String)
    }

    /// `podcast-refresh add URL…`. Nothing is subscribed to that was not seen to be a feed.
    func add(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let urls = arguments.texts(RefreshDeclaration.urls).map(\.asAddress)
        let settings = try readSettings(arguments)
        let session = try LibrarySession(settings.folder)
        let board = makeBoard()
        let watchers = Watchers(environment, board: board, arguments, settings)
        let fetcher = try makeFetcher(settings)
        let refresher = FeedRefresher(
            store: session.store, fetcher: fetcher, clock: environment.clock, activities: board)
        var additions: [Int: Addition] = [:]
        for (index, url) in urls.enumerated() {
            if let feed = try session.perform({ (store) throws(LibraryError) in try store.feed(url: url) }) {
                additions[index] = .known(feed)
            }
        }
        let wanted = urls.indices.filter { additions[$0] == nil }
        do {
            let activity = board.begin(.subscribing, "Subscribing", subject: wanted.first.map { urls[$0] })
            defer { activity.end() }
            let requests = wanted.map { FeedRequest(url: urls[$0]) }
            let tick: () throws(ToolFailure) -> Void = { watchers.tick() }
            try fetcher.fetchAll(requests, limits: .init(total: settings.jobs), clock: environment.clock, tick: tick) {
                (index: Int, result: FeedFetcher.PlannedResult) throws(ToolFailure) in
                let url = urls[wanted[index]]
                let addition = try subscribe(url, result, session, refresher)
                if case .added(let feed, let episodes) = addition {
                    activity.update(subject: feed.title)
                    watchers.note(feed.id, episodes: episodes)
                }
                additions[wanted[index]] = addition
            }
        }
        watchers.finish()
        return try report(
            urls.indices.compactMap { index in additions[index].map { (urls[index], $0) } }, arguments, output)
    }

    private func subscribe(
        _ url: String, _ result: FeedFetcher.PlannedResult, _ session: LibrarySession, _ refresher: FeedRefresher
    ) throws(ToolFailure) -> Addition {
        guard case .fetched(let fetched) = result else {
            return .refused(.tryAgain, "its host wants no requests now")
        }
        let document: FeedParsing.FeedDocument
        switch fetched.outcome {
        case .document(let read): document = read
        case .failed(let failure):
            return .refused(failure.isTemporary ? .tryAgain : .badData, failure.description)
        case .notModified, .sameBody: return .refused(.tryAgain, "the server answered a question that was not asked")
        }
        if !document.contents.items.isEmpty, !document.isPodcast {
            return .refused(.badData, "is a feed, but none of its items has audio or video: a blog?")
        }
        // Whoever subscribes to an address that has moved for good wants the new one.
        let home = fetched.permanentURL(from: url) ?? url
        return try session.perform { (store) throws(LibraryError) in
            if let feed = try store.feed(url: home) { return .known(feed) }
            let id = try store.addFeed(url: home, title: document.contents.channel.title, at: environment.clock.now)
            let target = RefreshTarget(id: id, url: home, title: document.contents.channel.title ?? home)
            var episodes: [EpisodeID] = []
            if case .merged(let merge) = try refresher.store(fetched, of: target)?.outcome { episodes = merge.added }
            return .added(try store.feed(id), episodes)
        }
    }

    private func report(
        _ additions: [(url: String, addition: Addition)], _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        var worst = ExitStatus.success
        var feeds: [JSONValue] = []
        let isQuiet = arguments.isSet(RefreshDeclaration.quiet) || arguments.isSet(RefreshDeclaration.json)
        for (url, addition) in additions {
            switch addition {
            case .added(let feed, _):
                feeds.append(Self.json("subscribed", url, feed))
                if !isQuiet {
                    let noun = feed.episodeCount == 1 ? "episode" : "episodes"
                    try output.line(
                        "Subscribed to \(SafeText.line(feed.title)) (feed \(feed.id), \(feed.episodeCount) \(noun))")
                }
            case .known(let feed):
                feeds.append(Self.json("already", url, feed))
                if !isQuiet { try output.line("Already subscribed to \(SafeText.line(feed.title)) (feed \(feed.id))") }
            case .refused(let status, let reason):
                feeds.append(["url": .string(url), "outcome": "failed", "error": .string(reason)])
                tell("\(url): \(reason)")
                if worst != .badData { worst = status }
            }
        }
        if arguments.isSet(RefreshDeclaration.json) {
            let document: JSONValue = ["feeds": .array(feeds)]
            try output.line(document.text)
        }
        return worst
    }

    private static func json(_ outcome: String, _ url: String, _ feed: Feed) -> JSONValue {
        [
            "url": .string(url), "outcome": .string(outcome), "id": .integer(feed.id.rawValue),
            "title": .string(feed.title), "feedURL": .string(feed.url), "episodes": JSONValue(feed.episodeCount),
        ]
    }
}

extension String {
    /// An address as people paste it: without blanks around it, https where it names no scheme.
    fileprivate var asAddress: String {
        let head = utf8.drop { $0 <= 0x20 }
        guard let last = head.lastIndex(where: { $0 > 0x20 }) else { return "" }
        let text = String(Substring(head[...last]))
        return text.contains("://") ? text : "https://" + text
    }
}
