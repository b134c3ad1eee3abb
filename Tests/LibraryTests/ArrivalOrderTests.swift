@testable import Library
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Changes of one episode that arrive in any order, some of them from servers that keep whole seconds.
@Suite struct ArrivalOrderTests {
    private static let feed = "https://feeds.example/show"
    private let folders: [TemporaryLibrary]
    private let stores: [LibraryStore]
    private let now = day0.adding(days: 100)

    init() throws {
        let libraries = try (0..<2).map { _ in try openLibrary() }
        folders = libraries.map(\.0)
        stores = libraries.map(\.1)
        for store in stores { _ = try store.addFeed(items: (1...60).map { item($0) }) }
    }

    private func apply(_ changes: [LibraryChange], to store: LibraryStore) throws {
        for change in changes {
            _ = try store.changes.apply([change], of: change.device, isFirst: false, except: nil, at: now)
        }
    }

    private func playbacks(_ store: LibraryStore) throws -> [String] {
        try store.all().map { "\($0.state.position) \($0.state.isPlayed)" }
    }

    private func exchange() throws {
        for (from, to) in [(0, 1), (1, 0), (0, 1)] {
            let page = try stores[from].changes.page(since: 0, kinds: [.playback], limit: 1_000)
            _ = try stores[to].changes.apply(page.changes, of: "other", isFirst: false, except: nil, at: now)
        }
    }

    private func change(_ episode: Episode, _ random: inout SeededNumbers, in device: String) -> LibraryChange {
        let milliseconds: Int64 = [0, 0, 500, 501, 1_000].randomElement(using: &random)!
        let position = MediaTime(seconds: Double([10, 50, 100].randomElement(using: &random)!))
        return LibraryChange(
            .playback(
                ChangedEpisode(feed: Self.feed, EpisodeIdentity(url: episode.enclosure.url)),
                .init(position: position, isPlayed: Int.random(in: 0..<4, using: &random) == 0)),
            at: now.adding(seconds: -100).adding(milliseconds: milliseconds), in: device)
    }

    @Test func twoChangesEndTheSameInBothOrders() throws {
        var random = SeededNumbers(state: 7)
        for episode in try stores[0].all() {
            let changes = [change(episode, &random, in: "phone"), change(episode, &random, in: "library")]
            try apply(changes, to: stores[0])
            try apply(changes.reversed(), to: stores[1])
        }
        try expectEqual(playbacks(stores[0]), playbacks(stores[1]))
    }

    @Test func librariesThatGotChangesInOtherOrdersAgreeAfterTheirExchange() throws {
        var random = SeededNumbers(state: 8)
        for episode in try stores[0].all() {
            let changes = ["phone", "library", "tablet", "laptop"].map { change(episode, &random, in: $0) }
            for store in stores {
                try apply(Array(changes.shuffled(using: &random).dropFirst()), to: store)
            }
        }
        try exchange()
        try expectEqual(playbacks(stores[0]), playbacks(stores[1]))
        let revisions = try stores.map { try $0.changes.page(since: 0, limit: 1).latest }
        try exchange()
        try expectEqual(stores.map { try $0.changes.page(since: 0, limit: 1).latest }, revisions)
    }
}
