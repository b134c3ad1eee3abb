@testable import Library
import PodcastModel
import SQLite
import Testing
import TestSupport

/// What other devices of the listener did, and what they have to hear of.
@Suite struct SyncTests {
    private static let feed = "https://feeds.example/show"
    private let library: TemporaryLibrary
    private let store: LibraryStore
    private let episodes: [Episode]
    private let now = day0.adding(days: 100)

    init() throws {
        (library, store) = try openLibrary()
        _ = try store.addFeed(items: (1...3).map { item($0) })
        episodes = try store.all().reversed()
    }

    private func act(
        _ kind: DeviceAct.Kind, _ episode: Episode, at seconds: Int64, position: Double? = nil, total: Double? = 1800
    ) -> DeviceAct {
        var act = DeviceAct()
        (act.kind, act.feed, act.url) = (kind, Self.feed, episode.enclosure.url)
        act.time = now.adding(seconds: seconds)
        (act.position, act.total) = (position.map { MediaTime(seconds: $0) }, total.map { MediaTime(seconds: $0) })
        return act
    }

    private func state(_ index: Int) throws -> EpisodeState {
        try store.episodes.episode(episodes[index].id).state
    }

    @Test func theLaterActStaysInAnyOrder() throws {
        for acts in [[-20, -10], [-10, -20]] as [[Int64]] {
            for seconds in acts {
                _ = try store.sync.record(
                    [act(.play, episodes[0], at: seconds, position: Double(100 - seconds))], of: "phone", at: now)
            }
            try expectEqual(state(0).position, MediaTime(seconds: 110))
        }
    }

    @Test func timesOf1970And2100DoNoHarm() throws {
        _ = try store.sync.record([act(.play, episodes[0], at: 4_000_000_000, position: 50)], of: "a", at: now)
        try expectEqual(state(0).lastPlayed, now)
        _ = try store.sync.record(
            [act(.play, episodes[0], at: -1_800_000_000, position: 70), act(.play, episodes[0], at: -5, position: -3)],
            of: "b", at: now)
        try expectEqual(state(0).position, MediaTime(seconds: 50))
    }

