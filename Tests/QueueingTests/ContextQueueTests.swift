@testable import DaemonCore
import Foundation
import Library
import PodcastModel
import TestSupport
import Testing

/// Choice of the next episode after the current one, in a library with a feed of four episodes, the oldest first.
@Suite struct ContextQueueTests {
    private let library: StoredLibrary
    private let service: QueueService
    private let feed: FeedID
    private let episodes: [EpisodeID]

    init() async throws {
        library = try StoredLibrary()
        service = try await QueueService(from: library)
        let show = try await library.addFeed("Show", episodes: 4)
        feed = show.feed
        episodes = show.episodes
    }

    /// A queue of these episodes, of which the first plays.
    private func playing(
        _ numbers: Int..., in order: PlayContext.Order? = nil, after: AfterQueue = .stop
    ) async throws -> (contexts: ContextQueue, entries: [QueueEntry]) {
        let entries = try await service.add(numbers.map { episodes[$0] }, at: nil)
        let contexts = ContextQueue(
            service, library: library, context: order.map { PlayContext(.feed(feed), $0) }, afterQueue: { after },
            now: { Timestamp(seconds: 9_000) })
        try await contexts.setCurrentEntry(entries[0])
        return (contexts, entries)
    }

    /// Saves a filter as the playlist `Mine`.
    private func save(_ filter: String, _ order: EpisodeOrder) async throws {
        let playlist = Playlist(name: "Mine", filter: try EpisodeExpression(parsing: filter), order: order)
        try await library.perform { try $0.playlists.savePlaylist(playlist) }
    }

    @Test func theQueueFollowsWithoutAContext() async throws {
        let (contexts, entries) = try await playing(2, 0)
        try await expectEqual(contexts.entry(after: entries[0].id), entries[1])
        try await expectEqual(contexts.entry(after: entries[1].id), nil)
    }

    @Test func aContextInsertsItsNextEpisodeAfterTheCurrentEntry() async throws {
        let (contexts, entries) = try await playing(0, 3, in: .oldestFirst)
        try await expectEqual(contexts.following(after: entries[0].id)?.entry, nil)
        expectEqual(service.snapshot.entries, entries)
        let next = try await contexts.entry(after: entries[0].id)
        expectEqual(next?.episode, episodes[1])
        expectEqual(service.snapshot.entries.map(\.episode), [0, 1, 3].map { episodes[$0] })
    }

    @Test func aRequestThatFailsLeavesTheContextAsItWas() async throws {
        let (contexts, entries) = try await playing(0, 3, in: .oldestFirst)
        let context = contexts.context
        let inserted = try await contexts.insert([episodes[2]])[0]
        contexts.use(nil, for: entries[1].id)
        expectEqual(contexts.context, nil)
        contexts.requestFailed(entries[0])
        expectEqual(contexts.context, nil)
        contexts.requestFailed(entries[1])
        expectEqual(contexts.context, context)
        try await expectEqual(contexts.following(after: entries[0].id)?.origin, .inserted)
        try await expectEqual(contexts.following(after: inserted.id)?.episode, episodes[1])
        // What the user chose without a request stays.
        contexts.use(nil)
        contexts.requestFailed(entries[1])
        expectEqual(contexts.context, nil)
    }

    @Test func atTheEndOfAContextTheQueueContinues() async throws {
        let (contexts, entries) = try await playing(3, 0, in: .oldestFirst)
        try await expectEqual(contexts.entry(after: entries[0].id), entries[1])
        expectEqual(contexts.context, nil)
    }

    @Test func afterTheQueueTheSettingDecides() async throws {
        let (contexts, entries) = try await playing(1, after: .feed(.newestFirst))
        try await expectEqual(contexts.nextEpisode(after: entries[0].id), episodes[0])
    }

    @Test(arguments: [(EpisodeOrder.oldestFirst, 2), (.newestFirst, 0)])
    func afterTheQueueAPlaylistHasItsOwnOrder(order: EpisodeOrder, next: Int) async throws {
        try await save("is:unplayed", order)
        let (contexts, entries) = try await playing(1, after: .playlist("playlist:Mine"))
        try await expectEqual(contexts.nextEpisode(after: entries[0].id), episodes[next])
    }

    @Test(arguments: [
        ("1,2", EpisodeOrder.oldestFirst, 3, 0), ("3,4", .newestFirst, 0, 3), ("1,2", .oldestFirst, 0, 1),
        ("3,4", .newestFirst, 3, 2), ("2,3", .newestFirst, 3, 2),
    ])
    func afterTheQueueAPlaylistBeginsUnlessItHasTheLastEpisode(
        parts: String, order: EpisodeOrder, last: Int, next: Int
    ) async throws {
        let titles = parts.split(separator: ",").map { "\"Part \($0)\"" }.joined(separator: ",")
        try await save("title:\(titles)", order)
        let (contexts, entries) = try await playing(last, after: .playlist("playlist:Mine"))
        try await expectEqual(contexts.following(after: entries[0].id)?.episode, episodes[next])
        try await expectEqual(contexts.entry(after: entries[0].id)?.episode, episodes[next])
    }

    @Test func aPlaylistOfUnplayedEpisodesContinuesAfterTheOneThatHasEnded() async throws {
        try await save("is:new", .oldestFirst)
        let (contexts, entries) = try await playing(1, after: .playlist("playlist:Mine"))
        try await service.finish(entries[0], heard: nil, keepsEntry: false, at: Timestamp(seconds: 8_000))
        try await expectEqual(contexts.entry(after: entries[0].id)?.episode, episodes[2])
    }

    @Test func whatTheUserDidIsUndoneBeforeWhatFollowsTheQueue() async throws {
        let (contexts, entries) = try await playing(1, after: .feed(.newestFirst))
        try await library.perform { [episodes] in try $0.episodes.setStarred(true, [episodes[2]]) }
        try await expectEqual(contexts.entry(after: entries[0].id)?.episode, episodes[0])
        let now = Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))
        try await expectEqual(service.undo(.undo, at: now) { _ in }?.kind, .starred)
    }

    @Test func aContextWhoseFeedIsGoneHasNoNextEpisode() async throws {
        let (contexts, entries) = try await playing(1)
        contexts.use(PlayContext(.feed(FeedID(99)), .oldestFirst))
        try await expectEqual(contexts.entry(after: entries[0].id), nil)
    }
}
