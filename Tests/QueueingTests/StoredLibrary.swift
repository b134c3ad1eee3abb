@testable import Library
@testable import DaemonCore
import Foundation
import PodcastModel
import SQLite

/// A library in a temporary folder.
actor StoredLibrary: LibraryAccess {
    private let store: LibraryStore
    private let folder: URL
    /// The error of every job; nil while jobs succeed.
    private var failure: (any Error)?
    /// Holds the write lock, like another process.
    private var lock: Connection?

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "queueing-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LibraryStore(
            path: folder.appending(path: "library.db").path,
            options: LibraryOptions(busyTimeout: .milliseconds(1), cacheKiB: 256, checkpointPages: 1_000))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func perform<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        if let failure { throw failure }
        return try job(store)
    }

    func read<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try perform(job)
    }

    func maintain() { while (try? store.performMaintenance()) == true {} }

    func fail(with error: any Error) { failure = error }

    func hold() throws {
        lock = try Connection(path: store.path, busyTimeout: .zero, cacheKiB: 256)
        try lock?.beginImmediate()
    }

    func release() { lock = nil }

    func episodes(_ count: Int) throws -> [EpisodeID] {
        try (1...count).map {
            try store.episodes.looseEpisode(url: "http://host/\($0).mp3", title: "\($0)", at: Timestamp(seconds: 0))
        }
    }

    /// Adds a feed; its episodes are "Part 1" to "Part count", the oldest first.
    func addFeed(
        _ title: String, episodes count: Int, type: String? = nil, change: (Int, inout Item) -> Void = { _, _ in }
    ) throws -> (feed: FeedID, episodes: [EpisodeID]) {
        let url = "http://host/\(title).xml"
        let feed = try store.feeds.addFeed(url: url, title: title, at: Timestamp(seconds: 0))
        var contents = FeedContents()
        contents.channel.title = title
        contents.channel.type = type
        contents.items = (0..<count).map { number in
            var item = Item()
            item.guid = "\(title)-\(number + 1)"
            item.title = "Part \(number + 1)"
            item.published = Timestamp(seconds: Int64(number + 1) * 1000)
            item.enclosures = [Enclosure(url: "http://host/\(title)/\(number + 1).mp3")]
            change(number + 1, &item)
            return item
        }
        // With an earlier clock the newest episode alone would be new.
        let now = Timestamp(year: 2020, month: 1, day: 1)
        let fetch = FetchRecord(time: now, httpStatus: 200, nextDue: now.adding(seconds: 3600))
        _ = try store.refreshes.merge([FetchedDocument(feed: feed, contents: contents, fetch: fetch)])
        let page = try store.episodes.page(EpisodeFilter(feed: feed), order: .oldestFirst, at: .first, limit: 100)
        return (feed, page.episodes.map(\.id))
    }
}
