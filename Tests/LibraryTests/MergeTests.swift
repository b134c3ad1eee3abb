@testable import Library
import PodcastModel
import Testing
import TestSupport

/// A feed that was merged once, for merging again.
final class MergedFeed {
    let library: TemporaryLibrary
    let store: LibraryStore
    let feed: FeedID
    /// After the dates of all items.
    private var day: Int64 = 10_000

    init(_ items: [Item]) throws {
        (library, store) = try openLibrary()
        feed = try store.addFeed(items: items)
    }

    /// Merges a later document.
    func merge(_ items: [Item]) throws -> MergeResult {
        day += 1
        return try store.refreshes.merge(
            document(items, title: "show"), into: feed, fetched(at: day0.adding(days: day)))
    }

    /// Titles, earliest first.
    func titles() throws -> [String] { try store.all(order: .oldestFirst).map(\.title) }

    /// Ids, earliest first.
    func ids() throws -> [EpisodeID] { try store.all(order: .oldestFirst).map(\.id) }

    /// The episode's own columns that no store tells.
    func number(_ column: String, of id: EpisodeID) throws -> Int {
        try library.number("SELECT \(column) FROM episode WHERE id = \(id)")
    }
}

struct MergeTests {
    @Test func theSameDocumentWritesNothing() throws {
        let feed = try MergedFeed((1...3).map { item($0) })
        let before = try feed.store.all()
        try expectEqual(feed.merge((1...3).map { item($0) }), MergeResult())
        try expectEqual(feed.store.all(), before)
    }

    @Test func onlyWhatDiffersIsWritten() throws {
        let feed = try MergedFeed((1...3).map { item($0) })
        let ids = try feed.ids()
        let result = try feed.merge([
            item(1), item(2) { $0.title = "Better" }, item(3) { $0.content = "More" }, item(4),
        ])
        expectEqual(result.changed, [ids[1], ids[2]])
        expectEqual(result.added.count, 1)
        try expectEqual(feed.titles(), ["Episode 1", "Better", "Episode 3", "Episode 4"])
        try expectEqual(feed.store.episodes.notes(of: ids[2]).content?.words, "More")
    }

    @Test func whatTheListenerDidStays() throws {
        let feed = try MergedFeed([item(1)])
        let id = try feed.ids()[0]
        try feed.store.episodes.savePosition(MediaTime(seconds: 77), of: id, at: day0, isDurable: true)
        try feed.store.episodes.setStarred(true, [id])
        try feed.store.episodes.setNote("mine", of: id)
        try feed.store.episodes.setMeasuredDuration(MediaTime(seconds: 1801), of: id)
        let entries = try feed.store.queue.insertEntries([id], at: 0)
        let before = try feed.store.episodes.episode(id).state
        _ = try feed.merge([
            item(1) {
                $0.title = "Changed in every way"; $0.enclosures[0].url += "?token=2"
            }
        ])
        try expectEqual(feed.store.episodes.episode(id).title, "Changed in every way")
        try expectEqual(feed.store.episodes.episode(id).state, before)
        try expectEqual(feed.store.episodes.episode(id).measuredDuration, MediaTime(seconds: 1801))
        try expectEqual(feed.store.queue.queue().entries, entries)
    }

    @Test func episodesTheDocumentLacksStayAndAreFlagged() throws {
        let feed = try MergedFeed([item(1), item(2)])
        let ids = try feed.ids()
        try expectEqual(feed.merge([item(2)]), MergeResult())
        try expectEqual(feed.ids(), ids)
        try expectEqual(feed.number("gone", of: ids[0]), 1)
        try expectEqual(feed.merge([item(1), item(2)]).changed, [ids[0]])
        try expectEqual(feed.number("gone", of: ids[0]), 0)
    }

    @Test func anItemWithoutMediaBecomesNoEpisode() throws {
        let feed = try MergedFeed([])
        let result = try feed.merge([
            item(1) { $0.enclosures = [] }, item(2) { $0.enclosures = [Enclosure(url: "ftp://old.example/2.mp3")] },
            item(3) { $0.enclosures = [Enclosure(url: "https://x.example/cover.jpg", type: "Image/JPEG")] },
            item(4) { $0.enclosures = [Enclosure(url: "file:///etc/passwd", type: "audio/mpeg")] },
            item(5) { $0.enclosures = [Enclosure(url: "https:///nohost.mp3")] }, item(6),
        ])
        expectEqual(result.skipped, 5)
        try expectEqual(feed.titles(), ["Episode 6"])
    }

