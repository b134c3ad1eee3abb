@testable import DaemonCore
import Foundation
import Library
import PodcastModel
import Reporting
import Synchronization
import TestSupport
import Testing

/// Answers the question for the feed at a URL.
private final class TestFeeds: Sendable {
    let answer: FoundFeed?
    let asked = Mutex<[String]>([])
    init(_ answer: FoundFeed?) { self.answer = answer }
    func feed(at url: String) -> FoundFeed? {
        asked.withLock { $0.append(url) }
        return answer
    }
}

@Suite struct PlayChooserTests {
    private let library: StoredLibrary
    private let queue: QueueService

    init() async throws {
        library = try StoredLibrary()
        queue = try await QueueService(from: library)
    }

    private func chooser(_ feeds: TestFeeds = TestFeeds(nil)) -> PlayChooser {
        PlayChooser(
            library: library, queue: queue, activities: ActivityBoard { Timestamp(seconds: 0) },
            now: { Timestamp(seconds: 1_000_000) }
        ) { feeds.feed(at: $0) }
    }

    /// What `add` queues.
    private func queued(_ words: String...) async throws -> [EpisodeID] {
        try await chooser().chosen(words, .unplayedOldestFirst).flatMap(\.episodes)
    }

    @Test func aFeedMeansItsNewestUnplayedEpisodeToPlayAndAllOfThemToQueue() async throws {
        let news = try await library.addFeed("News", episodes: 3)
        try await expectEqual(chooser().choice(for: "News").entry.episode, news.episodes[2])
        try await expectEqual(queued("News"), news.episodes)
        try await library.perform { try $0.episodes.setPlayed(true, [news.episodes[2]], at: Timestamp(seconds: 5)) }
        try await expectEqual(queued("News"), Array(news.episodes.prefix(2)))
    }

    // MARK: contexts

    private func next(_ context: PlayContext, after episode: EpisodeID?) async throws -> EpisodeID? {
        try await library.read {
            try ContextEpisodes.next(in: context, after: episode, in: $0, at: Timestamp(seconds: 1_000_000))?.id
        }
    }

    @Test func aContextContinuesInItsOrderWithUnplayedEpisodes() async throws {
        let (feed, parts) = try await library.addFeed("Serial", episodes: 4)
        try await library.perform { try $0.episodes.setPlayed(true, [parts[1]], at: Timestamp(seconds: 5)) }
        let oldest = PlayContext(.feed(feed), .oldestFirst)
        try await expectEqual(next(oldest, after: nil), parts[0])
        try await expectEqual(next(oldest, after: parts[0]), parts[2])
        try await expectEqual(next(oldest, after: parts[3]), nil)
        let newest = PlayContext(.feed(feed), .newestFirst)
        try await expectEqual(next(newest, after: nil), parts[3])
        try await expectEqual(next(newest, after: parts[2]), parts[0])
    }

    @Test func aSerialShowPlaysSeasonBySeasonUnlessToldOtherwise() async throws {
        // By date: a trailer, season 2 with the numbers 2 and 1, season 1, a bonus.
        let (feed, parts) = try await library.addFeed("Saga", episodes: 5, type: "serial") { number, item in
            item.facts.season = [nil, 2, 2, 1, nil][number - 1]
            item.facts.number = [nil, 2, 1, nil, nil][number - 1]
            item.facts.type = ["trailer", "full", nil, nil, "bonus"][number - 1]
        }
        let order = [parts[3], parts[2], parts[1], parts[0], parts[4]]
        for (index, part) in order.enumerated() {
            try await expectEqual(chooser().choice(for: "Saga").entry.episode, part)
            let context = PlayContext(.feed(feed), .oldestFirst)
            try await expectEqual(next(context, after: part), index < 4 ? order[index + 1] : nil)
            if index == 0 {
                try await expectEqual(chooser().choice(for: "Saga", .newestFirst).choice.entry.episode, parts[4])
            }
            try await library.perform { try $0.episodes.setPlayed(true, [part], at: Timestamp(seconds: 5)) }
        }
    }

