@testable import DaemonCore
@testable import Library
import ControlLanguage
import ControlProtocol
import PodcastModel
import TestSupport
import Testing

@Suite struct PageTests {
    private func request(after: String? = nil, before: String? = nil, isLast: Bool = false) -> PageRequest {
        var page = PageRequest()
        (page.after, page.before, page.isLast) = (after, before, isLast)
        return page
    }

    private static func episode(_ id: Int64) -> Episode {
        Episode(
            id: EpisodeID(id), feed: FeedID(1), feedTitle: "Feed", title: "Episode \(id)",
            enclosure: Enclosure(url: "https://example.org/\(id).mp3"), published: Timestamp(milliseconds: id * 1000))
    }

    private let key = EpisodeKey(published: Timestamp(milliseconds: 5000), id: EpisodeID(5))

    @Test func aKeyThatAListGaveIsReadBack() throws {
        try expectEqual(PageAnchor(request(after: key.wireText)), .after(key))
        try expectEqual(PageAnchor(request(before: key.wireText)), .before(key))
        let heard = HistoryKey(time: Timestamp(milliseconds: 7), number: 8)
        try expectEqual(HistoryKey(wireText: heard.wireText), heard)
        let spoken = TranscriptKey(episode: EpisodeID(1), passage: 2, cue: 3)
        try expectEqual(TranscriptKey(wireText: spoken.wireText), spoken)
    }

    @Test func withoutAKeyAPageIsTheFirstOrTheLast() throws {
        try expectEqual(PageAnchor(request()), .first)
        try expectEqual(PageAnchor(request(isLast: true)), .last)
    }

    @Test(arguments: [
        "", "5", "5000", "5000.", ".5", "a.b", "5000.5.5", "99999999999999999999.1", "e", "e5.5", "entry",
    ])
    func aTextThatNoListGaveIsAnInvalidArgument(text: String) {
        let episodes = #expect(throws: ControlError.self) { try PageAnchor(request(before: text)) }
        expectEqual(episodes?.code, .invalidArgument)
    }

    @Test func severalAnchorsAreAnInvalidArgument() {
        let text = key.wireText
        for page in [
            request(after: text, before: text), request(after: text, isLast: true), request(before: text, isLast: true),
        ] {
            #expect(throws: ControlError.self) { try PageAnchor(page) }
        }
    }

    @Test func thePageContinuesAfterItsLastRowOrBeforeItsFirst() {
        let rows = [Self.episode(9), Self.episode(8)]
        let page = EpisodePage(episodes: rows, hasBefore: true, hasAfter: true)
        let forward = EpisodeListReply(page, at: .first, count: .exactly(20))
        expectEqual(forward.next, EpisodeKey(of: rows[1]).wireText)
        expectEqual(forward.episodes.map(\.key), rows.map { EpisodeKey(of: $0).wireText })
        #expect(!forward.isBackward)
        let backward = EpisodeListReply(page, at: .last, count: .atLeast(20))
        expectEqual(backward.next, EpisodeKey(of: rows[0]).wireText)
        #expect(backward.isBackward)
        expectEqual(backward.count, RowCount.atLeast(20))
    }

    @Test func theEndOfAListHasNoNextPage() {
        let page = EpisodePage(episodes: [Self.episode(9)], hasBefore: false, hasAfter: false)
        expectEqual(EpisodeListReply(page, at: .first, count: .exactly(1)).next, nil)
        expectEqual(EpisodeListReply(page, at: .last, count: .exactly(1)).next, nil)
    }

    @Test func aPageOfAFilterThatEndedEarlyContinuesWhereTheSearchStopped() {
        let page = EpisodePage(episodes: [], hasBefore: false, hasAfter: true, resumption: key)
        expectEqual(EpisodeListReply(page, at: .first, count: .atLeast(0)).next, key.wireText)
    }
}
