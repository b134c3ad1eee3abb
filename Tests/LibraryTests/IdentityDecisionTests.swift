import Foundation
import Library
import LibraryModel
import PodcastModel
import SQLite
import Testing
import TestSupport

/// What is written down of merges that were not plain, and how it is taken back.
struct IdentityDecisionTests {
    private func decisions(_ feed: MergedFeed) throws -> [IdentityDecision] {
        try feed.store.identity.identityDecisions(of: feed.feed, before: nil, limit: 5_000)
    }

    private func renamed(_ number: Int) -> Item { item(number) { $0.guid = "urn:new:\(number)" } }

    /// An episode with everything that a listener can give it.
    private func touch(_ id: EpisodeID, in store: LibraryStore, position: Double = 600, note: String = "mine") throws {
        try store.episodes.savePosition(
            MediaTime(seconds: position), of: id, at: day0.adding(days: 90), isDurable: true)
        try store.episodes.setStarred(true, [id])
        try store.episodes.setNote(note, of: id)
        _ = try store.queue.insertEntries([id], at: 0)
    }

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
        expectEqual(decision.time, day0.adding(days: 1))
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

    @Test func aSplitItemIsAnEpisodeOfItsOwnFromThenOn() throws {
        let feed = try MergedFeed([item(1), item(2)])
        let id = try feed.ids()[0]
        try touch(id, in: feed.store)
        let other = item(1) {
            $0.guid = "other"
            $0.enclosures[0].url += "?again"
            $0.summary = "Another summary"
        }
        _ = try feed.merge([other, item(2)])
        try expectEqual(feed.ids().count, 2)
        let decision = try #require(try decisions(feed).first)
        let split = try feed.store.identity.split(decision.id, at: day0)
        expectEqual(split.kept, id)
        for round in 0..<2 {
            let (kept, new) = (try feed.store.episodes.episode(id), try feed.store.episodes.episode(split.other))
            #expect(kept.state.position == MediaTime(seconds: 600) && kept.state.isStarred, "round \(round)")
            #expect(kept.state.note == "mine" && kept.isGone)
            expectEqual(kept.enclosure.url, "https://cdn.example/show/1.mp3")
            #expect(new.state == EpisodeState() && !new.isGone)
            expectEqual(new.enclosure.url, "https://cdn.example/show/1.mp3?again")
            try expectEqual(feed.store.episodes.notes(of: split.other).summary?.words, "Another summary")
            try expectEqual(feed.store.queue.queue().entries.map(\.episode), [id])
            try expectEqual(feed.merge([other, item(2)]).added, [])
        }
        try expectEqual(feed.store.feeds.feed(feed.feed).episodeCount, 3)
        // The old item may come back, and is known again.
        try expectEqual(feed.merge([item(1), other, item(2)]).added, [])
        #expect(try !feed.store.episodes.episode(id).isGone)
        try expectEqual(decisions(feed).map(\.kind), [.split, .matchedByFile])
        #expect(throws: LibraryError.self) { try feed.store.identity.split(decision.id, at: day0) }
    }