    @Test(arguments: [Int64.min, .max])
    func extremeTimesOfDevicesAndOfRowsWrittenByHandAreRead(number: Int64) throws {
        var extreme = act(.play, episodes[0], at: 0, position: 1)
        (extreme.time, extreme.total) = (Timestamp(milliseconds: number), MediaTime(milliseconds: number))
        extreme.position = MediaTime(milliseconds: number)
        _ = try store.sync.record([extreme], of: "phone", at: now)
        let entries = try store.queue.insertEntries(episodes.map(\.id), at: 0)
        _ = try store.bookmarks.addBookmark(
            PortableBookmark(
                position: extreme.position ?? .zero, skipEnd: MediaTime(milliseconds: number), text: "",
                created: extreme.time), to: episodes[0].id)
        for change in [
            "episode SET published = \(number), duration = \(number)",
            "history SET time = \(number), position = \(number)",
            "playback SET position = \(number), last_played = \(number), marked = \(number)",
            "bookmark SET created = \(number)", "queue_entry SET place = \(number) WHERE id = \(entries[1].id)",
            "undo_step SET time = \(number)", "state_change SET revision = \(number)",
            "feed SET subscribed = \(number)", "retention_run SET time = \(number)", "last_act SET time = \(number)",
        ] {
            try library.connection().execute("UPDATE " + change)
        }
        try library.connection().execute("INSERT INTO listening VALUES (\(number), 1, \(number), 0, 0)")
        try expectEqual(store.all().count, 3)
        try expectEqual(store.bookmarks.bookmarks(after: nil, limit: 9).count, 1)
        _ = try store.sync.changes(since: 0, after: nil, limit: 9, at: now)
        _ = try store.sync.changes(since: number, after: ChangeKey(parsing: "\(number):1:\(number)"), limit: 9, at: now)
        _ = try store.shared.rows()
        _ = try store.history.undoableSteps()
        for index in [0, 1, 4] { _ = try store.queue.insertEntries([episodes[2].id], at: index) }
        try expectEqual(store.queue.queue().entries.count, 6)
        try expectEqual(store.listening.heard(since: nil).count, 1)
        var page = try store.episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 2)
        var pages = 1
        while page.hasAfter, let last = page.episodes.last, pages < 9 {
            page = try store.episodes.page(
                EpisodeFilter(), order: .newestFirst, at: .after(EpisodeKey(of: last)), limit: 2)
            pages += 1
        }
        #expect(pages < 9)
    }

    @Test func theEndIsPlayedAndNewTakesTheMarkAway() throws {
        _ = try store.sync.record([act(.play, episodes[1], at: -9, position: 1790)], of: "phone", at: now)
        #expect(try state(1).isPlayed)
        _ = try store.sync.record([act(.new, episodes[1], at: -8)], of: "phone", at: now)
        #expect(try !state(1).isPlayed)
    }

    @Test func anEpisodeThatIsHeardAgainStaysPlayed() throws {
        var again = act(.play, episodes[1], at: -9, position: 40)
        again.isPlayed = true
        let trial = try store.sync.record([again], of: "laptop", isTrial: true, at: now)
        expectEqual(trial.details, ["\(episodes[1].title): 0:00 becomes played"])
        _ = try store.sync.record([again], of: "laptop", at: now)
        let state = try state(1)
        #expect(state.isPlayed && state.position == MediaTime(seconds: 40))
        let change = try #require(store.sync.changes(since: 0, after: nil, limit: 9, at: now).episodes.last)
        #expect(change.isHeardAgain && change.position == MediaTime(seconds: 40))
    }

    @Test func changesAreListedPageByPageAndOnlyOnceTheyAreNew() throws {
        for episode in episodes {
            _ = try store.sync.record([act(.play, episode, at: -5, position: 30)], of: "phone", at: now)
        }
        let first = try store.sync.changes(since: 0, after: nil, limit: 2, at: now)
        try expectEqual(store.sync.subscriptions(since: 0, after: nil, limit: 2).map(\.url), [Self.feed])
        try expectEqual(store.sync.subscriptions(since: 0, after: Self.feed, limit: 2), [])
        #expect(first.hasAfter)
        let key = try #require(first.episodes.last.flatMap { ChangeKey(parsing: $0.key) })
        let second = try store.sync.changes(since: 0, after: key, limit: 2, at: now)
        expectEqual(Set((first.episodes + second.episodes).compactMap(\.id)), Set(episodes.map(\.id)))
        #expect(!second.hasAfter)
        let none = try store.sync.changes(since: .max, after: nil, limit: 2, at: now)
        #expect(none.episodes.isEmpty)
        try expectEqual(store.sync.subscriptions(since: .max, after: nil, limit: 2), [])
    }

    private func report(
        _ position: Double, at seconds: Int64, isPlayed: Bool = false, from device: String? = "browser"
    ) throws -> Bool {
        let now = now.adding(seconds: seconds)
        return try store.sync.setPosition(
            MediaTime(seconds: position), isPlayed: isPlayed, of: episodes[0].id, device: device, heard: now, at: now)
    }

    @Test func reportsOfOneEpisodeAreOneStepOfUndo() throws {
        _ = try report(50, at: -9_000, from: nil)
        for seconds in stride(from: Int64(0), to: 60, by: 5) { #expect(try report(100 + Double(seconds), at: seconds)) }
        try expectEqual(state(0).position, MediaTime(seconds: 155))
        let left = try store.history.history(limit: 50).filter { $0.event == .left }.map(\.position)
        expectEqual(left, [MediaTime(seconds: 50)])
        let steps = try store.history.steps(.undo, at: now.adding(seconds: 60))
        expectEqual(steps.map(\.act), [.synced, .seek])
        expectEqual(steps.first?.count, 1)
        expectEqual(steps.first?.title, "browser")
        _ = try store.history.turnLast(.undo, step: nil, at: now.adding(seconds: 60))
        try expectEqual(state(0).position, MediaTime(seconds: 50))
    }

    @Test func anOlderReportChangesNothingAndTheEndIsPlayed() throws {
        #expect(try report(100, at: 0))
        #expect(try !report(200, at: -1))
        #expect(try report(1800, at: 1, isPlayed: true))
        #expect(try state(0).isPlayed && state(0).position == .zero)
        #expect(try !report(100, at: 1))
        #expect(try report(20, at: 2))
        #expect(try !state(0).isPlayed)
    }

    /// Positions that the history has of what was replaced, the oldest first.
    private func replaced() throws -> [Double] {
        try store.history.history(limit: 50).filter { $0.event == .left }.map(\.position.seconds).reversed()
    }

    private func record(_ index: Int, _ position: Double, from device: String, at seconds: Int64) throws {
        _ = try store.sync.record(
            [act(.play, episodes[index], at: seconds, position: position)], of: device, at: now.adding(seconds: seconds)
        )
    }

    private func undo(at seconds: Int64) throws -> Act? {
        try store.history.turnLast(.undo, step: nil, at: now.adding(seconds: seconds))?.kind
    }

    @Test func whatADeviceSendsAgainAndAgainIsOneStepOfUndo() throws {
        #expect(try report(50, at: -9_000, from: nil))
        for (seconds, position) in [(0, 100.0), (300, 200), (800, 300)] {
            try record(0, position, from: "phone", at: Int64(seconds))
            try record(1, position, from: "phone", at: Int64(seconds))
        }
        let steps = try store.history.steps(.undo, at: now.adding(seconds: 800))
        #expect(steps.map(\.act) == [.synced, .seek] && steps.first?.count == 2 && steps.first?.title == "phone")
        try expectEqual(replaced(), [50])
        try expectEqual(undo(at: 801), .synced)
        try expectEqual([state(0).position, state(1).position], [MediaTime(seconds: 50), .zero])
        try expectEqual(store.history.turnLast(.redo, step: nil, at: now.adding(seconds: 802))?.kind, .synced)
        try expectEqual([state(0).position, state(1).position], [MediaTime(seconds: 300), MediaTime(seconds: 300)])
    }

    @Test func aReportAfterTenMinutesIsANewStep() throws {
        try record(0, 100, from: "phone", at: 0)
        try record(0, 200, from: "phone", at: 601)
        try expectEqual(undo(at: 602), .synced)
        try expectEqual(state(0).position, MediaTime(seconds: 100))
        try expectEqual(replaced(), [100])
    }

    @Test func twoDevicesInTurnHaveSeparateSteps() throws {
        for (index, device) in ["phone", "tablet", "phone"].enumerated() {
            try record(0, Double(index + 1) * 100, from: device, at: Int64(index))
        }
        try expectEqual(replaced(), [100, 200])
        for expected in [200.0, 100, 0] {
            try expectEqual(undo(at: 9), .synced)
            try expectEqual(state(0).position.seconds, expected)
        }
    }

    @Test func reportsOfDevicesDoNotDisplaceWhatTheListenerDidBetweenThem() throws {
        try record(0, 100, from: "phone", at: 0)
        try store.episodes.setStarred(true, [episodes[2].id])
        for round in 1...100 {
            try record(0, Double(100 + round), from: round.isMultiple(of: 2) ? "phone" : "tablet", at: Int64(round))
        }
        var kinds: [Act] = []
        while let kind = try undo(at: 101) { kinds.append(kind) }
        expectEqual(kinds, Array(repeating: .synced, count: 10) + [.starred])
        #expect(try !state(2).isStarred)
    }

    @Test func aDryRunCountsChangesAndChangesNothing() throws {
        let acts = [act(.play, episodes[0], at: -5, position: 30), act(.play, episodes[1], at: -5, position: 40)]
        let trial = try store.sync.record(acts, of: "phone", isTrial: true, at: now)
        expectEqual(trial.counts, EpisodeImportCounts(found: 2, positions: 2))
        #expect(try state(0).position == .zero && store.history.steps(.undo, at: now).isEmpty)
        try expectEqual(store.sync.record(acts, of: "phone", at: now).counts, trial.counts)
    }
}
