import EpisodeRules
import Foundation
@testable import Library
import PodcastModel
import Queueing
import Synchronization
import TestSupport
import Testing

/// An empty library; retention is tested with the library itself.
private actor EmptyLibrary: LibraryAccess {
    private let store: LibraryStore
    private let folder: URL
    private(set) var jobs = 0

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rules-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try LibraryStore(path: folder.appending(path: "library.db").path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func perform<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        jobs += 1
        return try job(store)
    }

    func read<Result: Sendable>(_ job: @Sendable (LibraryStore) throws -> Result) throws -> Result {
        try perform(job)
    }

    func maintain() {}
}

/// Gives the outcomes that a test lists, one for each commit.
private actor ScriptedQueue: RuleQueue {
    struct Full: Error {}
    private var outcomes: [RuleOutcome?]
    private(set) var places: [EpisodeKey?] = []

    init(_ outcomes: [RuleOutcome?]) { self.outcomes = outcomes }
    var rest: Int { outcomes.count }

    private func next() throws -> RuleOutcome {
        guard !outcomes.isEmpty, let outcome = outcomes.removeFirst() else { throw Full() }
        return outcome
    }
    func applyRulesToNew(at now: Timestamp) throws -> RuleOutcome { try next() }
    func applyRulesToStored(
        of feed: FeedID?, after place: EpisodeKey?, at now: Timestamp
    ) throws -> (outcome: RuleOutcome, next: EpisodeKey?) {
        places.append(place)
        let outcome = try next()
        let key = EpisodeKey(published: Timestamp(seconds: Int64(places.count)), id: EpisodeID(1))
        return (outcome, outcome.hasMore ? key : nil)
    }
}

@Suite struct RuleApplierTests {
    private let changes = Changes()

    private final class Changes: Sendable {
        let count = Atomic(0)
    }

    private func outcome(_ judged: Int, changed: Int, hasMore: Bool) -> RuleOutcome {
        var outcome = RuleOutcome()
        outcome.judged = judged
        outcome.changed = (0..<changed).map { EpisodeID(Int64($0)) }
        outcome.hasMore = hasMore
        return outcome
    }

    private func applier(_ library: EmptyLibrary, _ queue: ScriptedQueue) -> RuleApplier {
        RuleApplier(library: library, queue: queue, now: { Timestamp(seconds: 0) }) { [changes] _ in
            changes.count.add(1, ordering: .relaxed)
        }
    }

    @Test func newEpisodesAreJudgedUntilNoneIsLeft() async throws {
        let queue = ScriptedQueue([
            outcome(5, changed: 2, hasMore: true), outcome(5, changed: 0, hasMore: true),
            outcome(1, changed: 1, hasMore: false), outcome(9, changed: 9, hasMore: false),
        ])
        let library = try EmptyLibrary()
        await applier(library, queue).settle()
        await expectEqual(queue.rest, 1)
        expectEqual(changes.count.load(ordering: .relaxed), 2)
        await expectEqual(library.jobs, 2)
    }

    @Test func aFailureEndsJudgingButNotRetention() async throws {
        let queue = ScriptedQueue([outcome(5, changed: 1, hasMore: true), nil])
        let library = try EmptyLibrary()
        await applier(library, queue).settle()
        await expectEqual(queue.rest, 0)
        await expectEqual(library.jobs, 2)
    }

    @Test func storedEpisodesAreJudgedFromPlaceToPlaceAndCounted() async throws {
        let queue = ScriptedQueue([outcome(5, changed: 2, hasMore: true), outcome(3, changed: 0, hasMore: false)])
        let result = try await applier(try EmptyLibrary(), queue).apply(to: nil)
        #expect(result == (8, 2))
        await expectEqual(queue.places.map { $0?.published }, [nil, Timestamp(seconds: 1)])
        expectEqual(changes.count.load(ordering: .relaxed), 1)
    }

    @Test func aFailureOfARequestedRunIsReported() async throws {
        let queue = ScriptedQueue([outcome(5, changed: 2, hasMore: true), nil])
        let applier = applier(try EmptyLibrary(), queue)
        await #expect(throws: ScriptedQueue.Full.self) { try await applier.apply(to: nil) }
    }
}
