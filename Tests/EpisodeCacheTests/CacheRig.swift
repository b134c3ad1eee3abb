import Foundation
import HTTP
import LoopbackServer
import MachineSupport
import MediaPorts
import PodcastModel
import SystemCalls
import Testing

@testable import EpisodeCache

/// A folder, a server, a fetching thread and a clock for one test.
final class CacheRig {
    let server: LoopbackServer
    let folder: String
    let http = HTTPThread()
    let clock = ManualClock()
    var settings = EpisodeCache.Settings()
    var sizeLimit: Int64 = 1 << 40
    private var caches: [EpisodeCache] = []

    init() throws {
        server = try LoopbackServer()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-" + UUID().uuidString).path
        settings.plan.retry.random = { 1 }
        settings.plan.nearby = 20_000
        // A server that is slow because the machine is busy has no fault.
        settings.connectTimeout = .seconds(60)
        settings.answerTimeout = .seconds(60)
        settings.stallTimeout = .seconds(60)
    }

    deinit {
        for cache in caches { cache.finish() }
        http.stop()
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A cache on the folder; a second one stands for the same program after a restart.
    func makeCache() throws -> EpisodeCache {
        for cache in caches { cache.finish() }
        let cache = try EpisodeCache(
            directory: folder, http: http, sizeLimit: sizeLimit, settings: settings, clock: clock)
        caches.append(cache)
        return cache
    }

    func open(_ url: String, from offset: Int64? = nil) throws -> Listener {
        Listener(try makeCache().open(url), from: offset)
    }

    /// Does something while the fetching thread is busy, and waits until that has done what it was asked for meanwhile.
    func whileFetchingStands(_ act: () throws -> Void) rethrows {
        let (stands, goOn, isDone) = (Semaphore(), Semaphore(), Semaphore())
        http.perform {
            stands.post()
            goOn.wait()
        }
        stands.wait()
        defer {
            http.perform { isDone.post() }
            goOn.post()
            isDone.wait()
        }
        try act()
    }

    /// Leaves what a program leaves that fetched these bytes of an episode, or all, and ended well.
    func fetchBeforeARestart(_ url: String, _ range: Range<Int64>? = nil) throws {
        let cache = try makeCache()
        let listener = Listener(try cache.open(url), from: 0)
        #expect(range.map(listener.waitsForBytes) ?? listener.waitsForCompletion())
        listener.source.close()
        cache.finish()
    }

    /// The names of the files in the cache's folder, sorted.
    func files(_ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }.sorted()
    }
}

/// A source with somebody who waits for what it tells.
final class Listener {
    let source: any ByteSource
    private let told: Monitor<[ByteSourceSnapshot]>

    /// - Parameter offset: where the first wanted byte is, if any is wanted yet.
    init(_ source: any ByteSource, from offset: Int64? = nil) {
        self.source = source
        let told = Monitor<[ByteSourceSnapshot]>([])
        self.told = told
        source.observe { snapshot in told.update { $0.append(snapshot) } }
        if let offset { source.want(from: offset) }
    }

    deinit { source.close() }

    /// All reported phases, without repetitions.
    var phases: [ByteSourcePhase] {
        told.read { told in
            told.reduce(into: []) { if $0.last != $1.phase { $0.append($1.phase) } }
        }
    }

    /// Waits until the source has told something like this; what it tells is all this looks at.
    func waits(for isWanted: @escaping (ByteSourceSnapshot) -> Bool) -> Bool {
        if isWanted(source.snapshot) { return true }
        return told.wait(until: .now + .seconds(60)) { $0.contains(where: isWanted) }
    }

    func waitsForBytes(_ range: Range<Int64>) -> Bool {
        waits { $0.end(ofAvailableFrom: range.lowerBound) >= range.upperBound }
    }

    func waitsForCompletion() -> Bool { waits { $0.phase == .complete } }

    /// Waits for the end without success.
    func failure() -> MediaFailure? {
        _ = waits { $0.failure != nil }
        return source.snapshot.failure
    }

    /// The available bytes from the beginning, read like a decoder does.
    func bytes() throws -> [UInt8] {
        try StoredFile.read(source.descriptor, at: 0, count: Int(source.snapshot.end(ofAvailableFrom: 0)))
    }
}

extension ByteSourceSnapshot {
    var failure: MediaFailure? {
        guard case .failed(let failure) = phase else { return nil }
        return failure
    }

    var isWaitingToRetry: Bool {
        guard case .waitingToRetry = phase else { return false }
        return true
    }
}

/// A clock that stands still until a test moves it.
final class ManualClock: TimerClock {
    private struct Timer: ScheduledTimer {
        func cancel() {}
    }
    private struct State {
        var now = Instant(nanoseconds: 1_000_000_000_000)
        var timers: [(instant: Instant, step: @Sendable () -> Void)] = []
    }

    private let state = Monitor(State())

    var now: Instant { state.read { $0.now } }

    func schedule(after delay: Duration, _ step: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        state.update { $0.timers.append(($0.now + delay, step)) }
        return Timer()
    }

    /// Waits for a timer first, because a source shows that it waits shortly before it schedules the timer.
    func advance(seconds: Double) {
        #expect(state.wait(until: .now + .seconds(60)) { !$0.timers.isEmpty })
        let due = state.update { state in
            state.now = state.now + .seconds(seconds)
            let now = state.now
            let due = state.timers.filter { $0.instant <= now }
            state.timers.removeAll { $0.instant <= now }
            return due
        }
        for timer in due { timer.step() }
    }
}

/// Bytes of which one too many, too few or at a wrong place shows; made of blocks of a prime length to be made fast.
func pattern(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + patternBlock.count)
    while bytes.count < count { bytes += patternBlock }
    bytes.removeLast(bytes.count - count)
    return bytes
}

private let patternBlock = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
