import Foundation
@testable import Library
import PodcastModel
import SQLite
import Synchronization
import Testing
import TestSupport

/// What is left when a process is killed: the file and its log are copied in the midst of the work, which is what the
/// next process would find, and opened as it would.
struct CrashTests {
    @Test func whatWasSavedBeforeAKillIsThere() throws {
        let (library, store) = try openLibrary()
        let feed = try store.addFeed(items: [item(1), item(2)])
        let ids = try store.all(order: .oldestFirst).map(\.id)
        try store.episodes.savePosition(MediaTime(seconds: 12), of: ids[0], at: day0, isDurable: false)
        try store.episodes.setStarred(true, [ids[1]])
        let entries = try store.queue.insertEntries(ids, at: 0)
        try store.queue.setCurrentEntry(entries[1].id)

        let found = try library.copyFiles().open()
        try expectEqual(found.feeds.feed(feed).episodeCount, 2)
        try expectEqual(found.episodes.episode(ids[0]).state.position, MediaTime(seconds: 12))
        #expect(try found.episodes.episode(ids[1]).state.isStarred)
        try expectEqual(found.queue.queue(), StoredQueue(entries: entries, current: entries[1].id))
    }

    @Test func aFeedBecomesVisibleWholeOrStaysAsBefore() throws {
        let library = try TemporaryLibrary()
        var snapshots: [TemporaryLibrary] = []
        var calls = 0
        var isMerging = false
        let store = try library.open(clock: {
            calls += 1
            if isMerging && calls % 97 == 0 { try? snapshots.append(library.copyFiles()) }
            return start
        })
        let feed = try store.addFeed(items: [item(1)])
        let id = try store.all()[0].id
        isMerging = true
        let linked = (1...900).map { number in item(number) { $0.facts.link = "https://x.example" } }
        let merged = document(linked, title: "show")
        _ = try store.refreshes.merge(merged, into: feed, fetched())
        isMerging = false
        #expect(snapshots.count > 5)
        try expectEqual(store.all().count, 900)

        for (number, snapshot) in snapshots.enumerated() {
            let found = try snapshot.open()
            try expectEqual(found.all().map(\.id), [id], "snapshot \(number)")
            try expectEqual(found.all()[0].link, nil)
            try expectEqual(found.feeds.feed(feed).episodeCount, 1)
            try expectEqual(found.episodes.count(EpisodeFilter(), upTo: 10), .exactly(1))
            try expectEqual(
                found.episodes.count(EpisodeFilter(isPlayed: false, isStarred: false), upTo: 10), .exactly(1))
            #expect(throws: LibraryError.self) { try found.episodes.resolveEpisode("Episode 500") }
        }
        // The next refresh sweeps what the killed one left, and ends as if nothing had been.
        let last = try #require(snapshots.last)
        #expect(try last.number("SELECT count(*) FROM episode") > 200)
        let found = try last.open()
        while try found.performMaintenance() {}
        try expectEqual(found.refreshes.merge(merged, into: feed, fetched()).added.count, 899)
        try expectEqual(last.number("SELECT count(*) FROM episode"), 900)
        try expectEqual(found.all().count, 900)
        try expectEqual(found.all(EpisodeFilter(text: "episode 500")).count, 1)
        try last.connection().execute("INSERT INTO search(search) VALUES ('integrity-check')")
        try expectEqual(last.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1)
    }

    @Test func aWriterThatWaitsIsLetInBetweenTwoCommits() throws {
        let contest = try Contest()
        let rowsAtEdit = Mutex(-1)
        try contest.merge { [id = contest.episode] daemon in
            // The daemon counts the rows in the transaction for which it waited, so that later commits do not count.
            let rows = try daemon.write(.relaxed) {
                try daemon.connection.value("SELECT count(*) FROM episode") ?? -1 as Int
            }
            rowsAtEdit.withLock { $0 = rows }
            try daemon.episodes.setStarred(true, [id])
        }
        #expect(try contest.refresher.episodes.episode(contest.episode).state.isStarred)
        try expectEqual(contest.refresher.all().count, 3000)
        // The merge had made at least one commit, of 200 rows, and not yet all.
        #expect((200..<2800).contains(rowsAtEdit.withLock { $0 }))
    }

    @Test func aFeedThatGoesDuringItsMergeIsGone() throws {
        let contest = try Contest()
        #expect(throws: LibraryError.notFound("feed \(contest.feed.label)")) {
            try contest.merge { [feed = contest.feed] daemon in try daemon.feeds.deleteFeed(feed) }
        }
        while try contest.refresher.performMaintenance() {}
        try expectEqual(contest.library.number("SELECT count(*) FROM episode"), 0)
    }

    @Test func aSlowDiskShortensTheCommits() throws {
        let library = try TemporaryLibrary()
        var now = start
        var isMerging = false
        var sizes: [Int] = []
        let store = try library.open(clock: {
            // Each row takes 20 ms.
            now += .milliseconds(20)
            if isMerging { sizes.append((try? library.number("SELECT count(*) FROM episode")) ?? 0) }
            return now
        })
        let feed = try store.addFeed(items: [])
        isMerging = true
        _ = try store.refreshes.merge(document((1...30).map { item($0) }), into: feed, fetched())
        #expect(Set(sizes).count >= 10, "rows became durable in pieces of two or three")
    }
}

/// A large merge, and another process's edit that comes in its first commit.
private final class Contest {
    let library: TemporaryLibrary
    let refresher: LibraryStore
    let feed: FeedID
    let episode: EpisodeID
    private let hook = Hook()

    private final class Hook {
        var body: () -> Void = {}
    }

    init() throws {
        library = try TemporaryLibrary()
        refresher = try library.open(
            busyTimeout: .seconds(60),
            clock: { [hook] in
                hook.body()
                return start
            })
        feed = try refresher.addFeed(items: [item(1)])
        episode = try refresher.all()[0].id
    }

    /// Merges 3000 items. `edit` runs on a separate thread with a separate library; the merge continues when `edit`
    /// waits for the write lock. Returns when both have ended.
    func merge(while edit: @escaping @Sendable (LibraryStore) throws -> Void) throws {
        let turn = open(library.path + "-turn", O_RDWR)
        defer { close(turn) }
        let done = DispatchSemaphore(value: 0)
        hook.body = { [hook, path = library.path] in
            hook.body = {}
            Thread.detachNewThread {
                defer { done.signal() }
                let options = LibraryOptions(busyTimeout: .seconds(60), cacheKiB: 256, checkpointPages: 1000)
                do {
                    try edit(try LibraryStore(path: path, options: options))
                } catch {
                    Issue.record(error)
                }
            }
            while flock(turn, LOCK_EX | LOCK_NB) == 0 {
                flock(turn, LOCK_UN)
                sched_yield()
            }
        }
        defer { done.wait() }
        _ = try refresher.refreshes.merge(document((1...3000).map { item($0) }, title: "show"), into: feed, fetched())
    }
}