    @Test func thePictureBeforeTheSoundIsNotPlayed() throws {
        let feed = try MergedFeed([
            item(1) { $0.enclosures.insert(Enclosure(url: "https://x.example/1.jpg", type: "image/jpeg"), at: 0) }
        ])
        try expectEqual(feed.store.all()[0].enclosure.url, "https://cdn.example/show/1.mp3")
    }

    @Test func anItemWithoutTitleIsCalledLikeItsFile() throws {
        let feed = try MergedFeed([item(1) { $0.title = " \u{200B}\n " }])
        try expectEqual(feed.titles(), ["1.mp3"])
    }

    @Test func itemsWithoutDateKeepTheirFirstSightAndOrder() throws {
        let undated = (1...3).map { item($0) { $0.published = nil } }
        let feed = try MergedFeed(undated)
        try expectEqual(feed.store.all().map(\.title), ["Episode 3", "Episode 2", "Episode 1"])
        let before = try feed.store.all().map(\.published)
        #expect(before.allSatisfy { ($0.adding(seconds: 2)) > day0 && $0 < day0 })
        try expectEqual(feed.merge(undated), MergeResult())
        _ = try feed.merge(
            undated.map { item in
                var item = item; item.facts.link = "https://x.example"; return item
            })
        try expectEqual(feed.store.all().map(\.published), before)
    }

    @Test func aDateThatTheFeedForgetsIsKept() throws {
        let feed = try MergedFeed([item(1)])
        _ = try feed.merge([item(1) { $0.published = nil }])
        try expectEqual(feed.store.all()[0].published, day0.adding(days: 1))
    }

    @Test func changedListsAreReplaced() throws {
        let feed = try MergedFeed([
            item(1) {
                $0.chapters = [Chapter(start: .zero, title: "A"), Chapter(start: MediaTime(seconds: 1), title: "B")]
                $0.details.persons = [Person(name: "Ada")]
                $0.transcripts = [TranscriptReference(url: "https://x.example/1.srt", type: "application/srt")]
            }
        ])
        let id = try feed.ids()[0]
        _ = try feed.merge([item(1) { $0.chapters = [Chapter(start: .zero, title: "C")] }])
        try expectEqual(feed.store.episodes.notes(of: id).chapters.map(\.title), ["C"])
        try expectEqual(
            feed.library.number("SELECT (SELECT count(*) FROM person) + (SELECT count(*) FROM transcript)"), 0)
    }

    @Test func aFeedThatIsGoneIsNotMerged() throws {
        let feed = try MergedFeed([item(1)])
        try feed.store.feeds.removeFeed(feed.feed, at: day0)
        #expect(throws: LibraryError.notFound("feed \(feed.feed.label)")) { try feed.merge([item(1)]) }
        try expectEqual(
            feed.store.refreshes.merge([FetchedDocument(feed: feed.feed, contents: document([]), fetch: fetched())]),
            [nil]
        )
    }

    @Test func severalDocumentsAreMergedTogether() throws {
        let store = try TemporaryLibrary().open()
        let ids = try (0..<5).map { try store.feeds.addFeed(url: "https://feeds.example/\($0)", title: nil, at: day0) }
        let documents = ids.enumerated().map { index, id in
            FetchedDocument(feed: id, contents: document((0..<90).map { item(index * 100 + $0) }), fetch: fetched())
        }
        let results = try store.refreshes.merge(documents)
        expectEqual(results.map { $0?.added.count }, [90, 90, 90, 90, 90])
        try expectEqual(store.feeds.feeds().map(\.episodeCount), [90, 90, 90, 90, 90])
        try expectEqual(store.refreshes.merge(documents), Array(repeating: MergeResult(), count: 5))
    }
}

struct IdentityTests {
    @Test func aHostThatRenewsGUIDsAndURLsDuplicatesNothing() throws {
        let feed = try MergedFeed((1...5).map { item($0) })
        let ids = try feed.ids()
        let result = try feed.merge(
            (1...5).map { number in
                item(number) {
                    $0.guid = "urn:new:\(number)"
                    $0.enclosures[0].url = "https://elsewhere.example/media/\(number)-hash.mp3"
                    $0.duration = MediaTime(seconds: 1830)
                }
            })
        expectEqual(result.added, [])
        try expectEqual(feed.ids(), ids)
    }

