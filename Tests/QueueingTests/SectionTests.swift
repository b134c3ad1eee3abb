@testable import Library
import PodcastModel
import Queueing
import TestSupport
import Testing

/// A store of episodes in memory, for the questions that sections ask.
private final class EpisodeShelf: SectionEpisodes {
    var shelf: [Episode] = []
    private(set) var rowsHandedOut = 0

    init(_ states: [EpisodeState]) {
        for (index, state) in states.enumerated() {
            shelf.append(
                Episode(
                    id: EpisodeID(Int64(index + 1) * 10), feed: FeedID(Int64(1 + index % 2)), feedTitle: "Feed",
                    title: "Episode \(index + 1)", enclosure: Enclosure(url: "https://x.example/\(index)"),
                    published: Timestamp(seconds: Int64(index)), state: state))
        }
    }

    func episodes(_ ids: [EpisodeID]) -> [Episode] {
        rowsHandedOut += ids.count
        return ids.compactMap { id in shelf.first { $0.id == id } }
    }

    func page(_ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int) -> EpisodePage {
        var rows = shelf.filter(filter.accepts)
        if order == .newestFirst { rows.reverse() }
        var start = 0
        if case .after(let key) = anchor { start = (rows.firstIndex { $0.id == key.id } ?? -1) + 1 }
        let shown = Array(rows[start...].prefix(limit))
        return EpisodePage(episodes: shown, hasBefore: start > 0, hasAfter: start + shown.count < rows.count)
    }

    func count(_ filter: EpisodeFilter, upTo bound: Int) -> RowCount {
        let count = shelf.filter(filter.accepts).count
        return count > bound ? .atLeast(bound) : .exactly(count)
    }

    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) -> [EpisodeID] {
        episodes(ids).filter(filter.accepts).map(\.id)
    }
}

struct SectionTests {
    private let begun = EpisodeState(position: MediaTime(seconds: 30))
    private let played = EpisodeState(isPlayed: true)
    private let starred = EpisodeState(isStarred: true)

    private func list(
        _ states: [EpisodeState], queue: QueueModel = QueueModel(), filter: EpisodeFilter = EpisodeFilter()
    ) -> PlaylistSections {
        PlaylistSections(episodes: EpisodeShelf(states), queue: queue, filter: filter)
    }

    @Test func sectionsComeInTheOrderOfTheScreen() {
        expectEqual(PlaylistSection.allCases, [.nowPlaying, .upNext, .inProgress, .new, .played])
    }

    @Test func newEpisodesAreThoseThatCameAfterSubscribingAndAreNotPlayed() throws {
        let former = EpisodeState(isRecent: false)
        let list = list([EpisodeState(), begun, played, former, starred])
        try expectEqual(list.count(.inProgress, upTo: 99), .exactly(1))
        try expectEqual(list.count(.new, upTo: 99), .exactly(3))
        try expectEqual(list.count(.played, upTo: 99), .exactly(1))
        try expectEqual(
            list.page(.new, at: .first, limit: 9).rows.map(\.episode.title),
            [
                "Episode 5", "Episode 2", "Episode 1",
            ])
    }

    @Test func whatPlaysAndWhatFollowsComesFromTheQueue() throws {
        let list = list(Array(repeating: EpisodeState(), count: 5), queue: QueueModel(1, 2, 3, 4, current: 2))
        try expectEqual(list.page(.nowPlaying, at: .first, limit: 9).rows.map(\.entry), [id(2)])
        try expectEqual(list.page(.upNext, at: .first, limit: 9).rows.map(\.entry), [id(3), id(4)])
        try expectEqual(list.count(.upNext, upTo: 99), .exactly(2))
        try expectEqual(
            list.page(.upNext, at: .first, limit: 9).rows.map(\.episode.id), [EpisodeID(30), EpisodeID(40)])
    }

    @Test func anIdleQueueIsAllToCome() throws {
        let list = list(Array(repeating: EpisodeState(), count: 3), queue: QueueModel(1, 2))
        try expectEqual(list.count(.nowPlaying, upTo: 99), .exactly(0))
        try expectEqual(list.count(.upNext, upTo: 99), .exactly(2))
    }

    @Test func theQueuePagesByEntry() throws {
        let list = list(
            Array(repeating: EpisodeState(), count: 9), queue: QueueModel(1, 2, 3, 4, 5, 6, 7, 8, 9, current: 1))
        func page(_ anchor: PlaylistAnchor) throws -> [Int] {
            try list.page(.upNext, at: anchor, limit: 3).rows.compactMap { $0.entry.map { Int($0.rawValue) } }
        }
        try expectEqual(page(.first), [2, 3, 4])
        try expectEqual(page(.after(.entry(id(4)))), [5, 6, 7])
        try expectEqual(page(.before(.entry(id(5)))), [2, 3, 4])
        try expectEqual(page(.last), [7, 8, 9])
        try expectEqual(page(.after(.entry(id(99)))), [])
        let middle = try list.page(.upNext, at: .after(.entry(id(3))), limit: 3)
        #expect((middle.hasBefore, middle.hasAfter) == (true, true))
        expectEqual(middle.rows.first?.key, .entry(id(4)))
    }

    @Test func theLibraryPagesByDateAndNumber() throws {
        let list = list(Array(repeating: EpisodeState(), count: 5))
        let first = try list.page(.new, at: .first, limit: 2)
        #expect(first.hasAfter)
        let key = try #require(first.rows.last?.key)
        try expectEqual(
            list.page(.new, at: .after(key), limit: 2).rows.map(\.episode.title), ["Episode 3", "Episode 2"])
        try expectEqual(list.page(.new, at: .after(.entry(id(1))), limit: 2), PlaylistPage())
    }

    @Test func aFilterNarrowsEverySection() throws {
        let states = [starred, begun, EpisodeState(), starred, played]
        let list = list(states, queue: QueueModel(1, 2, 4, current: 1), filter: EpisodeFilter(isStarred: true))
        try expectEqual(list.page(.nowPlaying, at: .first, limit: 9).rows.map(\.entry), [id(1)])
        try expectEqual(list.page(.upNext, at: .first, limit: 9).rows.map(\.entry), [id(4)])
        try expectEqual(list.count(.inProgress, upTo: 99), .exactly(0))
        try expectEqual(list.count(.new, upTo: 99), .exactly(2))
    }

    @Test func aFilterThatContradictsASectionEmptiesIt() throws {
        let list = list([EpisodeState(), begun, played], filter: EpisodeFilter(isPlayed: true))
        try expectEqual(list.count(.new, upTo: 99), .exactly(0))
        try expectEqual(list.page(.inProgress, at: .first, limit: 9), PlaylistPage())
        try expectEqual(list.count(.played, upTo: 99), .exactly(1))
    }

    @Test func aViewReadsNoMoreThanItShows() throws {
        let shelf = EpisodeShelf(Array(repeating: EpisodeState(), count: 1000))
        let queue = QueueModel(StoredQueue(entries: rows(1...1000), current: nil))
        let list = PlaylistSections(episodes: shelf, queue: queue)
        _ = try list.page(.upNext, at: .first, limit: 10)
        try expectEqual(list.count(.upNext, upTo: 5), .exactly(1000))
        expectEqual(shelf.rowsHandedOut, 10)
    }
}
