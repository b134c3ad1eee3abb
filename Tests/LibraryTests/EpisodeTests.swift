@testable import Library
import PodcastModel
import TestSupport
import Testing

struct EpisodeTests {
    @Test func anEpisodeCarriesWhatTheFeedSays() throws {
        let store = try TemporaryLibrary().open()
        let feed = try store.addFeed(
            items: [
                item(7) {
                    $0.facts.season = 2
                    $0.facts.number = 9
                    $0.facts.link = "https://show.example/7"
                    $0.chapters = [
                        Chapter(start: .zero, title: "Start"),
                        Chapter(start: MediaTime(seconds: 60), end: MediaTime(seconds: 90), isListed: false),
                    ]
                    $0.content = "<p>All of it</p>"
                }
            ], title: "The show")
        let episode = try #require(try store.all().first)
        expectEqual(episode.feed, feed)
        expectEqual([episode.feedTitle, episode.title], ["The show", "Episode 7"])
        expectEqual(
            episode.enclosure, Enclosure(url: "https://cdn.example/show/7.mp3", type: "audio/mpeg", length: 1000))
        expectEqual(episode.published, day0.adding(days: 7))
        expectEqual(episode.announcedDuration, MediaTime(seconds: 1800))
        #expect((episode.season, episode.number) == (2, 9))
        expectEqual(episode.link, "https://show.example/7")
        expectEqual(episode.state, EpisodeState())
        let notes = try store.episodes.notes(of: episode.id)
        expectEqual([notes.summary?.words, notes.content?.words], ["Summary of 7", "<p>All of it</p>"])
        expectEqual(notes.chapters.map(\.title), ["Start", nil])
        expectEqual(notes.chapters.map(\.isListed), [true, false])
        expectEqual(notes.chapters[1].end, MediaTime(seconds: 90))
    }

    @Test func severalComeInTheOrderAskedWithoutMissingOnes() throws {
        let (store, ids) = try storeWithThree()
        try expectEqual(store.episodes.episodes([ids[2], EpisodeID(99), ids[0]]).map(\.id), [ids[2], ids[0]])
    }

    @Test func aPositionMakesAnEpisodeInProgressAndItsBeginningNewAgain() throws {
        let (store, ids) = try storeWithThree()
        try store.episodes.savePosition(MediaTime(milliseconds: 61_500), of: ids[0], at: day0, isDurable: false)
        let episode = try store.episodes.episode(ids[0])
        expectEqual(episode.state.position, MediaTime(milliseconds: 61_500))
        expectEqual(episode.state.lastPlayed, day0)
        #expect(episode.isInProgress)
        try expectEqual(store.all(EpisodeFilter(isInProgress: true)).map(\.id), [ids[0]])
        try store.episodes.savePosition(.zero, of: ids[0], at: day0, isDurable: true)
        try expectEqual(store.episodes.count(EpisodeFilter(isInProgress: true), upTo: 9), .exactly(0))
    }

    struct Touch: Sendable {
        var announced: Double?
        var measured: Double?
        let position: Double
        let isInProgress: Bool
    }

    @Test(arguments: [
        Touch(position: 0, isInProgress: false),
        Touch(position: 29.999, isInProgress: false),
        Touch(position: 30, isInProgress: true),
        Touch(announced: 600, position: 5.999, isInProgress: false),
        Touch(announced: 600, position: 6, isInProgress: true),
        Touch(announced: 7_200, position: 29.999, isInProgress: false),
        Touch(announced: 7_200, position: 30, isInProgress: true),
        Touch(announced: 7_200, measured: 600, position: 6, isInProgress: true),
        Touch(announced: 600, measured: 7_200, position: 6, isInProgress: false),
        Touch(measured: 0, position: 6, isInProgress: false),
    ])
    func anEpisodeIsInProgressAfterThirtySecondsOrOnePercent(touch: Touch) throws {
        let (library, store) = try openLibrary()
        let announced = touch.announced.map { MediaTime(seconds: $0) }
        _ = try store.addFeed(items: (1...3).map { item($0) { $0.duration = announced } })
        let ids = try store.all(order: .oldestFirst).map(\.id)
        let position = MediaTime(seconds: touch.position)
        // The second episode's duration is measured after it was heard; the third one was played.
        func measure(_ id: EpisodeID) throws {
            if let time = touch.measured { try store.episodes.setMeasuredDuration(MediaTime(seconds: time), of: id) }
        }
        for id in [ids[0], ids[2]] { try measure(id) }
        try store.episodes.setPlayed(true, [ids[2]], at: day0)
        for id in ids { try store.episodes.savePosition(position, of: id, at: day0, isDurable: true) }
        try measure(ids[1])

        let begun = Array(ids[..<(touch.isInProgress ? 2 : 0)])
        try expectEqual(store.all(EpisodeFilter(isInProgress: true), order: .oldestFirst).map(\.id), begun)
        try expectEqual(store.all(order: .oldestFirst).filter(\.isInProgress).map(\.id), begun)
        try expectEqual(store.all(EpisodeFilter(isPlayed: true)).map(\.id), [ids[2]])
        try expectEqual(store.all().map(\.state.position), [position, position, position])
        let heard = try store.history.history(after: nil, limit: 9, heardOnly: true).map(\.episode)
        expectEqual(Set(heard), touch.isInProgress ? Set(ids) : [])
        try expectEqual(library.findings(), [])
    }

