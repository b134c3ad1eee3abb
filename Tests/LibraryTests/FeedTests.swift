@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

struct FeedTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore

    init() throws { (library, store) = try openLibrary() }

    @Test func aFeedIsCalledByItsURLUntilTheFirstRefresh() throws {
        let id = try store.feeds.addFeed(url: "https://feeds.example/a", title: nil, at: day0)
        try expectEqual(store.feeds.feed(id).title, "https://feeds.example/a")
        try expectEqual(store.feeds.feed(id).subscribed, day0)
        _ = try store.refreshes.merge(document([], title: "The show"), into: id, fetched())
        try expectEqual(store.feeds.feed(id).title, "The show")
    }

    @Test func subscribingTwiceNamesTheFeedThatIs() throws {
        let id = try store.feeds.addFeed(url: "https://feeds.example/a", title: nil, at: day0)
        #expect(throws: LibraryError.alreadySubscribed(id)) {
            try store.feeds.addFeed(url: "https://feeds.example/a", title: "Again", at: day0)
        }
    }

    @Test(arguments: [
        "http://feeds.example/a%3Ab", "https://Feeds.example/a:b/", "https://feeds.example:443/a:b#x",
    ])
    func anotherSpellingOfAnAddressIsTheSameSubscription(url: String) throws {
        let id = try store.feeds.addFeed(url: "https://feeds.example/a:b", title: nil, at: day0)
        _ = try store.feeds.addFeed(url: "https://feeds.example/c", title: nil, at: day0)
        #expect(throws: LibraryError.alreadySubscribed(id)) {
            try store.feeds.addFeed(url: url, title: nil, at: day0)
        }
        try expectEqual(
            store.imports.importFeeds([PortableFeed(url: url)], at: day0), [ImportedFeed(id: id, isNew: false)])
        try expectEqual(store.feeds.subscribed(url: url), id)
        // A feed that is known to be another one is its own.
        let other = try store.feeds.addFeed(url: url, title: nil, isDistinct: true, at: day0)
        try expectEqual(store.feeds.feed(url: url)?.id, other)
    }

    @Test func anInternationalNameIsTheSameInASCII() throws {
        let names = ["https://bücher.example/a", "http://xn--bcher-kva.example/a/"]
        for (first, second) in [(names[0], names[1]), (names[1], names[0])] {
            let store = try TemporaryLibrary().open()
            let id = try store.feeds.addFeed(url: first, title: nil, at: day0)
            #expect(throws: LibraryError.alreadySubscribed(id)) {
                try store.feeds.addFeed(url: second, title: nil, at: day0)
            }
            try expectEqual(store.feeds.subscribed(url: second), id)
        }
    }

    @Test func feedsComeByTitleWithoutRegardToCase() throws {
        for title in ["b", "C", "a"] { _ = try store.addFeed(title, title: title) }
        try expectEqual(store.feeds.feeds().map(\.title), ["a", "b", "C"])
    }

    @Test func showsWithOneTitleAreToldApartByAuthorOrHost() throws {
        let first = try store.feeds.addFeed(url: "https://one.example/a", title: "Tides", at: day0)
        let second = try store.feeds.addFeed(url: "https://two.example/a", title: "Tides", at: day0)
        func titles() throws -> [String] { try store.names.beginning(with: "", .feed, limit: 9).map(\.title) }
        try expectEqual(titles(), ["Tides (one.example)", "Tides (two.example)"])
        try expectEqual(store.feeds.resolveFeed("Tides (two.example)").id, second)
        #expect(throws: LibraryError.self) { try store.feeds.resolveFeed("Tides") }
        for (id, author) in [(first, "Ann"), (second, "Ben")] {
            var contents = document([], title: "Tides")
            contents.channel.author = author
            _ = try store.refreshes.merge(contents, into: id, fetched())
        }
        try expectEqual(titles(), ["Tides (Ann)", "Tides (Ben)"])
        try expectEqual(store.feeds.resolveFeed("tides ben").id, second)
    }

    @Test(arguments: [
        ("https://me:secret@one.example/a?token=1", "http://one.example/b", "one.example/a", "one.example/b"),
        ("https://one.example/?show=1", "https://one.example/?show=2", "f1", "f2"),
    ])
    func showsWithOneTitleOnOneHostAreToldApartByTheirAddress(
        first: String, second: String, firstMark: String, secondMark: String
    ) throws {
        let ids = try [first, second].map { try store.feeds.addFeed(url: $0, title: "Tides", at: day0) }
        let other = try store.feeds.addFeed(url: "https://three.example/", title: "Ebb", at: day0)
        try expectEqual(store.feeds.feeds().map(\.mark), [nil, firstMark, secondMark])
        try expectEqual(store.feeds.feed(ids[1]).distinctTitle, "Tides (\(secondMark))")
        try expectEqual(store.feeds.resolveFeed("Tides (\(secondMark))").id, ids[1])
        try store.feeds.removeFeed(ids[0], at: day0)
        try expectEqual(store.feeds.feed(ids[1]).mark, nil)
        try expectEqual(store.feeds.feed(other).distinctTitle, "Ebb")
    }

    @Test func aFeedIsFoundByNumberURLAndPartOfItsTitle() throws {
        let news = try store.addFeed("news", title: "Evening News")
        let talk = try store.addFeed("talk", title: "Talk 100 % live_show")
        try expectEqual(store.feeds.resolveFeed("\(news)").id, news)
        try expectEqual(store.feeds.resolveFeed("https://feeds.example/talk").id, talk)
        try expectEqual(store.feeds.resolveFeed("eveNING").id, news)
        try expectEqual(store.feeds.resolveFeed("0 %").id, talk)
        try expectEqual(store.feeds.resolveFeed("100%").id, talk)
        try expectEqual(store.feeds.resolveFeed("f\(news)").id, news)
        #expect(throws: LibraryError.notFound("200%", of: .feed)) { try store.feeds.resolveFeed("200%") }
        #expect(throws: LibraryError.notFound("", of: .feed)) { try store.feeds.resolveFeed("") }
    }

    @Test func aWholeTitleGoesBeforeAPart() throws {
        let short = try store.addFeed("short", title: "News")
        _ = try store.addFeed("long", title: "News of the world")
        try expectEqual(store.feeds.resolveFeed("news").id, short)
        let several = LibraryError.ambiguous(
            "new", of: .feed,
            candidates: [
                NamedCandidate(.feed(FeedID(1)), title: "News"),
                NamedCandidate(.feed(FeedID(2)), title: "News of the world"),
            ])
        #expect(throws: several) { try store.feeds.resolveFeed("new") }
        expectEqual("\(several)", "'new' matches several feeds: f1 News; f2 News of the world")
        expectEqual("\(LibraryError.notFound("old", of: .feed))", "no feed matches 'old'")
        expectEqual("\(LibraryError.notFound("rule 9"))", "not found: rule 9")
    }

    @Test func aFeedThatIsGoneLeavesNothing() throws {
        let gone = try store.addFeed("gone", items: (1...450).map { item($0) })
        let kept = try store.addFeed("kept", items: [item(1)])
        let episodes = try store.all(EpisodeFilter(feed: gone))
        try store.episodes.setStarred(true, [episodes[0].id])
        try store.episodes.setNote("mine", of: episodes[0].id)
        _ = try store.queue.insertEntries([episodes[0].id, episodes[1].id], at: 0)
        let other = try store.all(EpisodeFilter(feed: kept))[0].id
        let entry = try store.queue.insertEntries([other], at: 2)
        while try store.performMaintenance() {}

        try store.feeds.deleteFeed(gone)
        try expectEqual(store.feeds.feeds().map(\.id), [kept])
        try expectEqual(store.all().map(\.id), [other])
        try expectEqual(store.episodes.count(EpisodeFilter(), upTo: 10), .exactly(1))
        try expectEqual(store.episodes.count(EpisodeFilter(isStarred: true), upTo: 10), .exactly(0))
        try expectEqual(store.queue.queue().entries, entry)
        #expect(throws: LibraryError.notFound("feed \(gone.label)")) { try store.feeds.feed(gone) }
        #expect(throws: LibraryError.notFound("episode \(episodes[0].id.label)")) {
            try store.episodes.episode(episodes[0].id)
        }

        while try store.performMaintenance() {}
        for table in ["episode", "episode_notes", "feed", "episode_address", "feed_count", "fetch_state"] {
            try expectEqual(library.number("SELECT count(*) FROM \(table)"), 1, "\(table)")
        }
        try expectEqual(library.number("SELECT count(*) FROM note"), 0)
        try library.connection().execute("INSERT INTO search(search) VALUES ('integrity-check')")
    }

    @Test func aFeedCanComeBackWhileItsRowsStillGo() throws {
        let first = try store.addFeed("show", items: (1...450).map { item($0) })
        try store.feeds.deleteFeed(first)
        let second = try store.addFeed("show", items: [item(1)])
        #expect(second != first)
        while try store.performMaintenance() {}
        try expectEqual(store.all().map(\.feed), [second])
        try expectEqual(store.feeds.feed(second).episodeCount, 1)
    }

    @Test func settingsBelongToTheirFeed() throws {
        let (a, b) = (try store.addFeed("a"), try store.addFeed("b"))
        try store.feeds.setSetting("speed", to: "1.5", of: a)
        try store.feeds.setSetting("speed", to: "1.7", of: a)
        try store.feeds.setSetting("intro", to: "30", of: a)
        try store.feeds.setSetting("intro", to: nil, of: a)
        try expectEqual(store.feeds.settings(of: a), ["speed": "1.7"])
        try expectEqual(store.feeds.settings(of: b), [:])
        #expect(throws: LibraryError.notFound("feed f99")) { try store.feeds.setSetting("x", to: "y", of: FeedID(99)) }
    }

    @Test func countersFollowWhatIsPlayedAndStarred() throws {
        let id = try store.addFeed(items: (1...4).map { item($0) })
        let episodes = try store.all()
        try store.episodes.setPlayed(true, [episodes[0].id], at: day0)
        try store.episodes.savePosition(MediaTime(seconds: 5), of: episodes[1].id, at: day0, isDurable: true)
        let feed = try store.feeds.feed(id)
        expectEqual([feed.episodeCount, feed.unplayedCount], [4, 3])
    }

    @Test func newIsWhatCameAfterSubscribingAndTheNewestOfThatTime() throws {
        let id = try store.feeds.addFeed(url: "https://a.example/feed", title: "A", at: day0.adding(days: 10))
        _ = try store.refreshes.merge(document((1...9).map { item($0) }), into: id, fetched(at: day0.adding(days: 10)))
        try expectEqual(store.feeds.feed(id).newCount, 1)
        // Later episodes are new, whatever their dates; the newest episode of the beginning stays new.
        _ = try store.refreshes.merge(document((1...12).map { item($0) }), into: id, fetched(at: day0.adding(days: 13)))
        try expectEqual(store.feeds.feed(id).newCount, 4)
        try expectEqual(store.all(.new(of: id)).map(\.title), [12, 11, 10, 9].map { "Episode \($0)" })
        try expectEqual(store.feeds.feed(id).unplayedCount, 12)
        let newest = try store.all().filter { ["Episode 10", "Episode 12"].contains($0.title) }.map(\.id)
        try store.episodes.setPlayed(true, newest, at: day0)
        try expectEqual(store.feeds.feed(id).newCount, 2)
    }

    @Test func anOlderPageIsABackCatalogueWheneverItComes() throws {
        let time = day0.adding(days: 10)
        let id = try store.feeds.addFeed(url: "https://a.example/feed", title: "A", at: time)
        _ = try store.refreshes.merge(document([item(9), item(8)]), into: id, fetched(at: time))
        for (number, isCatalogue, count) in [(3, true, 1), (4, false, 2)] {
            let page = OlderPage(place: 2, bound: nil, isLast: true, since: nil, isCatalogue: isCatalogue)
            _ = try store.refreshes.merge([
                FetchedDocument(
                    feed: id, contents: document([item(number)]), fetch: fetched(at: time.adding(days: 1)),
                    extent: .older(page))
            ])
            try expectEqual(store.feeds.feed(id).newCount, count)
        }
        try expectEqual(store.all(.new(of: id)).map(\.title), ["Episode 9", "Episode 4"])
    }

    @Test func withoutATitleOfTheUsersThePublishersIsShownAtOnce() throws {
        let id = try store.addFeed(items: [item(1)])
        let published = try store.feeds.feed(id).title
        try store.feeds.setSetting("title", to: "Mine", of: id)
        try store.feeds.setSetting("title", to: "Mine, too", of: id)
        try expectEqual(store.feeds.feed(id).title, "Mine, too")
        try expectEqual(store.feeds.settings(of: id), ["title": "Mine, too"])
        try store.feeds.setSetting("title", to: nil, of: id)
        try expectEqual(store.feeds.feed(id).title, published)
        #expect(try store.feeds.settings(of: id).isEmpty)
    }
}