    @Test func conditionsAreAContextAndWhatIsGoneIsAnError() async throws {
        let (_, parts) = try await library.addFeed("Serial", episodes: 3)
        try await library.perform { try $0.episodes.setStarred(true, [parts[0], parts[2]]) }
        try await expectEqual(next(PlayContext(.view("filter:is:starred"), .oldestFirst), after: parts[0]), parts[2])
        await #expect(throws: ChoiceFailure.noPlaylist("Mine")) {
            try await next(PlayContext(.view("playlist:Mine"), .oldestFirst), after: nil)
        }
        await #expect(throws: ChoiceFailure.noContext("playlist:upNext")) {
            try await next(PlayContext(.view("playlist:upNext"), .oldestFirst), after: nil)
        }
    }

    @Test func playingInAnOrderBeginsWithTheFirstAndAnEpisodeWithItself() async throws {
        let (feed, parts) = try await library.addFeed("Serial", episodes: 3)
        let oldest = try await chooser().choice(for: "Serial", .oldestFirst)
        #expect(oldest.choice.entry.episode == parts[0] && oldest.context == PlayContext(.feed(feed), .oldestFirst))
        let second = try await chooser().choice(for: "Part 2", .newestFirst)
        #expect(second.choice.entry.episode == parts[1] && second.context == PlayContext(.feed(feed), .newestFirst))
        let view = try await chooser().choice(for: "filter:is:unplayed", .newestFirst)
        expectEqual(view.choice.entry.episode, parts[2])
        expectEqual(view.context, PlayContext(.view("filter:is:unplayed"), .newestFirst))
        expectEqual(queue.snapshot.entries.map(\.episode), [parts[2], parts[1], parts[0]])
    }

    @Test func wordsMeanAllEpisodesAlsoBeforeTheirIndexIsFull() async throws {
        _ = try await library.addFeed("Many", episodes: 40_000)
        let chosen = try await chooser().chosen(["filter:Part"], .all)
        expectEqual(chosen.flatMap(\.episodes).count, 40_000)
    }

    @Test func anEpisodeThatIsQueuedIsNotQueuedAgain() async throws {
        let news = try await library.addFeed("News", episodes: 2)
        let first = try await chooser().choice(for: "Part 2").entry
        try await expectEqual(chooser().choice(for: "Part 2").entry, first)
        expectEqual(queue.snapshot.entries.map(\.episode), [news.episodes[1]])
    }

    @Test func anIndexMeansTheEntryAndWithoutOneIsAnError() async throws {
        let news = try await library.addFeed("News", episodes: 2)
        _ = try await queue.insertAfterCurrent(news.episodes)
        try await expectEqual(chooser().choice(for: "#2").entry.episode, news.episodes[1])
        try await expectEqual(chooser().choice(for: "2").entry.episode, news.episodes[1])
        for index in ["#9", "9"] {
            await #expect(throws: LibraryError.notFound(index, of: .entry)) {
                try await chooser().choice(for: index)
            }
        }
    }

    @Test func conditionsAndSavedPlaylistsAreViews() async throws {
        let news = try await library.addFeed("News", episodes: 3)
        try await library.perform { try $0.episodes.setStarred(true, [news.episodes[0]]) }
        try await expectEqual(queued("filter:is:starred"), [news.episodes[0]])
        await #expect(throws: ChoiceFailure.noPlaylist("Mine")) {
            try await queued("playlist:Mine")
        }
        await #expect(throws: ChoiceFailure.emptyView("filter:is:played")) {
            try await chooser().choice(for: "filter:is:played")
        }
    }

    @Test func builtInPlaylistsAndRangesAreViewsToo() async throws {
        let news = try await library.addFeed("News", episodes: 3)
        try await library.perform { store in
            try store.episodes.setPlayed(true, [news.episodes[0]], at: Timestamp(seconds: 5))
            let entries = try store.queue.insertEntries([news.episodes[2], news.episodes[1]], at: 0)
            try store.queue.setCurrentEntry(entries[0].id)
        }
        try await expectEqual(queued("playlist:played"), [news.episodes[0]])
        try await expectEqual(queued("playlist:new"), [news.episodes[2], news.episodes[1]])
        try await expectEqual(queued("playlist:nowPlaying"), [news.episodes[2]])
        try await expectEqual(queued("playlist:upNext"), [news.episodes[1]])
        try await expectEqual(queued("e1-e2"), [EpisodeID(1), EpisodeID(2)])
        try await expectEqual(queued("#2"), [news.episodes[1]])
    }

    @Test func aFeedOfMoreThanAThousandEpisodesIsChosenAsAWhole() async throws {
        let long = try await library.addFeed("Long", episodes: 2_345)
        try await expectEqual(queued("f\(long.feed)").count, 2_345)
        let few = try await chooser().chosen(["Long"], .unplayedNewestFirst, limit: 20)
        expectEqual(few.map(\.episodes.count), [20])
        expectEqual(few.map(\.hasMore), [true])
    }

    @Test func eachWordSaysWhatItBecame() async throws {
        let news = try await library.addFeed("News", episodes: 2)
        let chosen = try await chooser().chosen(["news", "2", "filter:is:played"], .all) { !$0.state.isStarred }
        expectEqual(chosen.map(\.object), [.feed(news.feed), .episode(EpisodeID(2)), nil])
        expectEqual(chosen.map(\.title), ["News", "Part 2", nil])
        expectEqual(chosen.map(\.episodes.count), [2, 1, 0])
    }

    @Test func anEntryOfTheQueueIsNamedByIndexIdFeedTitleAndConditions() async throws {
        let news = try await library.addFeed("News", episodes: 3)
        try await library.perform { store in
            let entries = try store.queue.insertEntries(news.episodes.reversed(), at: 0)
            try store.episodes.setStarred(true, [news.episodes[1]])
            let names = QueuedNames(entries: entries, store: store, now: Timestamp(seconds: 0))
            try expectEqual(names.entries(named: "1"), [entries[0]])
            try expectEqual(names.entries(named: "2-3"), Array(entries[1...]))
            try expectEqual(names.entries(named: "\(news.episodes[0].label)"), [entries[2]])
            try expectEqual(names.entries(named: "f\(news.feed)"), entries)
            try expectEqual(names.entries(named: "part 2"), [entries[1]])
            try expectEqual(names.entries(named: "filter:is:starred"), [entries[1]])
            try expectEqual(names.entries(named: "http://host/News/1.mp3"), [entries[2]])
            #expect(try names.entries(named: "4").isEmpty)
            #expect(throws: LibraryError.self) { try names.entries(named: "part") }
        }
    }

    @Test func theTitleOfAFeedNamesItsEntriesAlsoIfTheirTitlesHaveItsWords() async throws {
        let chairs = try await library.addFeed("Chairs", episodes: 2) { $1.title = "Chairs \($0)" }
        let other = try await library.addFeed("Other", episodes: 2) { $1.title = "Talk \($0) on chairs" }
        try await library.perform { store in
            let entries = try store.queue.insertEntries(chairs.episodes + other.episodes, at: 0)
            let names = QueuedNames(entries: entries, store: store, now: Timestamp(seconds: 0))
            try expectEqual(names.entries(named: "CHAIRS"), Array(entries.prefix(2)))
            #expect(throws: LibraryError.self) { try names.entries(named: "on chairs") }
        }
    }

    @Test func theURLOfAMediaFileBecomesAnEpisodeWithoutAskingItsHost() async throws {
        let feeds = TestFeeds(.subscribed(FeedID(9)))
        let entry = try await chooser(feeds).choice(for: "http://other/a.mp3?token=1").entry
        let url = try await library.perform { try $0.episodes.episode(entry.episode).enclosure.url }
        expectEqual(url, "http://other/a.mp3?token=1")
        expectEqual(feeds.asked.withLock { $0 }, [])
    }

    @Test func aFeedsURLPlaysItsNewestEpisodeWithoutSubscribing() async throws {
        let feeds = TestFeeds(
            .other(title: "Show", url: "http://other/feed", newestURL: "http://cdn/9", newestTitle: "Nine"))
        let choice = try await chooser(feeds).choice(for: "http://other/page")
        let episode = try await library.perform { try $0.episodes.episode(choice.entry.episode) }
        #expect((episode.title, episode.enclosure.url, episode.feedTitle) == ("Nine", "http://cdn/9", "Single files"))
        expectEqual(episode.link, "http://other/feed")
        expectEqual(choice.note, "'Show' is not subscribed to; to subscribe: podcastctl subscribe http://other/feed")
        #expect(try await library.perform { try $0.feeds.feeds() }.isEmpty)
    }

    @Test func aPageOfASubscribedFeedPlaysItsNewestUnplayedEpisode() async throws {
        let news = try await library.addFeed("News", episodes: 2)
        let choice = try await chooser(TestFeeds(.subscribed(news.feed))).choice(for: "http://other/page")
        expectEqual(choice.entry.episode, news.episodes[1])
        expectEqual(choice.note, nil)
    }

    @Test func aFeedWithoutEpisodesCannotBePlayed() async throws {
        await #expect(throws: ChoiceFailure.emptyFeed) {
            try await chooser(TestFeeds(.other(title: nil, url: "http://other/feed", newestURL: nil, newestTitle: nil)))
                .choice(for: "http://other/feed")
        }
    }

    @Test func aViewQueuesOnlyWhatIsNotQueuedYet() async throws {
        let news = try await library.addFeed("News", episodes: 3)
        _ = try await queue.insertAfterCurrent([news.episodes[2]])
        let choice = try await chooser().choice(for: "filter:is:unplayed")
        expectEqual(choice.entry.episode, news.episodes[2])
        expectEqual(choice.queued, 2)
        expectEqual(queue.snapshot.entries.map(\.episode).sorted(), news.episodes.sorted())
        try await expectEqual(chooser().choice(for: "filter:is:unplayed").queued, 0)
        expectEqual(queue.snapshot.entries.map(\.episode).count, 3)
    }

    @Test func otherSchemesAndFinishedFeedsAreErrors() async throws {
        let news = try await library.addFeed("News", episodes: 1)
        await #expect(throws: ChoiceFailure.unsupportedURL) {
            try await chooser().choice(for: "ftp://host/a.mp3")
        }
        try await library.perform { try $0.episodes.setPlayed(true, news.episodes, at: Timestamp(seconds: 5)) }
        await #expect(throws: ChoiceFailure.nothingUnplayed("News")) {
            try await chooser().choice(for: "http://host/News.xml")
        }
    }
}
