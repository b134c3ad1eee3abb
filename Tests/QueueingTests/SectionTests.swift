@testable import Library
@testable import DaemonCore
import PodcastModel
import TestSupport
import Testing

/// A store of episodes in memory, for the questions that sections ask.
private final class EpisodeShelf: SectionEpisodes {
    var shelf: [Episode] = []

    init(_ states: [EpisodeState]) {
        for (index, state) in states.enumerated() {
            shelf.append(
                Episode(
                    id: EpisodeID(Int64(index + 1) * 10), feed: FeedID(Int64(1 + index % 2)), feedTitle: "Feed",
                    title: "Episode \(index + 1)", enclosure: Enclosure(url: "https://x.example/\(index)"),
                    published: Timestamp(seconds: Int64(index)), state: state))
        }
    }

    private func episodes(_ ids: [EpisodeID]) -> [Episode] {
        ids.compactMap { id in shelf.first { $0.id == id } }
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
    }

    @Test func whatPlaysAndWhatFollowsComesFromTheQueue() throws {
        let list = list(Array(repeating: EpisodeState(), count: 5), queue: QueueModel(1, 2, 3, 4, current: 2))
        try expectEqual(list.entries(of: .nowPlaying), rows(2))
        try expectEqual(list.entries(of: .upNext), rows(3, 4))
        try expectEqual(list.entries(of: .new), [])
        try expectEqual(list.count(.upNext, upTo: 99), .exactly(2))
    }

    @Test func anIdleQueueIsAllToCome() throws {
        let list = list(Array(repeating: EpisodeState(), count: 3), queue: QueueModel(1, 2))
        try expectEqual(list.count(.nowPlaying, upTo: 99), .exactly(0))
        try expectEqual(list.count(.upNext, upTo: 99), .exactly(2))
    }

    @Test func aFilterNarrowsEverySection() throws {
        let states = [starred, begun, EpisodeState(), starred, played]
        let list = list(states, queue: QueueModel(1, 2, 4, current: 1), filter: EpisodeFilter(isStarred: true))
        try expectEqual(list.entries(of: .nowPlaying), rows(1))
        try expectEqual(list.entries(of: .upNext), rows(4))
        try expectEqual(list.count(.inProgress, upTo: 99), .exactly(0))
        try expectEqual(list.count(.new, upTo: 99), .exactly(2))
    }

    @Test func aFilterThatContradictsASectionEmptiesIt() throws {
        let list = list([EpisodeState(), begun, played], filter: EpisodeFilter(isPlayed: true))
        try expectEqual(list.count(.new, upTo: 99), .exactly(0))
        expectEqual(PlaylistSection.inProgress.narrowed(EpisodeFilter(isPlayed: true)), nil)
        try expectEqual(list.count(.played, upTo: 99), .exactly(1))
    }
}
