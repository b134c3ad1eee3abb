@testable import SyncGateway
import CRecordingVFS
import ControlLanguage
import ControlProtocol
import Foundation
import Library
import PodcastModel
import TestSupport
import Testing

/// The library of a podcastd whose clock may be wrong.
class SyncedLibrary: ChangeLibrary {
    static let feed = "https://feeds.example/show"

    let store: LibraryStore
    private let folder: String
    /// Milliseconds by which the clock is ahead of the true time.
    let offset: Int64
    private let time: () -> Timestamp
    var account = SyncAccount()

    /// - Parameter time: the true time.
    init(_ template: String, offset seconds: Int64, time: @escaping () -> Timestamp) throws {
        folder = "/dev/shm/podcastd-sync-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: template, toPath: folder + "/library.db")
        store = try LibraryStore(path: folder + "/library.db")
        offset = seconds * 1000
        self.time = time
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A file of a library that has the feed with its episodes.
    static func template(episodes: Int) throws -> String {
        try #require(test_clock_install() == 0)
        let path = FileManager.default.temporaryDirectory.path + "/template-\(UUID().uuidString.prefix(8)).db"
        let start = Timestamp(year: 2025, month: 12, day: 1)
        test_clock_set(start.milliseconds)
        defer { test_clock_set(0) }
        let store = try LibraryStore(path: path)
        _ = try store.feeds.addFeed(url: feed, title: nil, at: start)
        try refresh(store, episodes: episodes, at: start)
        return path
    }

    /// Fetches the feed, in which each edition has other GUIDs or addresses.
    static func refresh(_ store: LibraryStore, episodes: Int, edition: Int = 0, at now: Timestamp) throws {
        var contents = FeedContents()
        contents.channel.title = "A show"
        contents.items = (1...episodes).map { number in
            var item = Item()
            item.guid = edition == 1 ? "new-\(number)" : "guid-\(number)"
            item.title = "Episode \(number)"
            item.published = Timestamp(year: 2025, month: 11, day: number)
            item.duration = MediaTime(seconds: 1800)
            let host = edition == 2 ? "media.example/shows" : "cdn.example/show"
            item.enclosures = [Enclosure(url: "https://\(host)/\(number).mp3", type: "audio/mpeg", length: 1000)]
            return item
        }
        let fetch = FetchRecord(time: now, httpStatus: 200, nextDue: now.adding(seconds: 3600))
        let id = try #require(try store.feeds.feed(url: feed)).id
        _ = try store.refreshes.merge([FetchedDocument(feed: id, contents: contents, fetch: fetch)])
    }

    var now: Timestamp { time().adding(milliseconds: offset) }

    /// Runs with the clock of this podcastd.
    func at<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        test_clock_set(now.milliseconds)
        defer { test_clock_set(0) }
        return try body()
    }

    func undoLast() throws {
        try at {
            let step = try store.history.steps(.undo, at: now).first
            if let step, step.act != .subscribed { _ = try store.history.turnLast(.undo, step: step.id, at: now) }
        }
    }

    func setPosition(_ seconds: Int, of episode: EpisodeID) throws {
        _ = try store.sync.setPosition(
            MediaTime(seconds: Double(seconds)), isPlayed: false, of: episode, device: nil, heard: nil, at: now)
    }

    func list(_ command: ListChanges) throws(SyncFailure) -> ChangePage {
        let page = at {
            try? store.changes.page(
                since: command.since, through: command.through, kinds: command.kinds.isEmpty ? nil : command.kinds,
                limit: min(3, command.limit))
        }
        guard let page else { throw SyncFailure(message: "busy") }
        return page
    }

    func apply(_ command: ApplyChanges) throws(SyncFailure) -> AppliedChanges {
        // Encode and decode, as the connection does.
        let changes = command.changes.compactMap { LibraryChange(json: $0.json) }
        let applied = at {
            try? store.changes.apply(changes, of: command.device, isFirst: command.isFirst, except: nil, at: now)
        }
        guard changes == command.changes, let applied else { throw SyncFailure(message: "busy") }
        return AppliedChanges {
            $0.changed = applied.changed
            $0.unchanged = applied.unchanged
            $0.refused = applied.refused
            $0.before = applied.before
            $0.revision = applied.revision
        }
    }
}
