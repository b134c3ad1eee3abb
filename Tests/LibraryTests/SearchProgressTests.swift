import Foundation
@testable import Library
import PodcastModel
import Testing
import TestSupport

/// Searches that read many rows: they find every episode once, and return what they have when their time is up.
struct SearchProgressTests {
    /// Five thousand talks, each tenth a long one, each hundredth starred.
    private func filled(_ library: TemporaryLibrary, clock: @escaping () -> Instant = { start }) throws -> LibraryStore
    {
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
    private func pages(
        _ store: LibraryStore, _ filter: EpisodeFilter, _ order: EpisodeOrder = .bestFirst
    ) throws -> [[EpisodeID]] {
        var pages: [[EpisodeID]] = []
        var anchor = PageAnchor.first
        while true {
            let page = try store.episodes.page(filter, order: order, at: anchor, limit: 20)
            pages.append(page.episodes.map(\.id))
            guard page.hasAfter, let next = page.resumption ?? page.episodes.last?.key else { return pages }
            anchor = .after(next)
            if pages.count > 5_000 { return pages }
        }
    }

    @Test func theEpisodesOfAFeedWhoseTitleHasTheWordsAreFoundAlsoIfThereAreMany() throws {
        let store = try filled(try TemporaryLibrary())
        _ = try store.addFeed("others", items: (1...1_000).map { item($0) }, title: "Show of others")
        var filter = EpisodeFilter(text: "show")
        filter.searchesFeedTitles = true
        let found = try pages(store, filter, .newestFirst).flatMap(\.self)
        expectEqual(found.count, 6_000)
        expectEqual(Set(found).count, 6_000)
    }

    @Test(arguments: ["talk", "\"long talk\"", "talk -long", "rarity", "nowhere"])
    func aFilterFindsTheSameEpisodesBeforeOrAfterTheWords(_ text: String) throws {
        let store = try filled(try TemporaryLibrary())
        let expected = try store.episodes.matching(
            EpisodeFilter(text: text), among: (1...50).map { EpisodeID($0 * 100) })
        // With hidden episodes, the counters do not say that few episodes are starred.
        var late = EpisodeFilter(isStarred: true, text: text)
        late.includesHidden = true
        for filter in [
            EpisodeFilter(isStarred: true, text: text),
            EpisodeFilter(feed: FeedID(1), isStarred: true, text: text), late,
        ] {
            let found = try pages(store, filter).flatMap(\.self)
            #expect(Set(found) == Set(expected) && found.count == expected.count)
        }
    }

    /// A feed lists its newest episodes first, so that they are stored first.
    @Test(arguments: [0, 5], ["talk", "tal", "words -rarity", "said"])
    func manyHitsAreInTheOrderOfTheirDatesHoweverTheyWereStored(clockStep: Int, text: String) throws {
        var now = start
        let store = try TemporaryLibrary().open {
            now += .milliseconds(clockStep)
            return now
        }
        _ = try store.addFeed(
            items: (1...3_000).reversed().map { number in
                item(number) {
                    ($0.title, $0.summary) = (number % 2 == 0 ? "Said \(number)" : "A talk", nil)
                    $0.content = number % 100 == 0 ? "words with a rarity" : "words of a talk"
                }
            })
        // Found in the transcript only.
        for id in [EpisodeID(2), EpisodeID(2_000)] {
            try store.texts.storeTranscript(
                [Cue(start: .zero, text: "It is said")], of: id, TextFetch(url: "https://cdn.example/1.vtt", time: day0)
            )
        }
        while try store.performMaintenance() {}
        let expected = try store.episodes.matching(
            EpisodeFilter(text: text), among: (1...3_000).map { EpisodeID($0) })
        #expect(expected.count > 1_400)
        try expectEqual(pages(store, EpisodeFilter(text: text), .newestFirst).flatMap(\.self), expected)
        try expectEqual(pages(store, EpisodeFilter(text: text), .oldestFirst).flatMap(\.self), expected.reversed())
        if text == "talk" {
            let best = try pages(store, EpisodeFilter(text: text)).flatMap(\.self)
            expectEqual(best.first, EpisodeID(2), "the newest with the word in its title")
            expectEqual(Set(best).count, expected.count)
        }
    }

    @Test func aCountIsNotExactWhileTheIndexesAreIncomplete() throws {
        // Each reading of the clock is twenty milliseconds later.
        var now = start
        let store = try TemporaryLibrary().open {
            now += .milliseconds(20)
            return now
        }
        _ = try store.addFeed(
            items: (1...5_000).map { number in item(number) { $0.title = number == 5_000 ? "A rarity" : "A talk" } })
        let filter = EpisodeFilter(text: "rarity")
        try expectEqual(store.episodes.count(filter, upTo: 1_000), .atLeast(0))
        while try store.performMaintenance() {}
        _ = try store.episodes.page(filter, order: .bestFirst, at: .first, limit: 10)
        try expectEqual(store.episodes.count(filter, upTo: 1_000), .exactly(1))
    }

    @Test func aSearchThatTakesLongReturnsWhatItHasAndContinues() throws {
        // Each reading of the clock is five milliseconds later.
        var now = start
        let store = try filled(try TemporaryLibrary()) {
            now += .milliseconds(5)
            return now
        }
        var starred = EpisodeFilter(isStarred: true, text: "long")
        starred.includesHidden = true
        for filter in [EpisodeFilter(text: "talk"), starred, EpisodeFilter(text: "talk -rarity")] {
            let all = try pages(store, filter)
            #expect(all.count > 1, "it ended early")
            let found = all.flatMap(\.self)
            expectEqual(Set(found).count, found.count, "nothing comes twice")
            let every = try store.episodes.matching(filter, among: (1...5_000).map { EpisodeID($0) })
            expectEqual(Set(found), Set(every))
        }
    }

    @Test func aPageAfterAnEmptyOneContinuesWhereThatEnded() throws {
        var now = start
        let store = try filled(try TemporaryLibrary()) {
            now += .milliseconds(60)
            return now
        }
        var filter = EpisodeFilter(isStarred: true, text: "talk -long")
        filter.includesHidden = true
        try store.episodes.setStarred(true, [EpisodeID(1)])
        let first = try store.episodes.page(filter, order: .bestFirst, at: .first, limit: 20)
        #expect(first.episodes.isEmpty && first.hasAfter && first.resumption != nil)
        try expectEqual(store.episodes.count(filter, upTo: 100), .atLeast(0))
        try expectEqual(pages(store, filter).flatMap(\.self), [EpisodeID(1)])
    }
}
