@testable import DaemonCore
import Foundation
import Library
import PodcastModel
import TestSupport
import Testing

/// Choice of the next episode after the current one.
@Suite struct ContextQueueTests {
    private let library: FeedLibrary

    init() throws { library = try FeedLibrary() }

    private func queue(
        _ queue: QueueService, context: PlayContext? = nil, after: AfterQueue = .stop
    ) -> ContextQueue {
        ContextQueue(
            queue, library: library, context: context, afterQueue: { after }, now: { Timestamp(seconds: 9_000) })
    }

    @Test func theQueueFollowsWithoutAContext() async throws {
        let service = try await QueueService(from: library)
        let entries = try await service.add([library.episodes[2], library.episodes[0]], at: nil)
        let contexts = queue(service)
        try await contexts.setCurrentEntry(entries[0])
        try await expectEqual(contexts.entry(after: entries[0].id), entries[1])
        try await expectEqual(contexts.entry(after: entries[1].id), nil)
    }

    @Test func aContextInsertsItsNextEpisodeAfterTheCurrentEntry() async throws {
        let service = try await QueueService(from: library)
        let entries = try await service.add([library.episodes[0], library.episodes[3]], at: nil)
        let contexts = queue(service, context: PlayContext(.feed(library.feed), .oldestFirst))
        try await contexts.setCurrentEntry(entries[0])
        try await expectEqual(contexts.following(after: entries[0].id)?.entry, nil)
        expectEqual(service.snapshot.entries, entries)
        let next = try await contexts.entry(after: entries[0].id)
        expectEqual(next?.episode, library.episodes[1])
        expectEqual(service.snapshot.entries.map(\.episode), [0, 1, 3].map { library.episodes[$0] })
    }

    @Test func aRequestThatFailsLeavesTheContextAsItWas() async throws {
        let service = try await QueueService(from: library)
        let entries = try await service.add([library.episodes[0], library.episodes[3]], at: nil)
        let context = PlayContext(.feed(library.feed), .oldestFirst)
        let contexts = queue(service, context: context)
        try await contexts.setCurrentEntry(entries[0])
        let inserted = try await contexts.insert([library.episodes[2]])[0]
        contexts.use(nil, for: entries[1].id)
        expectEqual(contexts.context, nil)
        contexts.requestFailed(entries[0])
        expectEqual(contexts.context, nil)
        contexts.requestFailed(entries[1])
        expectEqual(contexts.context, context)
        try await expectEqual(contexts.following(after: entries[0].id)?.origin, .inserted)
        try await expectEqual(contexts.following(after: inserted.id)?.episode, library.episodes[1])
        // What the user chose without a request stays.
        contexts.use(nil)
        contexts.requestFailed(entries[1])
        expectEqual(contexts.context, nil)
    }

    @Test func atTheEndOfAContextTheQueueContinues() async throws {
        let service = try await QueueService(from: library)
        let entries = try await service.add([library.episodes[3], library.episodes[0]], at: nil)
        let contexts = queue(service, context: PlayContext(.feed(library.feed), .oldestFirst))
        try await contexts.setCurrentEntry(entries[0])
        try await expectEqual(contexts.entry(after: entries[0].id), entries[1])
        expectEqual(contexts.context, nil)
    }

    @Test func afterTheQueueTheSettingDecides() async throws {
        let service = try await QueueService(from: library)
        let entry = try await service.add([library.episodes[1]], at: nil)[0]
        let contexts = queue(service, after: .feed(.newestFirst))
        try await contexts.setCurrentEntry(entry)
        try await expectEqual(contexts.nextEpisode(after: entry.id), library.episodes[0])
    }

    @Test(arguments: [(EpisodeOrder.oldestFirst, 2), (.newestFirst, 0)])
    func afterTheQueueAPlaylistHasItsOwnOrder(order: EpisodeOrder, next: Int) async throws {
        let playlist = Playlist(name: "Mine", filter: try EpisodeExpression(parsing: "is:unplayed"), order: order)
        try await library.perform { try $0.playlists.savePlaylist(playlist) }
        let service = try await QueueService(from: library)
        let entry = try await service.add([library.episodes[1]], at: nil)[0]
        let contexts = queue(service, after: .playlist("playlist:Mine"))
        try await contexts.setCurrentEntry(entry)
        try await expectEqual(contexts.nextEpisode(after: entry.id), library.episodes[next])
    }

