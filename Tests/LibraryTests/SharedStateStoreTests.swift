@testable import Library
import PodcastModel
import TestSupport
import Testing

/// Two libraries that share what the listener has set.
@Suite struct SharedStateStoreTests {
    private let folders: [TemporaryLibrary]
    private let (here, there): (LibraryStore, LibraryStore)
    private let now = day0.adding(days: 100)

    init() throws {
        let (first, second) = (try openLibrary(), try openLibrary())
        folders = [first.0, second.0]
        (here, there) = (first.1, second.1)
        for store in [here, there] { _ = try store.addFeed(items: (1...3).map { item($0) }) }
    }

    private func queue(_ store: LibraryStore) throws -> [String] {
        try store.queue.queue().entries.map { try store.episodes.episode($0.episode).title }
    }

    /// Brings what was changed here since `base` there.
    private func share(since base: [SharedRow]) throws {
        try there.shared.apply(from: base, to: here.shared.rows(), of: "here", except: nil, at: now)
    }

    @Test func anEpisodeIsInTheQueueAsOftenAsOnTheOtherSide() throws {
        let ids = try here.all().map(\.id)
        _ = try here.queue.insertEntries([0, 1, 0, 0, 2, 1].map { ids[$0] }, at: 0)
        try share(since: there.shared.rows())
        try expectEqual(queue(there), queue(here))
        try expectEqual(there.shared.rows(), here.shared.rows())

        let base = try here.shared.rows()
        let entries = try here.queue.queue().entries.map(\.id)
        try here.queue.removeEntries([entries[2], entries[5]])
        _ = try here.queue.insertEntries([ids[2], ids[2]], at: 1)
        let before = try queue(there)
        try share(since: base)
        try expectEqual(queue(there), queue(here))
        _ = try there.history.undoLast()
        try expectEqual(queue(there), before)
    }

    @Test(arguments: [Int64.min, -1, 0, .max])
    func aBookmarkWithExtremeTimesDoesNoHarm(number: Int64) throws {
        let base = try here.shared.rows()
        let rows = [
            "0- t", "\(number)- t", "5-\(number) t", "\(number)-\(number) t", "\(Int64.max - 1)-\(number) t",
            "9223372036854-\(number) t",
        ].map { name in
            var row = SharedRow(.bookmark, feed: "https://feeds.example/show", name, "\(number)")
            (row.url, row.guid) = (item(1).enclosures[0].url, item(1).guid)
            return row
        }
        try there.shared.apply(from: base, to: base + rows, of: "here", except: nil, at: now)
        let kept = try there.bookmarks.bookmarks(after: nil, limit: 99)
        #expect(kept.contains { $0.position == .zero })
        for bookmark in kept { #expect(!bookmark.created.description.isEmpty && bookmark.skipTo != bookmark.position) }
        _ = try there.shared.rows()
    }

    @Test func anEntryThatWasAddedAgainStaysAlthoughTheFirstWasRemovedThere() throws {
        let ids = try here.all().map(\.id)
        _ = try here.queue.insertEntries([ids[0]], at: 0)
        try share(since: there.shared.rows())
        let base = try here.shared.rows()
        _ = try here.queue.insertEntries([ids[0], ids[1]], at: 1)
        try there.queue.clearEntries()
        try share(since: base)
        try expectEqual(queue(there), Array(queue(here).dropFirst()))
    }
}
