@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

/// Bookmarks: kept, undone, merged and exported.
struct BookmarkTests {
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let feed: FeedID
    private let episodes: [EpisodeID]

    init() throws {
        (library, store) = try openLibrary()
        feed = try store.addFeed(items: (1...3).map { item($0) })
        episodes = try store.all(order: .oldestFirst).map(\.id)
    }

    @discardableResult
    private func add(_ seconds: Double, _ text: String, to episode: Int = 0) throws -> Bookmark {
        try add(PortableBookmark(position: MediaTime(seconds: seconds), text: text, created: day0), to: episode)
    }

    private func add(_ bookmark: PortableBookmark, to episode: Int = 0) throws -> Bookmark {
        try store.bookmarks.addBookmark(bookmark, to: episodes[episode])
    }

    private func texts(of episode: Int = 0) throws -> [String] {
        try store.bookmarks.bookmarks(of: episodes[episode]).map(\.text)
    }

    @Test func theyAreInTheOrderOfTheirPlacesAndOfAllTheNewestFirst() throws {
        let late = try add(90, "late")
        let early = try add(10, "early")
        let other = try add(5, "", to: 1)
        try expectEqual(texts(), ["early", "late"])
        try expectEqual(store.bookmarks.bookmarks(after: nil, limit: 2).map(\.id), [other.id, early.id])
        try expectEqual(store.bookmarks.bookmarks(after: early.id, limit: 9), [late])
        #expect(late.position == MediaTime(seconds: 90) && late.created == day0 && !late.title.isEmpty)
    }

    @Test func eachChangeCanBeUndoneAndDoneAgain() throws {
        let id = try add(10, "first").id
        _ = try store.bookmarks.changeBookmark(id, text: "second", position: nil, skipEnd: nil)
        _ = try store.bookmarks.changeBookmark(id, text: nil, position: MediaTime(seconds: 20), skipEnd: nil)
        try store.bookmarks.removeBookmarks([id])
        try expectEqual(texts(), [])
        try expectEqual(store.history.turnLast(.undo, step: nil, at: day0)?.kind, .bookmarked)
        try expectEqual(store.bookmarks.bookmark(id).position, MediaTime(seconds: 20))
        _ = try store.history.turnLast(.undo, step: nil, at: day0)
        try expectEqual(store.bookmarks.bookmark(id).position, MediaTime(seconds: 10))
        _ = try store.history.turnLast(.undo, step: nil, at: day0)
        try expectEqual(texts(), ["first"])
        let step = try store.history.turnLast(.undo, step: nil, at: day0)
        #expect(try texts() == [] && step?.episodes.map(\.id) == [episodes[0]])
        _ = try store.history.turnLast(.redo, step: nil, at: day0)
        try expectEqual(texts(), ["first"])
    }

    @Test func partsThatAreSkippedMoveWithTheirBeginningAndAreCarried() throws {
        let part = PortableBookmark(position: seconds(10), skipEnd: seconds(15), text: "ad", created: day0)
        let id = try add(part).id
        _ = try add(30, "a place")
        try expectEqual(store.bookmarks.skips(of: episodes[0]), [seconds(10)..<seconds(15)])
        _ = try store.bookmarks.changeBookmark(id, text: nil, position: seconds(20), skipEnd: nil)
        try expectEqual(store.bookmarks.skips(of: episodes[0]), [seconds(20)..<seconds(25)])
        #expect(throws: LibraryError.self) {
            try store.bookmarks.changeBookmark(id, text: nil, position: nil, skipEnd: seconds(20))
        }
        _ = try store.history.turnLast(.undo, step: nil, at: day0)
        try expectEqual(store.bookmarks.skips(of: episodes[0]), [seconds(10)..<seconds(15)])
    }

    private func seconds(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }

    @Test func whatIsNotThereIsNotChanged() throws {
        let id = try add(10, "here").id
        let gone = BookmarkID(id.rawValue + 1)
        #expect(throws: LibraryError.self) { try store.bookmarks.removeBookmarks([id, gone]) }
        #expect(throws: LibraryError.self) {
            try store.bookmarks.changeBookmark(gone, text: "x", position: nil, skipEnd: nil)
        }
        try expectEqual(texts(), ["here"])
    }

    @Test func theyAreExportedAndImportedOnce() throws {
        try add(10, "a \"quoted\" text")
        let exported = try store.imports.exportedEpisodes(store.imports.exportedKeys()[...])
        expectEqual(exported.map(\.bookmarks.count), [1])
        let other = try TemporaryLibrary()
        let target = try other.open()
        let feed = try target.addFeed()
        for _ in 0..<2 {
            // Before the feed was refreshed, they wait.
            _ = try target.imports.importEpisodes(exported, of: feed, queueStart: 0)
        }
        let waiting = try target.imports.exportedEpisodes(target.imports.exportedKeys()[...])
        expectEqual(waiting.map(\.bookmarks), exported.map(\.bookmarks))
        _ = try target.refreshes.merge(document((1...3).map { item($0) }), into: feed, fetched())
        let episodes = try target.all(order: .oldestFirst).map(\.id)
        try expectEqual(target.bookmarks.bookmarks(of: episodes[0]).map(\.text), ["a \"quoted\" text"])
        _ = try target.imports.importEpisodes(exported, of: feed, queueStart: 0)
        try expectEqual(target.bookmarks.bookmarks(after: nil, limit: 9).count, 1)
    }
}

/// Hours heard by feed and month.
struct ListeningStoreTests {
    @Test func theDurationOfTheLibraryIsThatOfTheEpisodesOfSubscriptions() throws {
        let store = try TemporaryLibrary().open()
        try expectEqual(store.listening.knownDuration(), .zero)
        _ = try store.addFeed(items: [item(1), item(2), item(3) { $0.duration = nil }])
        let episode = try #require(try store.all().first { $0.title == "Episode 3" }).id
        try store.episodes.setMeasuredDuration(MediaTime(seconds: 100), of: episode)
        _ = try store.episodes.looseEpisode(
            url: "https://h.example/a.mp3", title: "A file", link: nil, length: nil, at: day0)
        try expectEqual(store.listening.knownDuration(), MediaTime(seconds: 3700))
    }

    @Test func timesAddUpByFeedAndMonthAndStayWhenTheFeedIsGone() throws {
        let (library, store) = try openLibrary()
        let feed = try store.addFeed(items: [item(1)])
        let episode = try store.all()[0].id
        let hour = ListeningTime(heard: .seconds(3600), savedBySpeed: .seconds(60), savedBySilence: .seconds(5))
        for day in ["2026-10-31", "2026-11-01", "2026-11-01", "2026-11-30"] {
            try store.listening.add(hour, to: episode, on: try #require(CalendarDay(parsing: day)))
        }
        let months = try store.listening.heard(since: nil)
        try #require(months.map(\.day.month) == ["2026-10", "2026-11"])
        expectEqual([months[1].time.heard, months[1].time.savedBySpeed], [.seconds(3 * 3600), .seconds(180)])
        expectEqual(months[1].time.savedBySilence, .seconds(15))
        try expectEqual(store.listening.heard(since: CalendarDay(parsing: "2026-11-02")).map(\.time), [hour])
        let title = months[0].title
        try library.connection().execute("DELETE FROM feed WHERE id = \(feed)")
        try expectEqual(store.listening.heard(since: nil).map(\.title), [title, title])
    }
}