    @Test(arguments: [
        ("1,2", EpisodeOrder.oldestFirst, 3, 0), ("3,4", .newestFirst, 0, 3), ("1,2", .oldestFirst, 0, 1),
        ("3,4", .newestFirst, 3, 2), ("2,3", .newestFirst, 3, 2),
    ])
    func afterTheQueueAPlaylistBeginsUnlessItHasTheLastEpisode(
        parts: String, order: EpisodeOrder, last: Int, next: Int
    ) async throws {
        let titles = parts.split(separator: ",").map { "\"Part \($0)\"" }.joined(separator: ",")
        let playlist = Playlist(
            name: "Mine", filter: try EpisodeExpression(parsing: "title:\(titles)"), order: order)
        try await library.perform { try $0.playlists.savePlaylist(playlist) }
        let service = try await QueueService(from: library)
        let entry = try await service.add([library.episodes[last]], at: nil)[0]
        let contexts = queue(service, after: .playlist("playlist:Mine"))
        try await contexts.setCurrentEntry(entry)
        try await expectEqual(contexts.following(after: entry.id)?.episode, library.episodes[next])
        try await expectEqual(contexts.entry(after: entry.id)?.episode, library.episodes[next])
    }

    @Test func aPlaylistOfUnplayedEpisodesContinuesAfterTheOneThatHasEnded() async throws {
        let filter = try EpisodeExpression(parsing: "is:new")
        let playlist = Playlist(name: "Mine", filter: filter, order: .oldestFirst)
        try await library.perform { try $0.playlists.savePlaylist(playlist) }
        let service = try await QueueService(from: library)
        let entry = try await service.add([library.episodes[1]], at: nil)[0]
        let contexts = queue(service, after: .playlist("playlist:Mine"))
        try await contexts.setCurrentEntry(entry)
        try await service.finish(entry, heard: nil, keepsEntry: false, at: Timestamp(seconds: 8_000))
        try await expectEqual(contexts.entry(after: entry.id)?.episode, library.episodes[2])
    }

    @Test func whatTheUserDidIsUndoneBeforeWhatFollowsTheQueue() async throws {
        let service = try await QueueService(from: library)
        let entry = try await service.add([library.episodes[1]], at: nil)[0]
        let contexts = queue(service, after: .feed(.newestFirst))
        try await contexts.setCurrentEntry(entry)
        let starred = library.episodes[2]
        try await library.perform { try $0.episodes.setStarred(true, [starred]) }
        try await expectEqual(contexts.entry(after: entry.id)?.episode, library.episodes[0])
        let now = Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))
        try await expectEqual(service.undo(.undo, at: now) { _ in }?.kind, .starred)
    }

    @Test func aContextWhoseFeedIsGoneHasNoNextEpisode() async throws {
        let service = try await QueueService(from: library)
        let entry = try await service.add([library.episodes[1]], at: nil)[0]
        let contexts = queue(service, context: PlayContext(.feed(FeedID(99)), .oldestFirst))
        try await contexts.setCurrentEntry(entry)
        try await expectEqual(contexts.entry(after: entry.id), nil)
    }
}

/// A library with a feed of four episodes, the oldest first.
private actor FeedLibrary: LibraryAccess {
    private let store: LibraryStore
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "context-\(UUID().uuidString.prefix(8))")
    nonisolated let feed: FeedID
    nonisolated let episodes: [EpisodeID]

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LibraryStore(path: folder.appending(path: "library.db").path)
        feed = try store.feeds.addFeed(url: "http://host/feed", title: "Show", at: Timestamp(seconds: 0))
        var contents = FeedContents()
        contents.items = (1...4).map { number in
            var item = Item()
            (item.guid, item.title) = ("\(number)", "Part \(number)")
            item.published = Timestamp(seconds: Int64(number) * 1000)
            item.enclosures = [Enclosure(url: "http://host/\(number).mp3")]
            return item
        }
        // With an earlier clock the newest episode alone would be new.
        let now = Timestamp(year: 2020, month: 1, day: 1)
        let fetch = FetchRecord(time: now, httpStatus: 200, nextDue: now.adding(seconds: 3600))
        _ = try store.refreshes.merge([FetchedDocument(feed: feed, contents: contents, fetch: fetch)])
        let page = try store.episodes.page(EpisodeFilter(feed: feed), order: .oldestFirst, at: .first, limit: 9)
        episodes = page.episodes.map(\.id)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func perform<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try job(store)
    }

    func read<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try job(store)
    }

    func maintain() {}
}
