import Foundation
@testable import Library
import PodcastModel
import Testing
import TestSupport

struct MovingTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore

    init() throws { (library, store) = try openLibrary() }

    private func imported(_ number: Int, change: (inout PortableEpisode) -> Void) -> PortableEpisode {
        let item = item(number)
        var episode = PortableEpisode(
            EpisodeIdentity(
                guid: item.guid, url: item.enclosures[0].url, title: item.title, published: item.published,
                duration: item.duration))
        change(&episode)
        return episode
    }

    @Test func aFeedIsImportedWithTagsSettingsAndFormerAddresses() throws {
        var feed = PortableFeed(
            url: "https://a.example/f", title: "A", tags: ["News/World", "Food, Drink"], settings: ["speed": "1.5"])
        (feed.subscribed, feed.formerURLs) = (day0, ["http://old.example/f"])
        let taken = try store.imports.importFeeds([feed, feed], at: day0.adding(days: 9))
        try #require(taken.map(\.isNew) == [true, false])
        try expectEqual(store.feeds.feed(url: "http://old.example/f")?.id, taken[0].id)
        try expectEqual(store.feeds.feeds()[0].tags, ["Food Drink", "News/World"])
        var expected = feed
        expected.tags = ["Food Drink", "News/World"]
        try expectEqual(store.imports.exportedFeeds(), [expected])
    }

    @Test func whatIsHereStaysWhenAFeedIsImportedAgain() throws {
        let id = try store.addFeed("show", items: [item(1)])
        try store.feeds.setSetting("speed", to: "2", of: id)
        try store.imports.setTags(["Mine"], of: id)
        _ = try store.imports.importFeeds(
            [
                PortableFeed(
                    url: "https://feeds.example/show", title: "Other", tags: ["Theirs"], settings: ["speed": "1"])
            ],
            at: day0)
        try expectEqual(store.feeds.settings(of: id), ["speed": "2"])
        try expectEqual(store.feeds.feed(id).tags, ["Mine", "Theirs"])
        try expectEqual(store.feeds.feed(id).title, "show")
    }

    @Test func stateOfEpisodesThatAreThereIsAppliedAtOnce() throws {
        let feed = try store.addFeed(items: [item(1), item(2)])
        let taken = try store.imports.importEpisodes(
            [
                imported(1) { $0.isPlayed = true },
                imported(2) {
                    $0.position = MediaTime(seconds: 90)
                    $0.isStarred = true
                    $0.note = "remember"
                },
            ], of: feed, queueStart: 0)
        expectEqual(taken, EpisodeImportCounts(found: 2, waiting: 0, positions: 2))
        let states = try store.all(order: .oldestFirst).map(\.state)
        #expect(states[0].isPlayed && !states[0].isStarred)
        #expect(states[1].position == MediaTime(seconds: 90) && states[1].isStarred && states[1].note == "remember")
        try expectEqual(store.episodes.count(EpisodeFilter(isInProgress: true), upTo: 9), .exactly(1))
        try expectEqual(library.number("SELECT count(*) FROM imported_episode"), 0)
        try expectEqual(library.findings(), [])
    }

    @Test func anImportedPositionOfAFewSecondsIsNotProgress() throws {
        let feed = try store.addFeed(items: [item(1)])
        _ = try store.imports.importEpisodes(
            [imported(1) { $0.position = MediaTime(seconds: 5) }, imported(2) { $0.position = MediaTime(seconds: 5) }],
            of: feed, queueStart: 0)
        _ = try store.refreshes.merge(document([item(1), item(2)]), into: feed, fetched())
        try expectEqual(store.all(EpisodeFilter(isInProgress: true)), [])
        try expectEqual(store.all().map(\.state.position), [MediaTime(seconds: 5), MediaTime(seconds: 5)])
        try expectEqual(library.findings(), [])
    }

    @Test func takingInOnesOwnStateAgainChangesNothing() throws {
        let feed = try store.addFeed(items: [item(1), item(2)])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.savePosition(MediaTime(seconds: 12), of: ids[0], at: day0, isDurable: true)
        try store.episodes.setNote("remember", of: ids[1])
        _ = try store.queue.insertEntries(ids, at: 0)
        let own = try store.imports.exportedEpisodes(try store.imports.exportedKeys()[...])
        let start = try store.imports.queueEnd()
        let taken = try store.imports.importEpisodes(own, of: feed, queueStart: start)
        #expect(own.count == 2 && taken == EpisodeImportCounts(found: 0, unchanged: 2))
    }

    @Test func stateOfEpisodesThatAreNotThereWaitsForTheRefresh() throws {
        let feed = try store.addFeed(items: [item(1)])
        let taken = try store.imports.importEpisodes(
            [imported(2) { $0.position = MediaTime(seconds: 18) }, imported(3) { $0.isStarred = true }], of: feed,
            queueStart: 0)
        expectEqual(taken, EpisodeImportCounts(found: 0, waiting: 2))
        _ = try store.refreshes.merge(document([item(1), item(2)]), into: feed, fetched())
        try expectEqual(store.all(EpisodeFilter(isInProgress: true)).map(\.title), ["Episode 2"])
        // The same address under another GUID, as a host that renewed them gives it.
        _ = try store.refreshes.merge(
            document([item(1), item(2), item(3) { $0.guid = "renewed" }]), into: feed, fetched())
        try expectEqual(store.all(EpisodeFilter(isStarred: true)).map(\.title), ["Episode 3"])
        try expectEqual(library.number("SELECT count(*) FROM imported_episode"), 0)
        try expectEqual(library.findings(), [])
    }

    @Test func ofTwoImportsThatWaitTheLaterPositionWins() throws {
        let feed = try store.addFeed(items: [item(1)])
        let later = imported(2) { ($0.position, $0.lastPlayed) = (MediaTime(seconds: 90), day0) }
        let earlier = imported(2) {
            ($0.position, $0.lastPlayed) = (MediaTime(seconds: 40), day0.adding(days: -1))
        }
        for episode in [later, earlier, imported(2) { $0.isStarred = true }] {
            _ = try store.imports.importEpisodes([episode], of: feed, queueStart: 0)
        }
        _ = try store.refreshes.merge(document([item(1), item(2)]), into: feed, fetched())
        let state = try #require(try store.all(EpisodeFilter(isStarred: true)).first).state
        expectEqual(state.position, MediaTime(seconds: 90))
    }

    @Test func bookmarksOfTwoImportsThatWaitAreAllAdded() throws {
        let feed = try store.addFeed(items: [item(1)])
        for places in [[20, 30], [20, 10], []] as [[Double]] {
            let episode = imported(2) {
                $0.isStarred = true
                $0.bookmarks = places.map {
                    PortableBookmark(position: MediaTime(seconds: $0), text: "at \(Int($0))", created: day0)
                }
            }
            _ = try store.imports.importEpisodes([episode], of: feed, queueStart: 0)
        }
        _ = try store.refreshes.merge(document([item(1), item(2)]), into: feed, fetched())
        let episode = try #require(try store.all(EpisodeFilter(isStarred: true)).first)
        try expectEqual(store.bookmarks.bookmarks(of: episode.id).map(\.text), ["at 10", "at 20", "at 30"])
    }

    @Test func theLaterOfTwoPositionsWinsAndNothingIsTakenAway() throws {
        let feed = try store.addFeed(items: [item(1), item(2), item(3)])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        let now = day0.adding(days: 10)
        for id in ids { try store.episodes.savePosition(MediaTime(seconds: 60), of: id, at: now, isDurable: false) }
        try store.episodes.setStarred(true, ids)
        try store.episodes.setNote("mine", of: ids[0])
        _ = try store.imports.importEpisodes(
            [
                imported(1) {
                    $0.position = MediaTime(seconds: 30)
                    $0.lastPlayed = now.adding(seconds: -1)
                    $0.note = "theirs"
                },
                imported(2) {
                    $0.position = MediaTime(seconds: 30)
                    $0.lastPlayed = now.adding(seconds: 1)
                }, imported(3) { $0.isPlayed = true },
            ], of: feed, queueStart: 0)
        let states = try store.all(order: .oldestFirst).map(\.state)
        let minute = MediaTime(seconds: 60)
        try #require(states.map(\.position) == [minute, MediaTime(seconds: 30), minute])
        #expect(states.allSatisfy { $0.isStarred && !$0.isPlayed } && states[0].note == "mine")
    }

    @Test func importingAfterAnUndoDoesTheSameAsTheFirstTime() throws {
        let feed = try store.addFeed(items: (1...4).map { item($0) })
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.savePosition(MediaTime(seconds: 60), of: ids[3], at: day0, isDurable: true)
        let document = [
            imported(1) { ($0.isPlayed, $0.marked) = (true, day0) },
            imported(2) { ($0.position, $0.lastPlayed) = (MediaTime(seconds: 40), day0) },
            imported(3) { $0.position = MediaTime(seconds: 50) },
            imported(4) { ($0.position, $0.lastPlayed) = (MediaTime(seconds: 70), day0.adding(seconds: 1)) },
        ]
        func importDocument() throws -> EpisodeImportCounts {
            var counts = EpisodeImportCounts()
            try store.history.act(.imported, title: "state.json") {
                counts = try store.imports.importEpisodes(document, of: feed, queueStart: 0)
            }
            return counts
        }
        let before = try store.all().map(\.state)
        let first = try importDocument()
        let imported = try store.all().map(\.state)
        for _ in 1...2 {
            _ = try store.history.undoLast()
            try expectEqual(store.all().map(\.state), before)
            try expectEqual(store.trying { try importDocument() }, first)
            try expectEqual(importDocument(), first)
            try expectEqual(store.all().map(\.state), imported)
        }
        try expectEqual(importDocument(), EpisodeImportCounts(unchanged: 4))
        try expectEqual(library.findings(), [])
    }

    @Test func importingAfterAnUndoneMarkBringsMarkAndPosition() throws {
        let feed = try store.addFeed(items: [item(1), item(2)])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.setPlayed(true, ids, at: day0.adding(days: 1))
        _ = try store.history.undoLast()
        _ = try store.imports.importEpisodes(
            [
                imported(1) { ($0.isPlayed, $0.marked) = (true, day0) },
                imported(2) { ($0.position, $0.lastPlayed) = (MediaTime(seconds: 40), day0) },
            ], of: feed, queueStart: 0)
        let states = try store.all(order: .oldestFirst).map(\.state)
        #expect(states[0].isPlayed && states[1].position == MediaTime(seconds: 40), "\(states)")
    }

    @Test func theQueueKeepsItsOrderWhateverFeedComesFirst() throws {
        _ = try store.addFeed("own", items: [item(9)])
        _ = try store.queue.insertEntries(try store.all().map(\.id), at: 0)
        let start = try store.imports.queueEnd()
        let ids = try store.imports.importFeeds(
            ["a", "b"].map { PortableFeed(url: "https://feeds.example/\($0)") }, at: day0
        ).map(
            \.id)
        for (feed, numbers) in zip(ids, [[1, 3], [2, 4]]) {
            _ = try store.imports.importEpisodes(
                numbers.map { number in
                    imported(number) {
                        $0.queueIndex = number
                        $0.isCurrent = number == 3
                    }
                }, of: feed, queueStart: start)
        }
        _ = try store.refreshes.merge(document([item(2), item(4)]), into: ids[1], fetched())
        _ = try store.refreshes.merge(document([item(1), item(3)]), into: ids[0], fetched())
        let queue = try store.queue.queue()
        try expectEqual(
            store.episodes.episodes(queue.entries.map(\.episode)).map(\.title), [9, 1, 2, 3, 4].map { "Episode \($0)" })
        expectEqual(queue.current, queue.entries[3].id)
        try expectEqual(library.findings(), [])
    }

    @Test func takingInTwiceChangesNothing() throws {
        let feed = try store.addFeed(items: [item(1)])
        let episodes = [
            imported(1) {
                $0.position = MediaTime(seconds: 7)
                $0.queueIndex = 0
            }, imported(2) { $0.note = "later" },
        ]
        for _ in 0..<2 {
            _ = try store.imports.importEpisodes(episodes, of: feed, queueStart: store.imports.queueEnd())
        }
        try expectEqual(store.queue.queue().entries.count, 1)
        try expectEqual(library.number("SELECT count(*) FROM imported_episode"), 1)
    }

    /// The queue was empty before the import, so the imported entry becomes the current one.
    @Test(arguments: [false, true])
    func theCurrentEntryOfAnImportGoesWithItUnlessItWasHeard(isHeard: Bool) throws {
        let feed = try store.addFeed(items: [item(1), item(2)])
        try store.history.act(.imported, title: "state.json") {
            _ = try store.imports.importEpisodes(
                [1, 2].map { number in
                    imported(number) { ($0.queueIndex, $0.isCurrent) = (number, number == 1) }
                }, of: feed, queueStart: store.imports.queueEnd())
        }
        let current = try #require(try store.queue.queue().entries.first)
        if isHeard {
            let later = Timestamp(seconds: 1 << 40)
            try store.episodes.savePosition(MediaTime(seconds: 5), of: current.episode, at: later, isDurable: true)
        }
        _ = try store.history.undoLast()
        let queue = try store.queue.queue()
        expectEqual(queue.entries.map(\.id), isHeard ? [current.id] : [])
        expectEqual(queue.current, isHeard ? current.id : nil)
    }

    @Test func aSubscribedFeedTakesTheTitleOfTheImportUnlessItHasOne() throws {
        let feed = try store.addFeed(items: [item(1)])
        let stored = try store.feeds.feed(feed)
        let portable = [PortableFeed(url: stored.url, settings: ["title": "Mine", "speed": "1.5"])]
        try store.history.act(.imported, title: "state.json") { _ = try store.imports.importFeeds(portable, at: day0) }
        try expectEqual(store.feeds.feed(feed).title, "Mine")
        _ = try store.history.undoLast()
        try expectEqual(store.feeds.feed(feed).title, stored.title)
        try expectEqual(store.feeds.settings(of: feed), [:])
        try store.feeds.setSetting("title", to: "Own", of: feed)
        _ = try store.imports.importFeeds(portable, at: day0)
        try expectEqual(store.feeds.feed(feed).title, "Own")
        try expectEqual(store.feeds.settings(of: feed), ["title": "Own", "speed": "1.5"])
    }

    @Test func everythingTouchedIsListedAndNothingElse() throws {
        let feed = try store.addFeed(items: (1...6).map { item($0) })
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.setPlayed(true, [ids[0]], at: day0)
        try store.episodes.setPlayed(false, [ids[1]], at: day0)
        try store.episodes.setStarred(true, [ids[2]])
        try store.episodes.setNote("n", of: ids[3])
        _ = try store.queue.insertEntries([ids[4]], at: 0)
        _ = try store.imports.importEpisodes([imported(8) { $0.isStarred = true }], of: feed, queueStart: 0)
        let loose = try store.episodes.looseEpisode(url: "https://l.example/x.mp3", title: "Loose", at: day0)
        try store.episodes.setStarred(true, [loose])
        let keys = try store.imports.exportedKeys()
        let exported = try store.imports.exportedEpisodes(keys[...])
        expectEqual(exported.map(\.identity.title), ["Loose"] + [1, 2, 3, 4, 5, 8].map { "Episode \($0)" })
        let url = try store.feeds.feed(feed).url
        expectEqual(exported.map(\.feed), [nil] + Array(repeating: url, count: 6))
        #expect(exported.allSatisfy { $0.isTouched })
    }

    private static let lines = [
        HistoryRecord(time: day0.adding(days: 3), event: .played, position: MediaTime(seconds: 1790)),
        HistoryRecord(time: day0.adding(days: 2), event: .heard, position: MediaTime(seconds: 900)),
    ]

    @Test(arguments: [false, true])
    func historyAndDownloadsOfADocumentThatIsImportedTwiceAreThereOnce(areThere: Bool) throws {
        let feed = try store.addFeed(items: areThere ? [item(1), item(2)] : [])
        let episode = imported(2) { ($0.history, $0.isDownloaded) = (Self.lines, true) }
        for _ in 1...2 { _ = try store.imports.importEpisodes([episode], of: feed, queueStart: 0) }
        if !areThere {
            let waiting = try store.imports.exportedEpisodes(try store.imports.exportedKeys()[...], history: true)
            #expect(waiting.map(\.history) == [Self.lines] && waiting[0].isDownloaded)
            _ = try store.refreshes.merge(document([item(1), item(2)]), into: feed, fetched())
        }
        try expectEqual(
            store.history.history(limit: 9).map {
                HistoryRecord(time: $0.time, event: $0.event, position: $0.position)
            },
            Self.lines)
        try expectEqual(store.downloads.requestedDownloads(limit: 9).count, 1)
        let exported = try store.imports.exportedEpisodes(try store.imports.exportedKeys()[...], history: true)
        #expect(exported.map(\.history) == [Self.lines] && exported[0].isDownloaded)
        try expectEqual(store.imports.exportedEpisodes(try store.imports.exportedKeys()[...])[0].history, [])
    }

    @Test func theHistoryAloneIsExportedOnRequestOnly() throws {
        _ = try store.addFeed(items: [item(1)])
        let id = try #require(try store.all().first?.id)
        try store.episodes.setPlayed(true, [id], at: day0)
        _ = try store.history.undoLast()
        try expectEqual(store.imports.exportedKeys().count, 0)
        try expectEqual(store.imports.exportedKeys(history: true).count, 1)
    }

    @Test func listeningTimeIsMergedByDayAndUndoneWithItsImport() throws {
        _ = try store.addFeed("show", items: [item(1)])
        let id = try #require(try store.all().first?.id)
        func days() throws -> [HeardDay] { try store.listening.heard(since: nil, byDay: true) }
        let (one, two) = (CalendarDay(20_000), CalendarDay(20_001))
        let (short, long) = (
            ListeningTime(heard: .seconds(60)), ListeningTime(heard: .seconds(90), savedBySpeed: .seconds(9))
        )
        try store.listening.add(short, to: id, on: one)
        try store.listening.add(long, to: id, on: two)
        let before = try days()
        let url = "https://feeds.example/show"
        let given = [
            HeardDay(day: one, url: url, title: "show", time: long),
            HeardDay(day: two, url: url, title: "show", time: short),
            HeardDay(day: two, url: nil, title: "Gone \u{1B}[31m", time: short),
            HeardDay(day: two, url: "https://unknown.example/", title: "Unknown", time: short),
        ]
        let counts = try store.history.act(.imported, title: "state.json") {
            try [store.listening.importDays(given[...]), store.listening.importDays(given[...])]
        }
        expectEqual(counts, [3, 0])
        let after = try days()
        expectEqual(after.map(\.time), [long, short, short, long])
        expectEqual(Set(after.map(\.title)).count, 3)
        #expect(after.allSatisfy { !$0.title.contains("\u{1B}") })
        try expectEqual(store.feeds.feeds().count, 1)
        // An export of them imported into the same library changes nothing.
        try expectEqual(store.listening.importDays(after[...]), 0)
        _ = try store.history.undoLast()
        try expectEqual(days(), before)
        try expectEqual(library.findings(), [])
    }

    @Test func aTrialReturnsWhatAnImportReturnsAndChangesNothing() throws {
        let feed = try store.addFeed(items: [item(1), item(2)])
        let episodes = [
            imported(1) { ($0.position, $0.queueIndex) = (MediaTime(seconds: 90), 0) },
            imported(7) { $0.isStarred = true },
        ]
        let expected = EpisodeImportCounts(found: 1, waiting: 1, positions: 1, queued: 1)
        let trial = try store.trying { try store.imports.importEpisodes(episodes, of: feed, queueStart: 0) }
        expectEqual(trial, expected)
        #expect(try store.all().allSatisfy { $0.state.position == .zero } && store.queue.queue().entries.isEmpty)
        try expectEqual(store.imports.importEpisodes(episodes, of: feed, queueStart: 0), expected)
        #expect(throws: LibraryError.self) {
            try store.trying { try store.imports.importEpisodes(episodes, of: FeedID(99), queueStart: 0) }
        }
        try expectEqual(store.queue.queue().entries.count, 1)
    }
}
