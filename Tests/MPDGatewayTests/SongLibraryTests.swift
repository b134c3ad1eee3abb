import ControlLanguage
import ControlProtocol
import PodcastModel
import TestSupport
import Testing

@testable import MPDGateway

@Suite struct SongLibraryTests {
    private func feed(_ id: Int64, _ title: String) -> FeedReply {
        FeedReply(Feed(id: FeedID(id), url: "", title: title, subscribed: Timestamp(seconds: 0)))
    }

    private func episode(_ id: Int64, feed: Int64 = 1, url: String = "http://x/a.mp3?b=c.m4a") -> Episode {
        Episode(
            id: EpisodeID(id), feed: FeedID(feed), feedTitle: "A/B", title: "Title \(id)",
            enclosure: Enclosure(url: url),
            published: Timestamp(seconds: 0))
    }

    private func entries(_ ids: [Int64]) -> [EntryReply] {
        ids.enumerated().map { index, id in
            EntryReply(id: EntryID(100 + id), index: index + 1, isCurrent: false, episode: EpisodeReply(episode(id)))
        }
    }

    @Test func showsAreFoldersWithNamesOfTheirOwn() {
        var library = SongLibrary()
        library.update(feeds: [feed(1, "A/B"), feed(2, "Same"), feed(3, "Same"), feed(4, ".."), feed(5, "a\nb")])
        expectEqual(library.folder(of: FeedID(1)), "A-B")
        #expect(library.folder(of: FeedID(2)) == "Same (f2)" && library.feed(inFolder: "Same (f3)") == FeedID(3))
        #expect(library.folder(of: FeedID(4)) == "f4" && library.folder(of: FeedID(5)) == "a b")
        expectEqual(library.feed(inFolder: "Same"), nil)
        #expect(library.feed(of: .titled("Same")) == nil && library.feed(of: .titled("A/B")) == FeedID(1))
    }

    @Test func theArtistIsTheAuthorOfTheShow() {
        var library = SongLibrary()
        var rows = [feed(1, "A/B"), feed(2, "Other")]
        var show = Feed(id: FeedID(1), url: "", title: "A/B", subscribed: Timestamp(seconds: 0))
        show.author = "Ann\nLee"
        rows[0] = FeedReply(show)
        library.update(feeds: rows)
        let song = library.song(episode(7))
        #expect(song.value(of: .artist) == "Ann Lee" && song.value(of: .album) == "A/B")
        expectEqual(library.song(episode(8, feed: 2)).value(of: .artist), "Other")
        #expect(library.feed(of: .by("Ann Lee")) == FeedID(1) && library.feed(of: .by("A/B")) == nil)
    }

    @Test func aURIKeepsItsMeaningWhenTheShowIsRenamed() {
        var library = SongLibrary()
        library.update(feeds: [feed(1, "Old")])
        let uri = library.song(episode(7)).uri
        expectEqual(uri, "Old/e7.mp3")
        library.update(feeds: [feed(1, "New")])
        expectEqual(SongLibrary.episode(of: uri), EpisodeID(7))
        expectEqual(library.song(episode(7, url: "http://x/a.M4A#t")).uri, "New/e7.m4a")
        for bad in ["e7.mp3", "Old/x7.mp3", "Old/e-7.mp3", "Old/e.mp3", "Old/", ""] {
            expectEqual(SongLibrary.episode(of: bad), nil)
        }
    }

    @Test func aVersionOfTheQueueTellsWhichPositionsChanged() {
        var library = SongLibrary()
        let isChanged = library.update(entries: entries([1, 2, 3]))
        let first = library.version
        let isChangedAgain = library.update(entries: entries([1, 2, 3]))
        #expect(isChanged && !isChangedAgain && library.version == first)
        library.update(entries: entries([1, 3, 2, 4]))
        expectEqual(library.positions(changedAfter: first), [1, 2, 3])
        #expect(library.positions(changedAfter: library.version).isEmpty)
        expectEqual(library.positions(changedAfter: 0), [0, 1, 2, 3])
        expectEqual(library.positions(changedAfter: 4_000_000), [0, 1, 2, 3], "a version of another run")
        #expect(library.position(ofEntry: 103) == 1 && library.position(ofEntry: 1) == nil)
    }

    @Test func whatIdleReportsOfThePlayer() {
        var before = PlayerReply()
        (before.state, before.position, before.pace) = (.playing, MediaTime(seconds: 10), 1)
        before.duration = MediaTime(seconds: 100)
        before.instant = Instant(nanoseconds: 0)
        var after = before
        (after.position, after.instant) = (MediaTime(seconds: 15), Instant(nanoseconds: 5_000_000_000))
        expectEqual(after.changes(since: before), [])
        after.position = MediaTime(seconds: 40)
        expectEqual(after.changes(since: before), [.player])
        after = before
        after.volume = 3
        after.sleep = SleepTimerReply { ($0.end, $0.episodes) = (.episode, 1) }
        expectEqual(after.changes(since: before), [.mixer, .options])
        after = before
        after.state = .paused
        expectEqual(after.changes(since: before), [.player])
    }

    @Test func stickersAreWhatPodcastdKeeps() {
        var episode = episode(1)
        #expect(Sticker.allCases.allSatisfy { $0.value(of: episode) == nil })
        episode.state.position = MediaTime(seconds: 12.5)
        (episode.state.isPlayed, episode.state.isStarred, episode.state.note) = (true, true, "a\nb")
        #expect(Sticker.position.value(of: episode) == "12.5" && Sticker.played.value(of: episode) == "1")
        #expect(Sticker.like.value(of: episode) == "2" && Sticker.note.value(of: episode) == "a b")
    }
}
