import Foundation
@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

/// What is written down of merges that were not plain.
struct IdentityDecisionTests {
    private func decisions(_ feed: MergedFeed) throws -> [IdentityDecision] {
        try feed.store.identity.identityDecisions(of: feed.feed, limit: 5_000)
    }

    private func renamed(_ number: Int) -> Item { item(number) { $0.guid = "urn:new:\(number)" } }

    @Test func aPlainMergeWritesNothingDown() throws {
        let feed = try MergedFeed((1...5).map { item($0) })
        _ = try feed.merge((1...6).map { number in item(number) { $0.title = "Episode \(number)!" } })
        #expect(try decisions(feed).isEmpty)
    }

    @Test func aDecisionSaysWhatWasTakenForWhat() throws {
        let feed = try MergedFeed([item(1), item(2)])
        let id = try feed.ids()[0]
        _ = try feed.merge([renamed(1), item(2)])
        let decision = try #require(try decisions(feed).first)
        expectEqual(decision.kind, .matchedByURL)
        expectEqual(decision.episode, id)
        expectEqual([decision.before.guid, decision.after.guid], ["guid-1", "urn:new:1"])
        expectEqual(decision.time, day0.adding(days: 10_001))
        try expectEqual(decisions(feed).count, 1)
        try expectEqual(feed.merge([renamed(1), item(2)]), MergeResult())
        try expectEqual(decisions(feed).count, 1, "what is known already is not told again")
    }

    @Test func aHostThatRenewsEverythingAllTheTimeFillsNothing() throws {
        let feed = try MergedFeed((1...20).map { item($0) })
        for round in 1...5 {
            _ = try feed.merge((1...20).map { number in item(number) { $0.guid = "\(round)/\(number)" } })
        }
        try expectEqual(decisions(feed).count, 20)
        let many = (1...1_500).map { number in item(1000 + number) }
        _ = try feed.merge(many)
        _ = try feed.merge(
            many.map { item in
                var item = item
                item.guid = "x" + (item.guid ?? "")
                return item
            })
        try expectEqual(decisions(feed).count, 1_000)
        try expectEqual(feed.ids().count, 1_520)
    }

    @Test func anItemThatIsSaidTwiceIsWrittenDownOnce() throws {
        let twice = [item(1), item(1) { $0.title = "Once more" }, item(2)]
        let feed = try MergedFeed(twice)
        _ = try feed.merge(twice + [item(3)])
        let found = try decisions(feed)
        try #require(found.map(\.kind) == [.repeatedItem])
        expectEqual(found[0].after.title, "Once more")
        try expectEqual(found[0].episode, feed.store.episodes.resolveEpisode("Episode 1").id)
    }

    @Test func anotherFeedAtTheSameAddressIsWrittenDown() throws {
        let feed = try MergedFeed((1...3).map { item($0) })
        let ids = try feed.ids()
        let others = (50...52).map { item($0) }
        _ = try feed.store.refreshes.merge(document(others, title: "Something else"), into: feed.feed, fetched())
        try expectEqual(feed.ids().count, 6)
        #expect(try ids.allSatisfy { try feed.store.episodes.episode($0).isGone })
        let decision = try #require(try decisions(feed).first)
        #expect(decision.kind == .otherFeed && decision.episode == nil)
        expectEqual([decision.before.title, decision.after.title], ["show", "Something else"])
        _ = try feed.merge(others + [item(60)])
        try expectEqual(decisions(feed).count, 1)
    }

    @Test func aFeedThatOnlyRenamesItselfIsTheSame() throws {
        let feed = try MergedFeed((1...3).map { item($0) })
        _ = try feed.store.refreshes.merge(
            document((1...4).map { item($0) }, title: "New name"), into: feed.feed, fetched())
        #expect(try decisions(feed).isEmpty)
    }

