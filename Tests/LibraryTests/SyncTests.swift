@testable import Library
import PodcastModel
import SQLite
import SystemCalls
import TestSupport
import Testing

/// Changes from other devices of the user, and changes for them.
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

    private func change(_ episode: Episode, at seconds: Int64, position: Double? = nil, isPlayed: Bool = false)
        -> LibraryChange
    {
        let name = ChangedEpisode(feed: Self.feed, EpisodeIdentity(url: episode.enclosure.url))
        let playback = LibraryChange.Value(
            position: position.map { MediaTime(seconds: $0) } ?? .zero, isPlayed: isPlayed)
        return LibraryChange(.playback(name, playback), at: now.adding(seconds: seconds), in: "phone")
    }

    @discardableResult
    private func apply(_ changes: LibraryChange..., of device: String = "phone", after seconds: Int64 = 0) throws
        -> AppliedChanges
    {
        try store.changes.apply(changes, of: device, isFirst: false, except: nil, at: now.adding(seconds: seconds))
    }

    private func state(_ index: Int) throws -> EpisodeState {
        try store.episodes.episode(episodes[index].id).state
    }

    @Test(arguments: [Int64.min, .max])
    func extremeTimesOfDevicesAndOfRowsWrittenByHandAreRead(number: Int64) throws {
        var extreme = change(episodes[0], at: 0)
        let name = try #require(extreme.content.episode)
        let position = MediaTime(milliseconds: number)
        extreme.time = Timestamp(milliseconds: number)
        extreme.content = .playback(name, LibraryChange.Value(position: position, isPlayed: false))
        try apply(extreme)
        let entries = try store.queue.insertEntries(episodes.map(\.id), at: 0)
        _ = try store.bookmarks.addBookmark(
            PortableBookmark(
                position: position, skipEnd: MediaTime(milliseconds: number), text: "", created: extreme.time),
            to: episodes[0].id)
        for change in [
            "episode SET published = \(number), duration = \(number)",
            "history SET time = \(number), position = \(number)",
            "playback SET position = \(number), last_played = \(number), marked = \(number)",
            "bookmark SET created = \(number)", "queue_entry SET place = \(number) WHERE id = \(entries[1].id)",
            "undo_step SET time = \(number)", "library_change SET time = \(number)",
            "feed SET subscribed = \(number)", "retention_run SET time = \(number)",
        ] {
            try library.connection().execute("UPDATE " + change)
        }
        try library.connection().execute("INSERT INTO listening VALUES (\(number), 1, \(number), 0, 0)")
        try expectEqual(store.all().count, 3)
        try expectEqual(store.bookmarks.bookmarks(after: nil, limit: 9).count, 1)
        _ = try store.changes.page(since: 0, limit: 99)
        _ = try store.changes.page(since: number, limit: 99)
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
        try apply(change(episodes[1], at: -9, isPlayed: true))
        #expect(try state(1).isPlayed)
        try apply(change(episodes[1], at: -8))
        #expect(try !state(1).isPlayed)
    }

    @Test func anEpisodeThatIsHeardAgainStaysPlayed() throws {
        let again = change(episodes[1], at: -9, position: 40, isPlayed: true)
        let applied = try apply(again)
        expectEqual(applied.details, ["\(episodes[1].title): 0:00 becomes played"])
        let state = try state(1)
        #expect(state.isPlayed && state.position == MediaTime(seconds: 40))
        let change = try #require(try store.changes.page(since: 0, kinds: [.playback], limit: 9).changes.last)
        let name = try #require(change.content.episode)
        let playback = LibraryChange.Value(position: MediaTime(seconds: 40), isPlayed: true)
        expectEqual(change.content, .playback(name, playback))
    }

    @Test func changesAreListedPageByPageInTheirOrder() throws {
        for episode in episodes { try apply(change(episode, at: -5, position: 30)) }
        let first = try store.changes.page(since: 0, kinds: [.playback], limit: 2)
        try expectEqual(
            store.changes.page(since: 0, kinds: [.subscription], limit: 2).changes.map(\.content),
            [.subscription(feed: Self.feed, isSet: true)])
        #expect(first.hasMore)
        let second = try store.changes.page(since: first.revision, kinds: [.playback], limit: 2)
        expectEqual(
            (first.changes + second.changes).map(\.content.episode?.identity.url), episodes.map(\.enclosure.url))
        #expect(!second.hasMore && second.revision == second.latest)
        try expectEqual(store.changes.page(since: second.revision, limit: 2).changes, [])
    }

    /// A server that keeps whole seconds could not tell which of two changes in one second is the later one.
    @Test func anUndoIsInALaterSecondThanWhatItUndoes() throws {
        _ = try store.sync.setPosition(
            MediaTime(seconds: 50), isPlayed: false, of: episodes[0].id, device: nil, heard: .now, at: .now)
        let before = try #require(try store.changes.page(since: 0, kinds: [.playback], limit: 9).changes.last)
        _ = try store.history.turnLast(.undo, step: nil, at: .now)
        let after = try #require(try store.changes.page(since: 0, kinds: [.playback], limit: 9).changes.last)
        #expect(after.time.seconds > before.time.seconds && after.time.milliseconds % 1000 != 0)
    }

    @Test func aFeedOfAnotherDeviceIsSubscribedAndRemovedAsOneStepOfUndo() throws {
        let url = "https://feeds.example/other"
        func subscription(_ isSet: Bool, at seconds: Int64) -> LibraryChange {
            LibraryChange(.subscription(feed: url, isSet: isSet), at: now.adding(seconds: seconds), in: "phone")
        }
        let added = try apply(subscription(true, at: -5))
        #expect(added.feedsAdded.count == 1 && added.changed == 1)
        // An older removal, and the same again, change nothing.
        #expect(try apply(subscription(false, at: -6), subscription(true, at: -5)).changed == 0)
        #expect(try apply(subscription(false, at: -4)).feedsRemoved == added.feedsAdded)
        try expectEqual(store.feeds.feeds().map(\.url), [Self.feed])
        try expectEqual(undo(at: 1), .synced)
        #expect(try store.feeds.feed(url: url) != nil)
    }

    @Test func aFormerAddressOfAFeedRemovesNothing() throws {
        let id = try #require(try store.feeds.feed(url: Self.feed)).id
        try store.feeds.moveFeed(id, to: "https://new.example/show")
        try apply(
            LibraryChange(.subscription(feed: Self.feed, isSet: false), at: now.adding(days: 400), in: "phone"),
            after: 400 * 86_400)
        try expectEqual(store.feeds.feeds().map(\.url), ["https://new.example/show"])
    }

    @Test func thePlaybackOfAnEpisodeThatWaitsForARefreshIsListed() throws {
        let name = ChangedEpisode(
            feed: Self.feed, EpisodeIdentity(guid: "g", url: "https://cdn.example/old.mp3"))
        func played(_ seconds: Double, at time: Int64) -> LibraryChange {
            LibraryChange(
                .playback(name, LibraryChange.Value(position: MediaTime(seconds: seconds), isPlayed: false)),
                at: now.adding(seconds: time), in: "phone")
        }
        try apply(played(40, at: -5))
        let revision = try store.changes.page(since: 0, limit: 99).latest
        // Again, and earlier.
        #expect(try apply(played(40, at: -5), played(50, at: -6)).changed == 0)
        let page = try store.changes.page(since: 0, kinds: [.playback], limit: 9)
        #expect(page.latest == revision && page.changes.map(\.content) == [played(40, at: 0).content])
        #expect(page.changes.first?.time == now.adding(seconds: -5) && page.changes.first?.device == "phone")
    }

    @Test func anEpisodeOfAnUnknownFeedIsFoundByItsAddress() throws {
        var moved = change(episodes[0], at: -5, position: 30)
        moved.content = .playback(
            ChangedEpisode(feed: "", EpisodeIdentity(url: episodes[0].enclosure.url)),
            LibraryChange.Value(position: MediaTime(seconds: 30), isPlayed: false))
        // Maintenance makes the index of addresses.
        _ = try store.performMaintenance()
        try apply(moved)
        try expectEqual(state(0).position, MediaTime(seconds: 30))
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
        try apply(change(episodes[index], at: seconds, position: position), of: device, after: seconds)
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

    @Test func theLeastRecentlySynchronizedAccountsAreForgotten() throws {
        for number in 0..<40 {
            var account = SyncAccount()
            account.name = "account-\(number)"
            account.serverRevision = 1
            account.lastSync = now.adding(seconds: Int64(number))
            _ = try store.sync.save(account)
        }
        let names = try store.sync.accounts().map(\.name)
        #expect(names.count == 32 && names.contains("account-39") && !names.contains("account-0"))
    }
}
