@testable import DaemonCore
@testable import EpisodeCache
import Foundation
import Library
import MediaPorts
import PodcastModel
import Reporting
import SerialThreads
import Synchronization

/// A library in a temporary folder, with a feed of two episodes, whose requests a test sets.
actor FakeLibrary: LibraryAccess {
    private let store: LibraryStore
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "downloads-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LibraryStore(path: folder.appending(path: "library.db").path)
        for number in 1...2 as ClosedRange<Int64> {
            _ = try store.episodes.looseEpisode(
                url: Self.url(EpisodeID(number)), title: "Episode \(number)", link: nil, length: nil,
                at: Timestamp(seconds: 0))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func url(_ episode: EpisodeID) -> String { "http://host/\(episode)" }

    nonisolated var access: MediaAccess {
        MediaAccess(logins: LoginFile(folder: folder.path, credentials: nil))
    }

    func perform<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try job(store)
    }

    func read<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try perform(job)
    }

    func maintain() {}

    /// Replaces the requests.
    func request(_ episodes: [EpisodeID]) throws {
        try store.downloads.deleteDownloads(of: store.downloads.requestedDownloads(limit: 10))
        try store.downloads.requestDownloads(of: episodes, at: Timestamp(seconds: 0))
    }

    func keep(_ episodes: [EpisodeID]) throws {
        try request(episodes)
        for episode in episodes { _ = try store.downloads.downloadIsComplete(episode, url: Self.url(episode)) }
    }

    func downloads() throws -> [EpisodeID] { try store.downloads.downloadedURLs().keys.sorted() }
}

/// A source whose bytes a test delivers.
final class FakeSource: ByteSource {
    private struct State {
        var snapshot = ByteSourceSnapshot()
        var handler: (@Sendable (ByteSourceSnapshot) -> Void)?
        var isSuspended = false
    }

    let url: String
    private let state = Mutex(State())
    private let journal: Journal

    init(_ url: String, _ journal: Journal) {
        self.url = url
        self.journal = journal
    }

    var descriptor: Int32 { -1 }
    var snapshot: ByteSourceSnapshot { state.withLock { $0.snapshot } }
    func want(from offset: Int64) { journal.add("want \(url) from \(offset)") }
    func observe(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void) {
        state.withLock { $0.handler = handler }
    }
    func suspend() { journal.add("suspend \(url)") }
    func close() { journal.add("close \(url)") }

    func deliver(_ snapshot: ByteSourceSnapshot) {
        let handler = state.withLock { state in
            state.snapshot = snapshot
            return state.handler
        }
        handler?(snapshot)
    }

    func deliverAll() { deliver(ByteSourceSnapshot(length: 100, available: [0..<100], phase: .complete)) }
    func fail() { deliver(ByteSourceSnapshot(phase: .failed(MediaFailure(.network, "no route")))) }
}

/// A cache of fake sources.
final class FakeCache: DownloadCache {
    private let journal: Journal
    private let sources = Mutex<[String: FakeSource]>([:])
    private let pinned = Mutex<[PinnedFile]>([])

    init(_ journal: Journal) { self.journal = journal }

    let sizeLimit: Int64 = 1 << 30
    func usage() -> Int64 { 0 }
    func openForPrefetch(_ url: String) throws(MediaFailure) -> any ByteSource {
        let source = FakeSource(url, journal)
        sources.withLock { $0[url] = source }
        journal.add("open \(url)")
        return source
    }
    func source(_ episode: EpisodeID) -> FakeSource? { sources.withLock { $0[FakeLibrary.url(episode)] } }
    func setPinned(_ isPinned: Bool, url: String) { journal.add("\(isPinned ? "pin" : "unpin") \(url)") }
    func keptFiles() -> [PinnedFile] {
        let fetched = sources.withLock { $0 }.map { url, source in
            PinnedFile(url: url, size: 0, isWhole: source.snapshot.phase == .complete)
        }
        return pinned.withLock { $0 } + fetched
    }
    func wholeFiles() -> [String: String] { [:] }
    func wholeFile(url: String) -> String? { nil }
    func add(_ file: PinnedFile) { pinned.withLock { $0.append(file) } }
    func move(_ url: String, to other: String) -> Bool { false }
    func remove(url: String) { journal.add("remove \(url)") }
    func whenSaved(_ action: @escaping @Sendable () -> Void) { action() }
}

/// What happened, in order; a test waits until something did.
final class Journal: Sendable {
    private struct State {
        var lines: [String] = []
        var waiting: [(line: String, times: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func hasHappened(_ line: String, _ times: Int) -> Bool { lines.count { $0 == line } >= times }
    }
    private let state = Mutex(State())

    var lines: [String] { state.withLock { $0.lines } }

    func add(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let ready = state.waiting.filter { state.hasHappened($0.line, $0.times) }
            state.waiting = state.waiting.filter { !state.hasHappened($0.line, $0.times) }
            return ready
        }
        for waiting in ready { waiting.continuation.resume() }
    }

    func wait(for line: String, times: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.hasHappened(line, times) { return true }
                state.waiting.append((line, times, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// A clock that stands still; a test calls its timers.
final class FakeClock: TimerClock {
    private struct Timer: ScheduledTimer {
        func cancel() {}
    }
    private let time = Mutex(Instant(nanoseconds: 0))
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    var now: Instant { time.withLock { $0 } }
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        self.action.withLock { $0 = action }
        journal.add("timer in \(delay.components.seconds) s")
        return Timer()
    }
    func advance(seconds: Int64) {
        time.withLock { $0 = $0 + .seconds(seconds) }
        action.withLock { $0.take() }?()
    }
}
