import Foundation
import Library
import Playback
import PodcastModel
import Queueing
import Reporting
import Synchronization
import TestSupport
import Testing

/// A library with a feed; it undoes like the daemon's queue.
private actor TestLibrary: LibraryAccess, UndoQueue {
    private let store: LibraryStore
    private let folder: URL
    private let feed: FeedID
    private var contents = FeedContents()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "actions-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LibraryStore(path: folder.appending(path: "library.db").path)
        feed = try store.feeds.addFeed(url: "http://host/feed", title: "Feed", at: Timestamp(seconds: 0))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func perform<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try job(store)
    }

    func read<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try perform(job)
    }

    func maintain() {}
    func turnLast(
        _ direction: UndoDirection, step: Int64?, at now: Timestamp, permits: @Sendable (UndoableAct) throws -> Void
    ) throws -> UndoneStep? { try store.history.turnLast(direction, step: step, at: now) }
    /// Adds an episode to the feed.
    func episode(_ title: String) throws -> EpisodeID {
        var item = Item()
        item.guid = title
        item.title = title
        item.published = Timestamp(seconds: Int64(contents.items.count + 1) * 1000)
        item.enclosures = [Enclosure(url: "http://host/\(title).mp3")]
        contents.items.append(item)
        _ = try store.refreshes.merge(
            contents, into: feed,
            FetchRecord(time: Timestamp(seconds: 0), httpStatus: 200, nextDue: Timestamp(seconds: 3600)))
        return try store.episodes.resolveEpisode("http://host/\(title).mp3").id
    }
}

/// A player that plays one entry; it saves its seeks like the real one.
private final class TestPlayer: SeekingPlayer {
    private let current: Mutex<PlayerStatus>
    let seeks = Mutex<[TimeArgument]>([])

    private let library: TestLibrary

    init(_ episode: EpisodeID?, at position: MediaTime, _ library: TestLibrary) {
        self.library = library
        var status = PlayerStatus()
        status.state = episode == nil ? .stopped : .playing
        status.entry = episode.map { QueueEntry(id: EntryID(1), episode: $0) }
        status.position = position
        current = Mutex(status)
    }
    var status: PlayerStatus { current.withLock { $0 } }
    func previous() async throws { try await seek(.absolute(.zero)) }
    func stop() async throws { current.withLock { $0 = PlayerStatus() } }
    func play(_ entry: QueueEntry, at start: MediaTime?, isNew: Bool) async throws {
        current.withLock { ($0.entry, $0.state) = (entry, .playing) }
        if let start { try await seek(.absolute(start)) }
    }
    func seek(_ time: TimeArgument) async throws {
        seeks.withLock { $0.append(time) }
        guard case .absolute(let position) = time, let entry = status.entry else { return }
        current.withLock { $0.position = position }
        try await library.perform {
            try $0.episodes.savePosition(position, of: entry.episode, at: Timestamp(seconds: 100), isDurable: true)
        }
    }
}

/// Downloads that note what is asked of them.
private actor TestDownloads: DownloadManaging {
    private(set) var retried: [EpisodeID] = []
    private(set) var removed: [EpisodeID] = []
    func retry(_ episodes: [EpisodeID]) { retried += episodes }
    func remove(_ episodes: [Episode]) { removed += episodes.map(\.id) }
    func description(of episode: EpisodeID) -> String { "" }
    func wholeFiles() -> [String: String] { [:] }
    func wholeFile(url: String) -> String? { nil }
    func states() -> [EpisodeID: DownloadState] { [:] }
}

/// Settings in memory; a full disk takes none.
private actor TestSettings: UndoSettings {
    struct DiskFull: Error {}
    private(set) var values: [String: String] = [:]
    private var isFull = false
    func setFull(_ isFull: Bool) { self.isFull = isFull }
    func restore(_ setting: ClientSetting) throws {
        if isFull { throw DiskFull() }
        values[setting.name] = setting.value
    }
}

