import Foundation
@testable import Library
import LibraryModel
import PodcastModel
import Testing

/// Searches that go through much: which episodes they ask for, and that they give what they have in good time.
struct SearchPaceTests {
    /// Five thousand talks, each tenth a long one, each hundredth starred.
    private func filled(_ library: TemporaryLibrary, clock: @escaping () -> UInt64 = { 0 }) throws -> LibraryStore {
        let store = try library.open(clock: clock)
        _ = try store.addFeed(
            items: (1...5_000).map { number in
                item(number) { item in
                    item.title = number % 10 == 0 ? "A long talk" : "A talk"
                    (item.summary, item.content) = (nil, number % 1_000 == 0 ? "with a rarity" : "words")
                }
            })
        try store.episodes.setStarred(true, (1...50).map { EpisodeID($0 * 100) })
        while try store.performMaintenance() {}
        return store
    }

    /// Follows `next` as a client does.
    private func pages(_ store: LibraryStore, _ filter: EpisodeFilter) throws -> [[EpisodeID]] {
        var pages: [[EpisodeID]] = []
        var anchor = PageAnchor.first
        while true {
            let page = try store.episodes.page(filter, order: .bestFirst, at: anchor, limit: 20)
            pages.append(page.episodes.map(\.id))
            guard page.hasAfter, let next = page.resumption ?? page.episodes.last?.key else { return pages }
            anchor = .after(next)
            if pages.count > 5_000 { return pages }
        }
    }

    @Test(arguments: ["talk", "\"long talk\"", "talk -long", "rarity", "nowhere"])
    func aRareFilterFindsTheSameAsAskingForEach(_ text: String) throws {
        let store = try filled(try TemporaryLibrary())
        let filter = EpisodeFilter(isStarred: true, text: text)
        let expected = try store.episodes.matching(
            EpisodeFilter(text: text), among: (1...50).map { EpisodeID($0 * 100) })
        #expect(try Set(pages(store, filter).joined()) == Set(expected))
        #expect(
            try Set(pages(store, EpisodeFilter(feed: FeedID(1), isStarred: true, text: text)).joined()) == Set(expected)
        )
    }

    @Test func aSearchThatTakesLongGivesWhatItHasAndGoesOn() throws {
        // Each look at the clock is a millisecond later.
        var now: UInt64 = 0
        let store = try filled(try TemporaryLibrary()) {
            now += 1_000_000
            return now
        }
        for filter in [
            EpisodeFilter(text: "rarity"), EpisodeFilter(isStarred: true, text: "long"),
            EpisodeFilter(text: "long -rarity"),
        ] {
            let all = try pages(store, filter)
            #expect(all.count > 1, "it ended early")
            let found = all.flatMap(\.self)
            #expect(Set(found).count == found.count, "nothing comes twice")
            let every = try store.episodes.matching(filter, among: (1...5_000).map { EpisodeID($0) })
            #expect(Set(found) == Set(every))
        }
    }

    @Test func aPageAfterAnEmptyOneGoesOnWhereThatEnded() throws {
        var now: UInt64 = 0
        let store = try filled(try TemporaryLibrary()) {
            now += 3_000_000
            return now
        }
        let filter = EpisodeFilter(text: "rarity")
        let first = try store.episodes.page(filter, order: .bestFirst, at: .first, limit: 20)
        #expect(first.episodes.isEmpty && first.hasAfter && first.resumption != nil)
        #expect(try store.episodes.count(filter, upTo: 100) == .atLeast(0))
        #expect(try Set(pages(store, filter).joined()) == Set((1...5).map { EpisodeID($0 * 1_000) }))
    }

    @Test func fewEpisodesAmongManyWordsAreAskedForOneByOne() {
        var pace = SearchPace()
        #expect(!pace.isSoonerAsked(1, of: 1_000_000), "nothing is known of the words yet")
        pace.note(2_048, rows: 2_000, nanoseconds: 600_000)
        #expect(pace.isSoonerAsked(100, of: 1_000_000))
        #expect(!pace.isSoonerAsked(10_000, of: 1_000_000))
        pace.note(2_000_000, rows: 0, nanoseconds: 600_000)
        #expect(!pace.isSoonerAsked(100, of: 1_000_000), "rare words are soon looked through")
    }

    @Test func rangesTakeAboutAMillisecond() {
        var pace = SearchPace()
        let first = pace.width
        pace.note(first, rows: nil, nanoseconds: 100_000)
        #expect(pace.width == first * 2)
        pace.note(first, rows: nil, nanoseconds: 1_000_000)
        #expect(pace.width == first * 2)
        pace.note(first, rows: nil, nanoseconds: 9_000_000)
        #expect(pace.width == first)
    }
}
