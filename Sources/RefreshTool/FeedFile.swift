internal import Activity
internal import CommandLineTool
internal import FeedParsing
internal import FeedRefresh
internal import HTTP
internal import LibraryModel
internal import PodcastModel

extension RefreshCommands {
    /// Bytes of a feed file.
    private static let feedBytes = 64 << 20
    /// Stands for the address of a feed file until the file says it.
    private static let unknownAddress = "https://feed.invalid/"

    /// Subscribes to a feed whose document is available; its address is the one that the document gives for itself.
    ///
    /// - Throws: `badData` if it is not a podcast, or does not say its address: it could never be refreshed.
    func importFeed(
        _ input: ImportInput, _ session: LibrarySession, _ settings: RefreshSettings, _ board: ActivityBoard,
        _ watchers: Watchers
    ) throws(ToolFailure) -> Importer.Totals {
        let bytes = try input.bytes(upTo: Self.feedBytes)
        let first = try Self.document(FeedFetchResult(document: bytes, of: Self.unknownAddress), input)
        guard let given = first.contents.channel.selfURL, WebAddress.isStorable(given),
            HTTPURL.host(of: given) != HTTPURL.host(of: Self.unknownAddress)
        else {
            throw ToolFailure(
                .badData, "\(input.name): the feed does not name its own URL", hint: "subscribe to its URL instead")
        }
        guard first.isPodcast else {
            throw ToolFailure(.badData, "\(input.name): not a podcast: no item of the feed has audio or video")
        }
        var totals = Importer.Totals()
        let url = HTTPURL.withoutCredentials(given)
        let refresher = FeedRefresher(
            store: session.store.refreshes, fetcher: try makeFetcher(settings), clock: environment.clock,
            activities: board)
        // Parsed again, because relative links depend on the address.
        let result = FeedFetchResult(document: bytes, of: url)
        let title = first.contents.channel.title
        try session.perform { (store) throws(LibraryError) in
            guard try store.feeds.feed(url: url) == nil else { return totals.duplicates.append(url) }
            let id = try store.feeds.addFeed(url: url, title: title, at: environment.clock.wallTime)
            let report = try refresher.store(result, of: RefreshTarget(id: id, url: url, title: title ?? url))
            if case .merged(let merge) = report?.outcome { watchers.note(id, episodes: merge.added) }
            totals.added = 1
        }
        return totals
    }

    private static func document(
        _ result: FeedFetchResult, _ input: ImportInput
    ) throws(ToolFailure) -> FeedParsing.FeedDocument {
        switch result.outcome {
        case .document(let document): return document
        case .failed(let failure): throw ToolFailure(.badData, "\(input.name): \(failure)")
        case .notModified, .sameBody: throw ToolFailure(.software, "\(input.name): not a feed")
        }
    }
}
