@testable import DaemonCore
import Foundation
import Glibc
import Library
import PodcastModel
import Reporting
import SystemCalls
import TestSupport
import Testing

/// kill -9 at random moments of an accelerated evening: playing, seeking, switching, editing the queue, with a refresh that
/// writes through a separate connection.
///
/// `PODCASTD_HURRIED_KILLS` sets the number of moments, `PODCASTD_SEED` other ones; `scripts/soak hurry 1000` runs them.
@Suite(.ownThread, .timeLimit(.minutes(60)))
struct HurriedKillTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hurried-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private var library: String { folder + "/library.db" }

    @Test func whatWasAcknowledgedIsThereAndThePositionIsASecondBehindAtMost() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try fill()
        var worst = MediaTime.zero
        let moments = number("PODCASTD_HURRIED_KILLS", unlessSet: 10)
        let seed = UInt64(number("PODCASTD_SEED", unlessSet: 1))
        for moment in 1...moments {
            await listenUntilKilled(seed: seed &* 1_000_003 &+ UInt64(moment))
            worst = max(worst, try look(after: moment))
        }
        print("\(moments) hurried kills: position at worst \(worst.milliseconds) ms behind")
    }

    /// A feed of six episodes, four of them queued.
    private func fill() throws {
        let store = try LibraryStore(path: library)
        let feed = try store.feeds.addFeed(url: "https://feeds.example/show", title: nil, at: Refreshing.time)
        _ = try store.refreshes.merge([Refreshing.document(round: 0, of: feed)])
        let page = try store.episodes.page(EpisodeFilter(feed: feed), order: .oldestFirst, at: .first, limit: 10)
        _ = try store.queue.insertEntries(page.episodes.prefix(4).map(\.id), at: 0)
    }

    private func listenUntilKilled(seed: UInt64) async {
        let (library, journal) = (library, folder + "/journal")
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [library = library as String, journal = journal as String, seed = seed as UInt64] in
            var numbers = SeededNumbers(state: seed)
            let refresher = Refreshing(library: library, round: Int(seed % 1000))
            let delay = UInt32.random(in: 1_000..<60_000, using: &numbers)
            var listener = try await HurriedListener(
                library: library, journal: AcknowledgementJournal(path: journal), numbers: numbers)
            let threads = [
                try DedicatedThread(name: .test) { refresher.run() },
                // Not a wait for an event: the kill comes at a random moment.
                try DedicatedThread(name: .test) {
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                },
            ]
            try await listener.run()
            for thread in threads { thread.join() }
        }
    }

    /// - Returns: how far the saved position is behind what was heard.
    private func look(after moment: Int) throws -> MediaTime {
        for result in try LibraryChecker(path: library, isRepairing: false, now: Refreshing.time).run() {
            expectEqual(result.severity, .ok, "moment \(moment): \(result)")
        }
        let known: Set = [
            "library.db", "library.db-wal", "library.db-shm", "library.db-turn", "library.db-attempt", "journal",
        ]
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(files).isSubset(of: known), "moment \(moment): \(files)")

        let expected = try AcknowledgementJournal.expectation(in: folder + "/journal")
        let store = try LibraryStore(path: library)
        let queue = try store.queue.queue().entries.map(\.id.rawValue)
        let isLonger = expected.mayBeLonger && expected.queues.first.map { queue.dropLast() == $0[...] } == true
        #expect(
            expected.queues.isEmpty || expected.queues.contains(queue) || isLonger,
            "moment \(moment): \(queue), \(expected.queues)")
        var worst = MediaTime.zero
        for (episode, ranges) in expected.positions {
            let saved = try store.episodes.episode(episode).state.position
            let words = ranges.map { [$0.lowerBound.milliseconds, $0.upperBound.milliseconds] }
            let isExpected = ranges.contains { range in
                saved >= range.lowerBound - MediaTime(milliseconds: 1) && saved <= range.upperBound
            }
            #expect(isExpected, "moment \(moment): episode \(episode) at \(saved.milliseconds) ms, not in \(words)")
            if ranges.count == 1 { worst = max(worst, ranges[0].upperBound - saved) }
        }
        return worst
    }

    private func number(_ name: String, unlessSet value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
    }
}

/// What podcast-refresh does to the library meanwhile: a feed that has changed each time.
struct Refreshing {
    static let time = Timestamp(year: 2026, month: 1, day: 1)
    static let fetch = FetchRecord(time: time, httpStatus: 200, nextDue: time.adding(seconds: 3600))

    let library: String
    let round: Int

    /// Merges until the process ends.
    func run() {
        guard let store = try? LibraryStore(path: library, options: .refresher),
            let feed = try? store.feeds.feed(url: "https://feeds.example/show")
        else { return }
        for round in round... { _ = try? store.refreshes.merge([Self.document(round: round, of: feed.id)]) }
    }

    /// Six episodes whose notes tell the round.
    static func document(round: Int, of feed: FeedID) -> FetchedDocument {
        var contents = FeedContents()
        contents.channel.title = "A show"
        contents.items = (1...6).map { number in
            var item = Item()
            item.guid = "guid-\(number)"
            item.title = "Episode \(number)"
            item.published = time.adding(seconds: Int64(number) * 86_400)
            item.summary = "Round \(round)"
            item.enclosures = [
                Enclosure(url: "https://cdn.example/show/\(number).mp3", type: "audio/mpeg", length: 1000)
            ]
            return item
        }
        return FetchedDocument(feed: feed, contents: contents, fetch: fetch)
    }
}
