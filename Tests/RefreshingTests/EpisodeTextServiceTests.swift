import Foundation
import Library
import PodcastModel
@testable import DaemonCore
import SerialThreads
import Synchronization
import Testing
import TestSupport

@Suite(.ownThread) struct EpisodeTextServiceTests {
    /// A library with one episode, whose chapters a document has if they are due.
    private actor Library: LibraryAccess {
        private let store: LibraryStore
        private let folder: URL
        private(set) var maintenances = 0
        private var questions = 0
        private var waiting: (questions: Int, continuation: CheckedContinuation<Void, Never>)?

        init(isDue: Bool) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            store = try LibraryStore(path: folder.appending(path: "library.db").path)
            let feed = try store.feeds.addFeed(url: "http://host/feed", title: "Feed", at: Timestamp(seconds: 0))
            var item = Item()
            (item.guid, item.title) = ("1", "One")
            item.enclosures = [Enclosure(url: "http://host/1.mp3")]
            if isDue { item.chaptersURL = "http://host/1.json" }
            var contents = FeedContents()
            contents.items = [item]
            let fetch = FetchRecord(time: Timestamp(seconds: 0), httpStatus: 200, nextDue: Timestamp(seconds: 3600))
            _ = try store.refreshes.merge([FetchedDocument(feed: feed, contents: contents, fetch: fetch)])
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func perform<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
            try job(store)
        }
        func read<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
            questions += 1
            if let waiting, questions == waiting.questions { waiting.continuation.resume() }
            return try job(store)
        }
        func maintain() { maintenances += 1 }
        func wait(forQuestions count: Int) async {
            if questions < count { await withCheckedContinuation { waiting = (count, $0) } }
        }
    }

    /// Counts runs; the first waits until the test lets it end, if it is held.
    private actor Fetcher {
        private(set) var runs = 0
        private(set) var isReleased = false
        private var held: CheckedContinuation<Void, Never>?
        private var started: CheckedContinuation<Void, Never>?
        private let isHeld: Bool
        init(isHeld: Bool = false) { self.isHeld = isHeld }
        func fetchTexts(of episode: EpisodeID) async -> String? {
            runs += 1
            started.take()?.resume()
            if isHeld, runs == 1 { await withCheckedContinuation { held = $0 } }
            return "no route"
        }
        func waitForStart() async { if runs == 0 { await withCheckedContinuation { started = $0 } } }
        func release() {
            isReleased = true
            held.take()?.resume()
        }
    }

    private let episode = EpisodeID(1)

    private func service(_ library: Library, _ fetcher: Fetcher) throws -> EpisodeTextService {
        EpisodeTextService(
            decisions: try DecisionThread(), library: library, now: { Timestamp(seconds: 1_000) },
            run: { await fetcher.fetchTexts(of: $0) }, episodesChanged: { _ in })
    }

    @Test func nothingRunsIfNothingIsDue() async throws {
        let fetcher = Fetcher()
        try await expectEqual(service(try Library(isDue: false), fetcher).fetch(episode), nil)
        await expectEqual(fetcher.runs, 0)
    }

    @Test func whatIsDueIsFetchedAnnouncedAndIndexed() async throws {
        let (library, fetcher) = (try Library(isDue: true), Fetcher())
        let service = try service(library, fetcher)
        let announced = Atomic<Int64>(0)
        service.chapters.connect { announced.store($0.episode.rawValue, ordering: .relaxed) }
        try await expectEqual(service.fetch(episode), "no route")
        expectEqual(announced.load(ordering: .relaxed), 1)
        await expectEqual(library.maintenances, 1)
    }

    @Test func laterRequestsWaitForTheRunOfTheFirst() async throws {
        let (library, fetcher) = (try Library(isDue: true), Fetcher(isHeld: true))
        let service = try service(library, fetcher)
        async let first = service.fetch(episode)
        await fetcher.waitForStart()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 1...20 {
                group.addTask {
                    _ = try await service.fetch(self.episode)
                    return await fetcher.isReleased
                }
            }
            await library.wait(forQuestions: 21)
            await fetcher.release()
            for try await wasReleased in group { #expect(wasReleased) }
        }
        try await expectEqual(first, "no route")
    }
}