    @Test func aHiddenEpisodeThatBecomesInProgressIsShown() throws {
        let (library, store) = try openLibrary()
        let feed = try store.addFeed(items: (1...3).map { item($0) })
        let first = try store.all(order: .oldestFirst)[0].id
        try store.episodes.savePosition(MediaTime(seconds: 1), of: first, at: day0, isDurable: true)
        try store.retention.setRetention(RetentionPolicy(parsing: "newest:2"), of: feed)
        try expectEqual(store.retention.archiveDropped(of: feed, at: day0), [first])
        try store.episodes.savePosition(MediaTime(seconds: 40), of: first, at: day0, isDurable: true)
        try expectEqual(store.episodes.episode(first).state.hiddenReason, nil)
        try expectEqual(library.findings(), [])
    }

    @Test func markingPlayedLosesThePosition() throws {
        let (store, ids) = try storeWithThree()
        try store.episodes.savePosition(MediaTime(seconds: 60), of: ids[0], at: day0, isDurable: true)
        try store.episodes.setPlayed(true, [ids[0], ids[1]], at: day0)
        try expectEqual(store.episodes.episode(ids[0]).state.position, .zero)
        #expect(try store.episodes.episode(ids[1]).state.isPlayed)
        try expectEqual(store.episodes.count(EpisodeFilter(isPlayed: true), upTo: 9), .exactly(2))
        try store.episodes.setPlayed(false, [ids[0]], at: day0)
        try expectEqual(store.episodes.episode(ids[0]).state, EpisodeState(lastPlayed: day0))
    }

    @Test func aLatePositionDoesNotUnplayAnEpisode() throws {
        let (store, ids) = try storeWithThree()
        try store.episodes.setPlayed(true, [ids[0]], at: day0)
        try store.episodes.savePosition(MediaTime(seconds: 1799), of: ids[0], at: day0, isDurable: false)
        let state = try store.episodes.episode(ids[0]).state
        #expect(state.isPlayed)
        expectEqual(state.position, MediaTime(seconds: 1799))
    }

    @Test func listsAStopAfterAPauseOnceInTheHistory() throws {
        let (_, store) = try openLibrary()
        _ = try store.addFeed(items: [item(1), item(2)])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        for (id, seconds) in [(ids[0], 90), (ids[0], 90), (ids[1], 90), (ids[0], 90), (ids[0], 95)] {
            try store.episodes.savePosition(MediaTime(seconds: Double(seconds)), of: id, at: day0, isDurable: true)
        }
        let history = try store.history.history(limit: 9)
        expectEqual(history.map(\.episode), [ids[0], ids[1], ids[0]])
        expectEqual(history.map(\.position), [95, 90, 90].map { MediaTime(seconds: $0) })
    }

    @Test func anEpisodeThatIsContinuedWithinAnHourIsOneLineOfWhatWasHeard() throws {
        let (_, store) = try openLibrary()
        _ = try store.addFeed(items: [item(1), item(2)])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        // The minute of each stop, and the position there. The last one is a touch.
        let stops = [
            (ids[0], 0, 5), (ids[0], 20, 10), (ids[1], 25, 2), (ids[0], 150, 110), (ids[0], 290, 112), (ids[0], 291, 0),
        ]
        for (id, minute, position) in stops {
            try store.episodes.savePosition(
                MediaTime(seconds: Double(position) * 60), of: id, at: day0.adding(seconds: Int64(minute) * 60),
                isDurable: true)
        }
        let heard = try store.history.history(limit: 9, heardOnly: true)
        expectEqual(heard.map(\.episode), [ids[0], ids[0], ids[1]])
        expectEqual(heard.map(\.position), [112, 110, 2].map { MediaTime(seconds: $0 * 60) })
        let first = HistoryKey(time: heard[0].time, number: heard[0].number)
        try expectEqual(store.history.history(after: first, limit: 1, heardOnly: true), [heard[1]])
        try expectEqual(store.history.history(limit: 9).count, 6)
    }

