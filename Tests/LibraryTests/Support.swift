@testable import Library
@testable import DaemonCore
import Foundation
import PodcastModel
import Reporting
import SQLite

/// When a test begins.
let start = Instant(nanoseconds: 0)

/// A clock that a closure reads. Unchecked: a test's store reads it on the test's thread.
struct ClosureClock: MonotonicClock, @unchecked Sendable {
    let read: () -> Instant
    var now: Instant { read() }
}

/// A library in a folder that goes with the test.
final class TemporaryLibrary {
    let folder: URL
    var path: String { folder.appendingPathComponent("library.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func open(busyTimeout: Duration = .seconds(2), clock: @escaping () -> Instant = { start }) throws -> LibraryStore {
        let store = try LibraryStore(
            path: path, options: LibraryOptions(busyTimeout: busyTimeout, cacheKiB: 1024, checkpointPages: 1000),
            clock: ClosureClock(read: clock))
        store.workTime = { clock() - start }
        return store
    }

    /// Another connection, for what the stores do not tell.
    func connection() throws -> Connection { try Connection(path: path, busyTimeout: .seconds(1), cacheKiB: 256) }

    /// One number that SQL gives.
    func number(_ sql: String) throws -> Int {
        let query = try connection().statement(sql)
        defer { query.reset() }
        return try query.step() ? query.int(0) : 0
    }

    /// What a check complains of.
    func findings() throws -> [String] {
        let results = try LibraryChecker(path: path, isRepairing: false, now: day0).run()
        return results.filter { $0.severity != .ok }.map { "\($0)" }
    }

    /// What a killed process or an image of the disk would leave: the file and its log as they are now.
    func copyFiles() throws -> TemporaryLibrary {
        let copy = try TemporaryLibrary()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }
}

/// An empty library, and its store.
func openLibrary() throws -> (TemporaryLibrary, LibraryStore) {
    let library = try TemporaryLibrary()
    return (library, try library.open())
}

/// The first day of the tests' calendar.
let day0 = Timestamp(year: 2026, month: 1, day: 1)

extension Timestamp {
    /// The time `days` days later.
    func adding(days: Int64) -> Timestamp { adding(seconds: days * 86_400) }
}

/// A fetch that went well.
func fetched(at time: Timestamp = day0, newEpisodes: Int = 0) -> FetchRecord {
    FetchRecord(time: time, httpStatus: 200, nextDue: time.adding(seconds: 3600))
}

/// An item as most feeds have it; its number makes GUID, title, date and URL.
func item(_ number: Int, change: (inout Item) -> Void = { _ in }) -> Item {
    var item = Item()
    item.guid = "guid-\(number)"
    item.title = "Episode \(number)"
    item.published = day0.adding(days: Int64(number))
    item.duration = MediaTime(seconds: 1800)
    item.summary = "Summary of \(number)"
    item.enclosures = [Enclosure(url: "https://cdn.example/show/\(number).mp3", type: "audio/mpeg", length: 1000)]
    change(&item)
    return item
}

/// A document of items.
func document(_ items: [Item], title: String? = "A show") -> FeedContents {
    var contents = FeedContents()
    contents.channel.title = title
    contents.items = items
    return contents
}

extension RefreshStore {
    /// Merges one document.
    func merge(
        _ contents: FeedContents, into id: FeedID, _ fetch: FetchRecord
    ) throws(LibraryError) -> MergeResult {
        guard let result = try merge([FetchedDocument(feed: id, contents: contents, fetch: fetch)])[0] else {
            throw .notFound("feed \(id.label)")
        }
        return result
    }
}

extension LibraryStore {
    /// A feed with items, merged.
    func addFeed(_ name: String = "show", items: [Item] = [], title: String? = nil) throws -> FeedID {
        let id = try feeds.addFeed(url: "https://feeds.example/\(name)", title: nil, at: day0)
        _ = try refreshes.merge(document(items, title: title ?? name), into: id, fetched())
        try forgetSteps()
        return id
    }

    /// Deletes all steps of undo, for tests in which adding a feed does not count as an act.
    func forgetSteps() throws { try write(.relaxed) { try connection.run("DELETE FROM undo_step") } }

    /// All rows of a view, page by page.
    func all(
        _ filter: EpisodeFilter = EpisodeFilter(), order: EpisodeOrder = .newestFirst, pageSize: Int = 1000
    ) throws -> [Episode] {
        var found: [Episode] = []
        var page = try episodes.page(filter, order: order, at: .first, limit: pageSize)
        found += page.episodes
        while page.hasAfter, let last = page.resumption ?? page.episodes.last?.key {
            page = try self.episodes.page(filter, order: order, at: .after(last), limit: pageSize)
            found += page.episodes
        }
        return found
    }
}

extension Episode {
    var key: EpisodeKey { EpisodeKey(published: published, id: id) }
}

/// A library with a feed of three episodes, oldest first.
func storeWithThree() throws -> (LibraryStore, [EpisodeID]) {
    let store = try TemporaryLibrary().open()
    _ = try store.addFeed(items: (1...3).map { item($0) })
    return (store, try store.all(order: .oldestFirst).map(\.id))
}

extension LibraryStore {
    /// Notes that the file of an episode as it is now has come.
    /// - Returns: whether it was requested.
    func downloadCame(for id: EpisodeID) throws -> Bool {
        try downloads.downloadIsComplete(id, url: try episodes.episode(id).enclosure.url)
    }

    /// Has episodes called kept on disk, as when their files had come.
    func setDownloaded(_ ids: [EpisodeID]) throws {
        try downloads.requestDownloads(of: ids, at: day0)
        for id in ids { _ = try downloadCame(for: id) }
    }
}

extension DownloadStore {
    func downloadedEpisodes() throws -> [EpisodeID] { try downloadedURLs().keys.sorted() }

    func dropDownloads(of ids: [EpisodeID]) throws { try write(.synced) { try ids.forEach(drop) } }
}

extension RefreshStore {
    func recordUnchanged(_ id: FeedID, _ fetch: FetchRecord) throws { try recordUnchanged([(id, fetch)]) }
}

extension RuleStore {
    func rules() throws -> [EpisodeRule] { try rules(for: nil) }

    func applyToNewEpisodes(at now: Timestamp) throws -> RuleOutcome { try applyToNewEpisodes(nextIndex: nil, at: now) }

    func applyToStoredEpisodes(
        feed: FeedID?, after place: EpisodeKey?, at now: Timestamp
    ) throws -> (outcome: RuleOutcome, next: EpisodeKey?) {
        try applyToStoredEpisodes(
            EpisodeFilter(feed: feed, isPlayed: false, isInProgress: false), after: place, nextIndex: nil, at: now)
    }
}

extension FeedStore {
    /// Unsubscribes, and lets the time go by in which the feed could come back.
    func deleteFeed(_ id: FeedID) throws {
        try removeFeed(id, at: day0)
        _ = try deleteRemoved(before: day0.adding(days: 1))
    }
}

extension HistoryStore {
    func undoLast() throws -> UndoneStep? { try turnLast(.undo, step: nil, at: day0) }
    func redoLast() throws -> UndoneStep? { try turnLast(.redo, step: nil, at: day0) }
    func undoableSteps() throws -> [UndoableAct] { try steps(.undo, at: day0) }
}
