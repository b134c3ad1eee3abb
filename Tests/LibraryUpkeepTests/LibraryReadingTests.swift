@testable import DaemonCore
@testable import Library
import ControlLanguage
import Foundation
import Glibc
import PodcastModel
import SQLite
import SystemCalls
import TestSupport
import Testing

/// Answers while somebody else has the library's write lock: a real file, and a second connection that holds it.
@Suite(.ownThread) struct LibraryReadingTests {
    private let path: String
    private let other: Connection

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reading-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("library.db").path
        let store = try LibraryStore(path: path)
        let id = try store.episodes.looseEpisode(
            url: "https://example.test/1.mp3", title: "One", at: Timestamp(milliseconds: 0))
        try store.episodes.setNote("remember", of: id)
        other = try Connection(path: path, busyTimeout: .zero, cacheKiB: 256)
    }

    /// The library, whose edits wait for the lock for a moment only.
    private func service(readPatience: Duration = .milliseconds(500)) throws -> LibraryService {
        let options = LibraryOptions(busyTimeout: .milliseconds(1), cacheKiB: 256, checkpointPages: 1_000)
        return try LibraryService(LibraryStore(path: path, options: options), readPatience: readPatience)
    }

    /// Begins an edit and returns when it is under way on the library's thread. No thread of Swift's pool is blocked: the pool
    /// has few, and the edit needs one of them to begin.
    private func begin(
        _ library: LibraryService, _ edit: @escaping @Sendable (LibraryStore) throws -> Void
    ) async -> Task<Void, any Error> {
        var task: Task<Void, any Error>?
        await withCheckedContinuation { begun in
            task = Task {
                try await library.perform { store in
                    begun.resume()
                    try edit(store)
                }
            }
        }
        return task ?? Task {}
    }

    private func close(_ library: LibraryService) {
        library.close()
        try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    }

    @Test func whatOnlyReadsIsAnsweredWhileAnotherProcessHoldsTheWriteLock() async throws {
        let library = try service()
        try other.beginImmediate()
        try await expectEqual(library.read { try $0.episodes.resolveEpisode("One").title }, "One")
        try await expectEqual(library.read { try $0.feeds.feeds().count }, 0)
        try await expectEqual(library.read { try $0.queue.queue().entries.count }, 0)
        try await expectEqual(library.read { try $0.history.history(limit: 5).count }, 0)
        try await expectEqual(library.read { try $0.playlists.all().count }, 0)
        let found = try await library.read {
            try $0.episodes.page(EpisodeFilter(), order: .newestFirst, at: .first, limit: 5).episodes.map(\.title)
        }
        expectEqual(found, ["One"])
        close(library)
    }

    @Test func anEditThatFindsTheLockHeldFailsWithItsCause() async throws {
        let library = try service()
        let episode = try await library.read { try $0.episodes.resolveEpisode("One").id }
        try other.beginImmediate()
        let error = await #expect(throws: LibraryError.self) {
            try await library.perform { try $0.episodes.setStarred(true, [episode]) }
        }
        expectEqual(error, .busy)
        let told = ControlError(reporting: try #require(error))
        expectEqual(told.code, .unavailable)
        expectContains(told.what, "another process")
        expectEqual(told.hint?.contains("podcast-refresh"), true)
        other.rollback()
        try await library.perform { try $0.episodes.setStarred(true, [episode]) }
        close(library)
    }

    @Test func aReadDoesNotWaitForAnEditThatTakesLong() async throws {
        let library = try service()
        let mayEnd = Semaphore()
        let edit = await begin(library) { _ in mayEnd.wait() }
        try await expectEqual(library.read { try $0.episodes.resolveEpisode("One").title }, "One")
        // As other modules read.
        try await expectEqual(library.read { try $0.episodes.resolveEpisode("One").title }, "One")
        mayEnd.post()
        try await edit.value
        close(library)
    }

    @Test func aReadSeesAnEditThatWasBegunBefore() async throws {
        let library = try service(readPatience: .seconds(120))
        let episode = try await library.read { try $0.episodes.resolveEpisode("One").id }
        let mayEnd = Semaphore()
        let edit = await begin(library) { store in
            mayEnd.wait()
            try store.episodes.setStarred(true, [episode])
        }
        async let isStarred = library.read { try $0.episodes.episode(episode).state.isStarred }
        mayEnd.post()
        #expect(try await isStarred)
        try await edit.value
        close(library)
    }

    @Test func aReadSeesEveryEditThatWasAcknowledgedBefore() async throws {
        let library = try service()
        let episode = try await library.read { try $0.episodes.resolveEpisode("One").id }
        for count in 0..<50 {
            let isStarred = count % 2 == 0
            try await library.perform { try $0.episodes.setStarred(isStarred, [episode]) }
            try await expectEqual(library.read { try $0.episodes.episode(episode).state.isStarred }, isStarred)
        }
        close(library)
    }

    @Test func readingKeepsNoSnapshotThatTheLogHasToOutlive() async throws {
        let library = try service()
        let episode = try await library.read { try $0.episodes.resolveEpisode("One").id }
        try await library.perform { try $0.episodes.setStarred(true, [episode]) }
        _ = try await library.read { try $0.feeds.feeds() }
        let checkpoint = try other.statement("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try checkpoint.step())
        expectEqual(checkpoint.int(0), 0)
        checkpoint.reset()
        close(library)
    }

    @Test func aQuestionBringsAnIndexThatItNeedsUpToDateUnlessSomebodyWrites() async throws {
        let library = try service()
        _ = try await library.perform {
            try $0.episodes.looseEpisode(
                url: "https://example.test/2.mp3", title: "Two", at: Timestamp(milliseconds: 0))
        }
        try other.beginImmediate()
        await #expect(throws: LibraryError.self) {
            try await library.read { _ = try $0.episodes.resolveEpisode("https://example.test/2.mp3") }
        }
        try await expectEqual(library.read { try $0.episodes.resolveEpisode("Two").title }, "Two")
        other.rollback()
        try await expectEqual(
            library.read { try $0.episodes.resolveEpisode("https://example.test/2.mp3").title }, "Two")
        close(library)
    }
}
