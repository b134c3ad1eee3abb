import CRecordingVFS
import Foundation
@testable import Library
import PodcastModel
import Testing
import TestSupport

extension PowerCutTests {
    /// Writes fail from the n-th one of a story on, or the n-th sync fails; the failed acts are repeated once there is room, or
    /// the disk is writable again. n is every fourth number, or each one if `PODCASTD_POWER_CUTS` is set.
    @Test(arguments: [WriteRefusal.full, .broken])
    func aDiskThatFailsAtAnyWriteLosesNothingAndIsOvercome(_ refusal: WriteRefusal) throws {
        let base = try TemporaryLibrary()
        do { _ = try base.open().addFeed(items: (1...5).map { item($0) }) }
        let whole = try ShortOfRoom(base)
        try whole.tell(refusing: refusal, from: 0)
        try #require(whole.refusals.isEmpty && whole.changes > 50)
        var refused = 0
        let step = Self.number("PODCASTD_POWER_CUTS", unlessSet: 0) == 0 ? 4 : 1
        let changes = stride(from: 1, through: Int(whole.changes), by: step)
        for change in changes.map(UInt64.init) {
            let story = try ShortOfRoom(base)
            try story.tell(refusing: refusal, from: change)
            expectEqual(story.seen, whole.seen, "after failing at change \(change)")
            refused += story.refusals.count
        }
        // Some writes fail without a caller that waits for them, such as those of a WAL checkpoint.
        #expect(refused > Int(whole.changes) / step / 2)
        print("disk \(refusal) at one in \(step) of \(whole.changes) writes: \(refused) acts refused, nothing lost")
    }
}

/// What a disk answers that takes no more.
enum WriteRefusal: Int32 {
    /// `SQLITE_FULL`.
    case full = 13
    /// `SQLITE_IOERR_WRITE`: the device failed, or the file system became read-only.
    case broken = 778
}

/// A listener's acts on a copy of a library, with what everybody sees after each.
private final class ShortOfRoom {
    /// What is seen of a library.
    struct Sight: Equatable {
        var episodes: [Episode]
        var queue: StoredQueue
        var notes: [String?]
    }

    private let library: TemporaryLibrary
    /// What is seen after each act.
    private(set) var seen: [Sight] = []
    /// Why acts were refused.
    private(set) var refusals: [LibraryError] = []
    /// Writes and syncs of all acts.
    private(set) var changes: UInt64 = 0

    private static let acts: [@Sendable (LibraryStore, [EpisodeID]) throws -> Void] = [
        { store, ids in _ = try store.queue.insertEntries(Array(ids[0..<3]), at: 0) },
        { store, ids in try store.episodes.setStarred(true, [ids[1]]) },
        { store, ids in try store.episodes.savePosition(MediaTime(seconds: 61), of: ids[0], at: day0, isDurable: false)
        },
        { store, ids in try store.episodes.savePosition(MediaTime(seconds: 62), of: ids[0], at: day0, isDurable: true)
        },
        { store, _ in
            let feed = try #require(try store.all().first?.feed)
            _ = try store.refreshes.merge(document((1...25).map { item($0) }), into: feed, fetched())
        },
        { store, ids in try store.episodes.setNote("there was room for this", of: ids[2]) },
        { store, ids in try store.episodes.setPlayed(true, [ids[0]], at: day0) },
        { store, _ in try store.queue.moveEntries([try #require(try store.queue.queue().entries.last?.id)], to: 0) },
        { store, _ in while try store.performMaintenance() {} },
        { store, _ in try store.queue.removeEntries([try #require(try store.queue.queue().entries.first?.id)]) },
        { store, _ in _ = try store.history.undoLast() },
        { store, _ in try store.checkpoint() },
        { store, ids in try store.episodes.setStarred(false, [ids[1]]) },
    ]

    init(_ base: TemporaryLibrary) throws { library = try base.copyFiles() }

    /// Does the acts. One that is refused must have changed nothing, also when it is tried again in vain.
    func tell(refusing refusal: WriteRefusal, from change: UInt64) throws {
        expectEqual(recording_vfs_start(library.folder.path, "/dev/null"), 0)
        defer { recording_vfs_stop() }
        // A small log is taken into the file often.
        let options = LibraryOptions(busyTimeout: .milliseconds(100), cacheKiB: 64, checkpointPages: 8)
        do {
            let store = try LibraryStore(path: library.path, options: options, clock: ClosureClock { start })
            let ids = try store.all(order: .oldestFirst).map(\.id)
            recording_vfs_refuse(change, refusal.rawValue)
            for (number, act) in Self.acts.enumerated() {
                try retrying(number, of: store) { try act(store, ids) }
                seen.append(try sight(of: store))
            }
            changes = recording_vfs_changes()
        }
        recording_vfs_refuse(0, 0)
        // The next process finds everything.
        try expectEqual(sight(of: library.open()), seen.last)
        try expectEqual(library.findings(), [], "change \(change)")
    }

    private func retrying(_ number: Int, of store: LibraryStore, _ act: () throws -> Void) throws {
        let before = try sight(of: store)
        for attempt in 1...3 {
            do {
                return try act()
            } catch let refusal as LibraryError {
                refusals.append(refusal)
                switch refusal {
                case .diskFull, .storage: break
                default: throw refusal
                }
                // Others read on meanwhile, and see nothing half-done.
                try expectEqual(sight(of: store), before, "act \(number), attempt \(attempt): \(refusal)")
            }
        }
        recording_vfs_refuse(0, 0)
        try act()
    }

    private func sight(of store: LibraryStore) throws -> Sight {
        let episodes = try store.all(order: .oldestFirst)
        let notes = try episodes.map { try store.episodes.notes(of: $0.id).summary?.words }
        return Sight(episodes: episodes, queue: try store.queue.queue(), notes: notes)
    }
}