private struct NoQueue: ChoiceQueue, FeedLookup {
    func entry(at index: Int) -> QueueEntry? { nil }
    func entry(of episode: EpisodeID) -> QueueEntry? { nil }
    func insertAfterCurrent(_ episodes: [EpisodeID]) -> [QueueEntry] { [] }
    var queuedEpisodes: Set<EpisodeID> { [] }
    func feed(at url: String) -> FoundFeed? { nil }
}

@Suite struct ActionTests {
    private let library: TestLibrary
    private let now: @Sendable () -> Timestamp = { Timestamp(seconds: 100) }

    init() throws { library = try TestLibrary() }

    private func actions(_ player: TestPlayer, _ settings: TestSettings = TestSettings()) -> PlaybackActions {
        PlaybackActions(
            library: library, queue: library, player: player, settings: settings, downloads: TestDownloads(), now: now
        ) { _ in }
    }

    private func downloads(_ manager: TestDownloads) -> DownloadActions {
        let chooser = PlayChooser(
            library: library, queue: NoQueue(), feeds: NoQueue(),
            activities: ActivityBoard { Timestamp(seconds: 0) }, now: now)
        return DownloadActions(manager: manager, library: library, chooser: chooser, now: now) { _ in }
    }

    @Test func undoingASeekSeeksBackToTheAudiblePosition() async throws {
        let player = TestPlayer(try await library.episode("Alpha"), at: MediaTime(seconds: 60), library)
        try await actions(player).seek(to: .absolute(MediaTime(seconds: 300)))
        expectEqual(player.status.position, MediaTime(seconds: 300))
        let undone = try await actions(player).undo()
        expectEqual(undone.kind, .seek)
        expectEqual(player.status.position, MediaTime(seconds: 60))
    }

    @Test func goingBackToTheBeginningIsUndoneLikeASeek() async throws {
        let player = TestPlayer(try await library.episode("Alpha"), at: MediaTime(seconds: 60), library)
        try await actions(player).previous()
        expectEqual(player.status.position, .zero)
        try await expectEqual(actions(player).undo().kind, .seek)
        expectEqual(player.status.position, MediaTime(seconds: 60))
    }

    @Test func aPositionThatAStartElsewhereReplacesIsUndone() async throws {
        let episode = try await library.episode("Alpha")
        try await library.perform {
            try $0.episodes.savePosition(
                MediaTime(seconds: 540), of: episode, at: Timestamp(seconds: 100), isDurable: true)
        }
        let player = TestPlayer(nil, at: .zero, library)
        try await actions(player).play(QueueEntry(id: EntryID(1), episode: episode), at: .zero, isNew: true)
        expectEqual(player.status.position, .zero)
        try await expectEqual(actions(player).undo().kind, .seek)
        expectEqual(player.status.position, MediaTime(seconds: 540))
    }

    @Test func undoingTheSeekOfAnotherEpisodeLeavesThePlayerAlone() async throws {
        let first = TestPlayer(try await library.episode("Alpha"), at: MediaTime(seconds: 60), library)
        try await actions(first).seek(to: .absolute(MediaTime(seconds: 300)))
        let second = TestPlayer(try await library.episode("Beta"), at: .zero, library)
        _ = try await actions(second).undo()
        #expect(second.seeks.withLock { $0.isEmpty })
    }

    @Test func aSettingIsUndoneInOrderWithOtherActsAndDoneAgain() async throws {
        let (settings, episode) = (TestSettings(), try await library.episode("Alpha"))
        let actions = actions(TestPlayer(nil, at: .zero, library), settings)
        try await library.perform { store in
            try store.history.recordSettings(
                [.init("playback.mono", from: nil, to: "yes")], as: .set, title: "playback.mono",
                at: Timestamp(seconds: 100))
            try store.episodes.setStarred(true, [episode])
            try store.history.recordSettings(
                [.init("playback.mono", from: "yes", to: "no")], as: .set, title: "playback.mono",
                at: Timestamp(seconds: 100))
        }
        _ = try await actions.undo()
        await expectEqual(settings.values, ["playback.mono": "yes"])
        try await expectEqual(actions.undo().kind, .starred)
        _ = try await actions.undo()
        await expectEqual(settings.values, [:])
        for _ in 1...3 { _ = try await actions.undo(.redo) }
        await expectEqual(settings.values, ["playback.mono": "no"])
    }