    @Test func aTrackingPrefixChangesNothing() throws {
        let feed = try MergedFeed([item(1) { $0.guid = nil }])
        let prefixed = item(1) {
            $0.guid = nil
            $0.enclosures[0].url =
                "https://dts.podtrac.example/redirect.mp3/chtbl.example/track/AB/cdn.example/show/1.mp3?ref=x"
        }
        try expectEqual(feed.merge([prefixed]).added, [])
        try expectEqual(feed.ids().count, 1)
    }

    @Test func queriesThatNameTheEpisodeKeepEpisodesApart() throws {
        func numbered(_ number: Int) -> Item {
            item(number) { $0.enclosures[0].url = "https://cdn.example/play.mp3?id=\(number)" }
        }
        let feed = try MergedFeed([numbered(1)])
        try expectEqual(feed.merge([numbered(2)]).added.count, 1)
        try expectEqual(feed.merge([numbered(3), numbered(4)]).added.count, 2)
        try expectEqual(feed.titles(), ["Episode 1", "Episode 2", "Episode 3", "Episode 4"])
    }

    @Test func bulletinsAtOneAddressAreEpisodesOfTheirOwn() throws {
        func bulletin(_ hour: Int64) -> Item {
            item(1) {
                $0.guid = "news-\(hour)"
                $0.title = "The news"
                $0.published = day0.adding(seconds: hour * 3600)
                $0.duration = MediaTime(seconds: 300)
                $0.enclosures[0].url = "https://cdn.example/latest.mp3"
            }
        }
        let feed = try MergedFeed([bulletin(1), bulletin(2)])
        try expectEqual(feed.merge([bulletin(2), bulletin(3)]).added.count, 1)
        try expectEqual(feed.ids().count, 3)
    }

    @Test func anItemThatIsThereTwiceIsOneEpisode() throws {
        let feed = try MergedFeed([])
        let result = try feed.merge([item(1), item(1) { $0.title = "Once more" }])
        expectEqual(result.skipped, 1)
        try expectEqual(feed.titles(), ["Episode 1"])
    }

    @Test func oneGUIDForDifferentFilesIsSeveralEpisodes() throws {
        let items = (1...3).map { number in item(number) { $0.guid = "the-show" } }
        let feed = try MergedFeed(items)
        let ids = try feed.ids()
        expectEqual(ids.count, 3)
        try expectEqual(feed.merge(items.reversed()), MergeResult())
        try expectEqual(feed.merge(items + [item(4) { $0.guid = "the-show" }]).added.count, 1)
        try expectEqual(feed.titles(), ["Episode 1", "Episode 2", "Episode 3", "Episode 4"])
    }

    @Test func itemsWithoutGUIDAreKnownByTheirURL() throws {
        let items = (1...3).map { number in item(number) { $0.guid = nil } }
        let feed = try MergedFeed(items)
        try expectEqual(feed.merge(items), MergeResult())
        let retitled = items.map { item in
            var item = item; item.title? += " (rerun)"; return item
        }
        try expectEqual(feed.merge(retitled).changed.count, 3)
        try expectEqual(feed.merge([item(1), item(2), item(3)]).added, [], "GUIDs that come later change no identity")
    }

    @Test func theSameTitleOnOtherDaysIsAnotherEpisode() throws {
        func untitled(_ day: Int) -> Item {
            item(day) { ($0.title, $0.enclosures[0].url) = ("Morning prayer", "https://cdn.example/\(day)/file.mp3") }
        }
        let feed = try MergedFeed([untitled(1), untitled(2)])
        try expectEqual(feed.merge([untitled(2), untitled(3)]).added.count, 1)
        try expectEqual(feed.ids().count, 3)
    }

    @Test func twoFeedsMayUseTheSameGUIDs() throws {
        let store = try TemporaryLibrary().open()
        _ = try store.addFeed("a", items: [item(1)])
        _ = try store.addFeed("b", items: [item(1)])
        try expectEqual(store.all().count, 2)
    }
}