    @Test func whatWasFetchedForAnItemGoesAlongWithIt() throws {
        let feed = try MergedFeed([item(1)])
        let id = try feed.ids()[0]
        _ = try feed.merge([renamed(1)])
        try feed.library.connection().execute(
            """
            INSERT INTO passage(episode, words, cues) VALUES (\(id), 'Hello.', '0,1000,');
            INSERT INTO text_state(episode, kind, url, tried, failures) VALUES (\(id), 1, 'x', 0, 0);
            INSERT INTO fetched_chapter(episode, place, start, listed) VALUES (\(id), 0, 0, 1);
            """)
        while try feed.store.performMaintenance() {}
        let split = try feed.store.identity.split(try #require(try decisions(feed).first).id, at: day0)
        for table in ["passage", "text_state", "fetched_chapter"] {
            #expect(try feed.library.number("SELECT episode FROM \(table)") == split.other.rawValue, "\(table)")
        }
        while try feed.store.performMaintenance() {}
        try expectEqual(feed.library.findings(), [])
    }

    @Test(arguments: [(1, 0), (0, 2), (2, 1)])
    func joinedEpisodesAreHiddenOnlyIfBothWere(kept: Int, other: Int) throws {
        let feed = try MergedFeed([item(1), item(2)])
        let ids = try feed.ids()
        try feed.library.connection().execute(
            "UPDATE episode SET aside = iif(id = \(ids[0]), \(kept), \(other)) WHERE id IN (\(ids[0]), \(ids[1]))")
        let decision = try feed.store.identity.join(ids[0], with: ids[1], at: day0)
        try expectEqual(feed.store.episodes.episode(ids[0]).state.hiddenReason == nil, kept == 0 || other == 0)
        try expectEqual(feed.library.findings(), [])
        _ = try feed.store.identity.split(decision, at: day0)
        try expectEqual(feed.store.episodes.episode(ids[1]).state.hiddenReason == nil, other == 0)
        try expectEqual(feed.library.findings(), [])
    }

    @Test func aSplitIsRefusedWhileTheFeedIsBeingMerged() throws {
        let feed = try MergedFeed([item(1)])
        _ = try feed.merge([renamed(1)])
        let decision = try #require(try decisions(feed).first)
        try feed.library.connection().execute(
            """
            INSERT INTO episode(feed, dated, published, first_seen, title_key, url_key, media_key, digest, notes_digest,
              title, url) VALUES (\(feed.feed), 0, 0, 0, 1, 1, 1, 1, 1, 'half merged', 'x')
            """)
        #expect(throws: LibraryError.busy) { try feed.store.identity.split(decision.id, at: day0) }
        try expectEqual(feed.ids().count, 1)
    }

    @Test func joinedEpisodesAreOneForEveryRefresh() throws {
        let items = [item(1), item(2) { $0.title = "Episode 1, again" }, item(3)]
        let feed = try MergedFeed(items)
        let (kept, other) = (try feed.ids()[0], try feed.ids()[1])
        try touch(kept, in: feed.store, position: 100, note: "first")
        try touch(other, in: feed.store, position: 300, note: "second")
        let before = (try feed.store.episodes.episode(kept).state, try feed.store.episodes.episode(other).state)
        let decision = try feed.store.identity.join(kept, with: other, at: day0)
        for round in 0..<2 {
            let state = try feed.store.episodes.episode(kept).state
            #expect(state.position == MediaTime(seconds: 300) && state.isStarred, "round \(round)")
            expectEqual(state.note, "first\nsecond")
            try expectEqual(feed.store.queue.queue().entries.map(\.episode), [kept, kept])
            try expectEqual(feed.ids().count, 2)
            try expectEqual(feed.store.feeds.feed(feed.feed).episodeCount, 2)
            try expectEqual(feed.store.episodes.count(EpisodeFilter(isStarred: true), upTo: 9), .exactly(1))
            #expect(throws: LibraryError.self) { try feed.store.episodes.episode(other) }
            try expectEqual(feed.merge(items.map { changed($0, link: "\(round)") }).added, [])
        }
        try expectEqual(feed.store.episodes.episode(kept).title, "Episode 1")
        let split = try feed.store.identity.split(decision, at: day0)
        expectEqual(split, EpisodeSplit(kept: kept, other: other))
        try expectEqual(feed.store.episodes.episode(kept).state, before.0)
        try expectEqual(feed.store.episodes.episode(other).state, before.1)
        try expectEqual(feed.store.queue.queue().entries.map(\.episode), [other, kept])
        try expectEqual(feed.store.feeds.feed(feed.feed).episodeCount, 3)
        try expectEqual(feed.merge(items).added, [])
        try expectEqual(feed.library.findings(), [])
    }

    private func changed(_ item: Item, link: String) -> Item {
        var item = item
        item.link = "https://x.example/\(link)"
        return item
    }

    @Test func whatWasDoneAfterAJoinIsKeptWhenItIsTakenBack() throws {
        let feed = try MergedFeed([item(1), item(2)])
        let (kept, other) = (try feed.ids()[0], try feed.ids()[1])
        try touch(other, in: feed.store)
        let decision = try feed.store.identity.join(kept, with: other, at: day0)
        try feed.store.episodes.savePosition(
            MediaTime(seconds: 900), of: kept, at: day0.adding(days: 99), isDurable: true)
        _ = try feed.store.identity.split(decision, at: day0)
        let state = try feed.store.episodes.episode(kept).state
        expectEqual(state.position, MediaTime(seconds: 900))
        #expect(!state.isStarred && state.note == nil)
        try expectEqual(feed.store.episodes.episode(other).state.position, MediaTime(seconds: 600))
    }

    @Test func aJoinedEpisodeLivesOnThroughItsTwin() throws {
        let feed = try MergedFeed([item(1), item(2), item(3)])
        let ids = try feed.ids()
        let decision = try feed.store.identity.join(ids[0], with: ids[1], at: day0)
        // The feed drops the one that was kept; the other one's item stands for both.
        try expectEqual(feed.merge([item(2), item(3)]).added, [])
        try expectEqual(feed.titles(), ["Episode 2", "Episode 3"])
        #expect(try !feed.store.episodes.episode(ids[0]).isGone)
        try expectEqual(feed.merge([item(2), item(3)]), MergeResult())
        // It comes back, and is the same still.
        try expectEqual(feed.merge([item(1), item(2), item(3)]).added, [])
        try expectEqual(feed.ids().count, 2)
        _ = try feed.store.identity.split(decision, at: day0)
        try expectEqual(feed.merge([item(1), item(2), item(3)]).added, [])
        try expectEqual(feed.titles(), ["Episode 1", "Episode 2", "Episode 3"])
        #expect(try feed.store.all(order: .oldestFirst).allSatisfy { !$0.isGone })
    }

    @Test func joinsOfJoinsAreTakenBackInTurn() throws {
        let items = (1...3).map { item($0) }
        let feed = try MergedFeed(items)
        let ids = try feed.ids()
        let first = try feed.store.identity.join(ids[0], with: ids[1], at: day0)
        let second = try feed.store.identity.join(ids[2], with: ids[0], at: day0)
        try expectEqual(feed.merge(items.map { changed($0, link: "a") }).added, [])
        try expectEqual(feed.ids(), [ids[2]])
        #expect(throws: LibraryError.self) { try feed.store.identity.split(first, at: day0) }
        _ = try feed.store.identity.split(second, at: day0)
        try expectEqual(feed.merge(items).added, [])
        _ = try feed.store.identity.split(first, at: day0)
        try expectEqual(feed.merge(items.map { changed($0, link: "b") }).added, [])
        try expectEqual(feed.ids(), ids)
    }

    @Test func onlyTwoEpisodesOfOneFeedAreJoined() throws {
        let store = try TemporaryLibrary().open()
        _ = try store.addFeed("a", items: [item(1)])
        _ = try store.addFeed("b", items: [item(1)])
        let ids = try store.all().map(\.id)
        #expect(throws: LibraryError.self) { try store.identity.join(ids[0], with: ids[1], at: day0) }
        #expect(throws: LibraryError.self) { try store.identity.join(ids[0], with: ids[0], at: day0) }
    }

    @Test func anUnsubscribedFeedTakesItsJoinedEpisodesAlong() throws {
        let feed = try MergedFeed([item(1), item(2)])
        let ids = try feed.ids()
        _ = try feed.store.identity.join(ids[0], with: ids[1], at: day0)
        try feed.store.feeds.deleteFeed(feed.feed)
        while try feed.store.performMaintenance() {}
        try expectEqual(feed.library.number("SELECT count(*) FROM episode"), 0)
        try expectEqual(feed.library.number("SELECT count(*) FROM episode_alias"), 0)
        #expect(try feed.store.feeds.feeds().isEmpty)
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
        #expect(throws: LibraryError.self) { try feed.store.identity.split(decision.id, at: day0) }
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
            ]), .whole, into: feed.feed)
        expectEqual(
            preview.rows.map(\.outcome),
            [
                .matched(.matchedByURL, ids[0]), .known, .new, .newDespiteGUID(ids[2]), .skipped(.repeats(item: 1)),
                .skipped(.noEnclosure), .skipped(.notFetchable), .skipped(.notPlayable),
            ])
        expectEqual(preview.gone, 1)
        try expectEqual(feed.ids(), ids)
        try expectEqual(feed.library.number("SELECT max(id) FROM refresh_log"), before)
        let asNew = try feed.store.identity.previewMerge(document([item(1), item(1)]), .whole, into: nil)
        expectEqual(asNew.rows.map(\.outcome), [.new, .skipped(.repeats(item: 0))])
    }
}