    @Test func aSettingThatCannotBeStoredCanBeUndoneLater() async throws {
        let settings = TestSettings()
        let actions = actions(TestPlayer(nil, at: .zero, library), settings)
        try await library.perform {
            try $0.history.recordSettings(
                [.init("playback.mono", from: "no", to: "yes")], as: .set, title: "playback.mono",
                at: Timestamp(seconds: 100))
        }
        await settings.setFull(true)
        await #expect(throws: TestSettings.DiskFull.self) { try await actions.undo() }
        await settings.setFull(false)
        try await expectEqual(actions.undo().title, "playback.mono")
        await expectEqual(settings.values, ["playback.mono": "no"])
    }

    @Test func withoutAnActionThereIsNothingToUndo() async throws {
        let actions = actions(TestPlayer(nil, at: .zero, library))
        try await expectEqual(actions.undo().kind, .subscribed)
        await #expect(throws: NothingToUndo(.undo)) { try await actions.undo() }
        try await expectEqual(actions.undo(.redo).kind, .subscribed)
        await #expect(throws: NothingToUndo(.redo)) { try await actions.undo(.redo) }
    }

    @Test func anActThatAnotherClientHasUndoneIsNotMistakenForAnother() async throws {
        let actions = actions(TestPlayer(nil, at: .zero, library))
        let act = try #require(try await actions.steps(.undo).first).id
        _ = try await actions.undo(act: act)
        await #expect(throws: TurnedMeanwhile()) { try await actions.undo(act: act) }
    }

    @Test func aDownloadIsRequestedOnceHoweverOftenItIsNamed() async throws {
        let (episode, manager) = (try await library.episode("Alpha"), TestDownloads())
        let found = try await downloads(manager).download(["Alpha", "Alpha"], limit: 10)
        expectEqual(found.episodes.map(\.id), [episode])
        expectEqual(found.chosen.map(\.hasMore), [false, false])
        try await expectEqual(library.perform { try $0.downloads.requestedDownloads(limit: 10) }, [episode])
        await expectEqual(manager.retried, [episode])
    }

    @Test func aViewIsRequestedUpToItsLimit() async throws {
        for name in ["Alpha", "Beta", "Gamma"] { _ = try await library.episode(name) }
        let found = try await downloads(TestDownloads()).download(["filter:is:unplayed"], limit: 2)
        expectEqual(found.episodes.count, 2)
        expectEqual(found.chosen.map(\.hasMore), [true])
    }

    @Test func deletingAViewAffectsDownloadedAndRequestedEpisodesOnly() async throws {
        let (stored, requested, manager) = (
            try await library.episode("Alpha"), try await library.episode("Beta"), TestDownloads()
        )
        _ = try await library.episode("Gamma")
        try await library.perform { store in
            try store.downloads.requestDownloads(of: [stored, requested], at: Timestamp(seconds: 0))
            _ = try store.downloads.downloadIsComplete(stored, url: "http://host/Alpha.mp3")
        }
        let deleted = try await downloads(manager).delete(["filter:is:unplayed"], isExact: true)
        expectEqual(deleted.chosen.map { Set($0.episodes) }, [[stored, requested]])
        expectEqual(deleted.cancelled, 1)
        expectEqual(Set(await manager.removed), [stored, requested])
        try await expectEqual(library.perform { try $0.downloads.requestedDownloads(limit: 10) }, [])
    }

    @Test func deletingAPartOfATitleIsRefusedAndOfWhatIsNotDownloadedDoesNothing() async throws {
        let (episode, manager) = (try await library.episode("Alpha-Beta"), TestDownloads())
        await #expect(throws: LibraryError.self) { try await downloads(manager).delete(["beta"], isExact: true) }
        for word in ["alpha-beta", episode.label] {
            let deleted = try await downloads(manager).delete([word], isExact: true)
            expectEqual(deleted.chosen.map(\.episodes), [[]])
        }
        await expectEqual(manager.removed, [])
    }
}
