import PodcastModel
import Refreshing
import SerialThreads
import Synchronization
import Testing
import TestSupport

@Suite(.ownThread) struct EpisodeTextServiceTests {
    private actor Library: EpisodeTextLibrary {
        private let isDue: Bool
        private(set) var maintenances = 0
        private var questions = 0
        private var waiting: (questions: Int, continuation: CheckedContinuation<Void, Never>)?
        init(isDue: Bool) { self.isDue = isDue }
        func isTextDue(of episode: EpisodeID) -> Bool {
            questions += 1
            if let waiting, questions == waiting.questions { waiting.continuation.resume() }
            return isDue
        }
        func wait(forQuestions count: Int) async {
            if questions < count { await withCheckedContinuation { waiting = (count, $0) } }
        }
        func chapters(of episode: EpisodeID) -> [Chapter] { [] }
        func maintain() { maintenances += 1 }
    }

    /// Counts runs; the first waits until the test lets it end, if it is held.
    private actor Fetcher: EpisodeTextFetching {
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
        EpisodeTextService(decisions: try DecisionThread(), library: library, fetcher: fetcher) { _ in }
    }

    @Test func nothingRunsIfNothingIsDue() async throws {
        let fetcher = Fetcher()
        try await expectEqual(service(Library(isDue: false), fetcher).fetch(episode), nil)
        await expectEqual(fetcher.runs, 0)
    }

    @Test func whatIsDueIsFetchedAnnouncedAndIndexed() async throws {
        let (library, fetcher) = (Library(isDue: true), Fetcher())
        let service = try service(library, fetcher)
        let announced = Atomic<Int64>(0)
        service.chapters.connect { announced.store($0.episode.rawValue, ordering: .relaxed) }
        try await expectEqual(service.fetch(episode), "no route")
        expectEqual(announced.load(ordering: .relaxed), 1)
        await expectEqual(library.maintenances, 1)
    }

    @Test func laterRequestsWaitForTheRunOfTheFirst() async throws {
        let (library, fetcher) = (Library(isDue: true), Fetcher(isHeld: true))
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