    @Test func twoFeedsThatClaimOneGUIDAreToldAndLeftApart() throws {
        let store = try TemporaryLibrary().open()
        func add(_ name: String, guid: String?, link: String?) throws -> FeedID {
            let id = try store.feeds.addFeed(url: "https://feeds.example/\(name)", title: nil, at: day0)
            var contents = document([item(1)], title: "A show")
            contents.channel.guid = guid
            contents.channel.link = link
            _ = try store.refreshes.merge(contents, into: id, fetched())
            return id
        }
        let first = try add("a", guid: "ead4c236", link: "https://a.example")
        let second = try add("b", guid: "ead4c236", link: "https://b.example")
        let third = try add("c", guid: nil, link: "https://c.example")
        let fourth = try add("d", guid: nil, link: "https://c.example")
        let fifth = try add("e", guid: nil, link: nil)
        try expectEqual(store.feeds.feed(first).conflict, FeedConflict(feed: second, reason: .guid))
        try expectEqual(store.feeds.feed(second).conflict, FeedConflict(feed: first, reason: .guid))
        try expectEqual(store.feeds.feed(third).conflict, FeedConflict(feed: fourth, reason: .description))
        try expectEqual(store.feeds.feed(fifth).conflict, nil)
        try expectEqual(store.all().count, 5)
        try store.feeds.removeFeed(second, at: day0)
        try expectEqual(store.feeds.feed(first).conflict, nil)
    }

    @Test func droppedEpisodesAreFound() throws {
        let feed = try MergedFeed((1...4).map { item($0) })
        _ = try feed.merge([item(1), item(2)])
        try expectEqual(feed.store.all(EpisodeFilter(isGone: true)).map(\.title), ["Episode 4", "Episode 3"])
        try expectEqual(feed.store.all(EpisodeFilter(feed: feed.feed, isGone: false)).count, 2)
        try expectEqual(feed.store.episodes.count(EpisodeFilter(isGone: true), upTo: 9), .exactly(2))
        _ = try feed.merge([item(1), item(2), item(3)])
        try expectEqual(feed.store.all(EpisodeFilter(isGone: true)).map(\.title), ["Episode 4"])
    }

    @Test func aPreviewTellsOfEachItemAndWritesNothing() throws {
        let feed = try MergedFeed([item(1), item(2), item(3)])
        let ids = try feed.ids()
        let before = try feed.library.number("SELECT max(id) FROM refresh_log")
        let preview = try feed.store.identity.previewMerge(
            document([
                renamed(1), item(2), item(9), item(40) { $0.guid = "guid-3" }, item(2), item(5) { $0.enclosures = [] },
                item(6) { $0.enclosures[0].url = "ftp://x.example/a.mp3" },
                item(7) { $0.enclosures[0].type = "image/png" },
            ]), .whole, into: feed.feed, at: day0)
        expectEqual(
            preview.rows.map(\.outcome),
            [
                .matched(.matchedByURL, ids[0]), .known, .new, .newDespiteGUID(ids[2]), .skipped(.repeats(item: 1)),
                .skipped(.noEnclosure), .skipped(.notFetchable), .skipped(.notPlayable),
            ])
        expectEqual(preview.gone, 1)
        try expectEqual(feed.ids(), ids)
        try expectEqual(feed.library.number("SELECT max(id) FROM refresh_log"), before)
        let asNew = try feed.store.identity.previewMerge(document([item(1), item(1)]), .whole, into: nil, at: day0)
        expectEqual(asNew.rows.map(\.outcome), [.new, .skipped(.repeats(item: 0))])
    }
}

/// An existing library whose feed has a better file than the one that is stored.
struct BetterFileTests {
    @Test(arguments: [true, false])
    func anEpisodeThatGetsABetterFileStaysTheSame(hasGUID: Bool) throws {
        func listed(_ change: (inout Item) -> Void) -> Item {
            item(1) {
                if !hasGUID { $0.guid = nil }
                change(&$0)
            }
        }
        let feed = try MergedFeed([listed { $0.enclosures[0] = Enclosure(url: "https://cdn.example/file", type: nil) }])
        let id = try feed.ids()[0]
        try feed.store.episodes.setStarred(true, [id])
        _ = try feed.merge([
            listed { $0.enclosures.insert(Enclosure(url: "https://cdn.example/file", type: nil), at: 0) }
        ])
        try expectEqual(feed.ids(), [id])
        let episode = try feed.store.episodes.episode(id)
        expectEqual(episode.enclosure.url, "https://cdn.example/show/1.mp3")
        #expect(episode.state.isStarred)
    }
}