    @Test func starsAndNotesCanBeTakenAway() throws {
        let (store, ids) = try storeWithThree()
        try store.episodes.setStarred(true, [ids[1]])
        try store.episodes.setNote("Listen to 12:30", of: ids[1])
        #expect(try store.episodes.episode(ids[1]).state.isStarred)
        try expectEqual(store.episodes.episode(ids[1]).state.note, "Listen to 12:30")
        try store.episodes.setStarred(false, [ids[1]])
        try store.episodes.setNote("", of: ids[1])
        try expectEqual(store.episodes.episode(ids[1]).state, EpisodeState())
    }

    @Test func downloadsAreAFilterOfTheirOwn() throws {
        let (store, ids) = try storeWithThree()
        try store.setDownloaded([ids[2]])
        try expectEqual(store.all(EpisodeFilter(isDownloaded: true)).map(\.id), [ids[2]])
        try expectEqual(store.episodes.count(EpisodeFilter(isDownloaded: false), upTo: 9), .exactly(2))
    }

    @Test func anUnknownEpisodeTakesBackTheWholeEdit() throws {
        let (store, ids) = try storeWithThree()
        #expect(throws: LibraryError.notFound("episode e99")) {
            try store.episodes.setStarred(true, [ids[0], EpisodeID(99)])
        }
        #expect(try !store.episodes.episode(ids[0]).state.isStarred)
        #expect(throws: LibraryError.notFound("episode e99")) {
            try store.episodes.savePosition(.zero, of: EpisodeID(99), at: day0, isDurable: true)
        }
    }

    @Test func aMeasuredDurationGoesBeforeTheAnnouncedOne() throws {
        let (store, ids) = try storeWithThree()
        try store.episodes.setMeasuredDuration(MediaTime(milliseconds: 1_812_345), of: ids[0])
        let episode = try store.episodes.episode(ids[0])
        expectEqual(episode.duration, MediaTime(milliseconds: 1_812_345))
        expectEqual(episode.announcedDuration, MediaTime(seconds: 1800))
    }

    @Test func wordsOfAShowAndOfATitleNameAnEpisodeTogether() throws {
        let store = try TemporaryLibrary().open()
        _ = try store.addFeed("cinema", items: [item(1), item(12)], title: "Cinema Hour")
        let crime = try store.addFeed("crime", items: [item(1), item(12)], title: "True Crime")
        let found = try store.episodes.resolveEpisode("crime 12")
        expectEqual(found.feed, crime)
        expectEqual(found.title, "Episode 12")
        try expectEqual(store.episodes.resolveEpisode("12 episode true").id, found.id)
        #expect { try store.episodes.resolveEpisode("cinema episode") } throws: { error in
            guard case .ambiguous(_, _, let candidates) = error as? LibraryError else { return false }
            return candidates.map(\.feedTitle) == ["Cinema Hour", "Cinema Hour"]
        }
        #expect(throws: LibraryError.notFound("crime 13", of: .episode)) {
            try store.episodes.resolveEpisode("crime 13")
        }
        #expect(throws: LibraryError.inexact("crime 12", NamedCandidate(found))) {
            try store.episodes.resolveEpisode("crime 12", isExact: true)
        }
    }

    @Test func aLooseEpisodeIsMadeOnceAndBelongsToNoFeed() throws {
        let store = try TemporaryLibrary().open()
        let url = "https://files.example/talks/Caf%C3%A9%20talk.mp3?sig=1"
        let id = try store.episodes.looseEpisode(url: url, title: nil, at: day0)
        try expectEqual(store.episodes.looseEpisode(url: url, title: "Other", at: day0), id)
        try expectEqual(store.episodes.episode(id).title, "Café talk.mp3")
        try expectEqual(store.feeds.feeds(), [])
        try expectEqual(store.episodes.resolveEpisode(url).id, id)
        try store.episodes.savePosition(MediaTime(seconds: 30), of: id, at: day0, isDurable: true)
        try expectEqual(store.all(EpisodeFilter(isInProgress: true)).map(\.id), [id])
        try expectEqual(store.refreshes.dueFeeds(at: day0, isForced: true), [])
    }

    @Test func anURLOfASubscribedFeedIsItsEpisode() throws {
        let (store, ids) = try storeWithThree()
        try expectEqual(
            store.episodes.looseEpisode(url: "https://cdn.example/show/2.mp3", title: nil, at: day0), ids[1])
        #expect(
            try store.episodes.looseEpisode(url: "https://cdn.example/show/2.mp3?x", title: nil, at: day0) != ids[1])
    }

    @Test func positionsAreSyncedNowAndThenWithoutBeingAsked() throws {
        let library = try TemporaryLibrary()
        var now = start
        let store = try library.open(clock: { now })
        _ = try store.addFeed(items: [item(1)])
        let id = try store.all()[0].id
        for second in 1...30 {
            now += .seconds(1)
            try store.episodes.savePosition(MediaTime(seconds: Double(second)), of: id, at: day0, isDurable: false)
        }
        try expectEqual(store.episodes.episode(id).state.position, MediaTime(seconds: 30))
    }
}
