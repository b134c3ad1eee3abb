internal import CommandLineTool
internal import FeedDocuments
internal import FeedFiles
internal import FeedRefresh
internal import HTTP
internal import LibraryModel
internal import PodcastModel
internal import Reporting

extension RefreshCommands {
    /// Bytes of a feed file.
    private static let feedBytes = 64 << 20
    /// Stands for the address of a feed file until the file says it.
    private static let unknownAddress = "https://feed.invalid/"

    /// Subscribes to a feed whose document is available; its address is the one that the user gives, else the one that the
    /// document gives for itself.
    ///
    /// - Throws: `badData` if it is not a podcast, or has no address: it could never be refreshed.
    func importFeed(
        _ input: ImportInput, url asked: String?, _ session: LibrarySession, _ settings: RefreshSettings,
        _ board: ActivityBoard, _ watchers: Watchers
    ) throws(ToolFailure) -> Importer.Totals {
        let bytes = try input.bytes(upTo: Self.feedBytes)
        let first = try Self.document(FeedFetchResult(document: bytes, of: Self.unknownAddress), input)
        guard first.isPodcast else {
            throw ToolFailure(.badData, "\(input.name): not a podcast: no item of the feed has audio or video")
        }
        let address = try Self.address(of: first, asked, input)
        if let login = address.login { try session.keepFirst(login) }
        let refresher = FeedRefresher(
            store: session.store.refreshes, fetcher: try makeFetcher(settings), clock: environment.clock,
            activities: board)
        // Parsed again, because relative links depend on the address.
        let result = FeedFetchResult(document: bytes, of: address.url)
        let title = first.contents.channel.title
        return try session.perform { (store) throws(LibraryError) in
            var totals = Importer.Totals()
            if let known = try store.feeds.feed(url: address.url) {
                totals.duplicates.append(address.url)
                totals.note = "already subscribed to \(known.title) (\(known.id.label)) at \(known.url)"
                return totals
            }
            let id = try store.feeds.addFeed(url: address.url, title: title, at: environment.clock.wallTime)
            let target = RefreshTarget(id: id, url: address.url, title: title ?? address.url)
            let report = try refresher.store(result, of: target)
            if case .merged(let merge) = report?.outcome { watchers.note(.added(id, episodes: merge.added)) }
            let feed = try store.feeds.feed(id)
            totals.added = 1
            totals.note =
                "subscribed to \(feed.title) (\(counted(feed.episodeCount, "episode"))) at \(address.url), \(address.source)"
            return totals
        }
    }

    /// Where a feed's file is refreshed from, and who says so.
    private static func address(
        of document: FeedDocument, _ asked: String?, _ input: ImportInput
    ) throws(ToolFailure) -> (url: String, login: FeedLogin?, source: String) {
        if let asked {
            let given = GivenAddress(asked)
            guard WebAddress.isStorable(given.url), HTTPURL.host(of: given.url) != nil else {
                throw ToolFailure(.usage, "--url \(given.url): not a valid http or https URL")
            }
            return (given.url, given.login, "the URL that you gave")
        }
        let channel = document.contents.channel
        for (url, element) in [(channel.newFeedURL, "itunes:new-feed-url"), (channel.selfURL, "atom:link")] {
            guard let url, WebAddress.isStorable(url), let host = HTTPURL.host(of: url),
                host != HTTPURL.host(of: unknownAddress)
            else { continue }
            return (HTTPURL.withoutCredentials(url), nil, "the URL that the file names (\(element))")
        }
        throw ToolFailure(
            .badData, "\(input.name): the feed does not name its own URL",
            hint: "give it: podcastctl subscribe FILE --url URL")
    }

    private static func document(
        _ result: FeedFetchResult, _ input: ImportInput
    ) throws(ToolFailure) -> FeedDocument {
        switch result.outcome {
        case .document(let document): return document
        case .failed(let failure): throw ToolFailure(.badData, "\(input.name): \(failure)")
        case .notModified, .sameBody: throw ToolFailure(.software, "\(input.name): not a feed")
        }
    }
}
