@testable import DaemonCore
import ControlLanguage
import ControlProtocol
import Library
import PodcastModel
import TestSupport
import Testing

@Suite struct DownloadCommandTests {
    private func withDaemon(_ test: (TestDaemon, [EpisodeID]) async throws -> Void) async throws {
        try await TestDaemon.run { try await test($0, try await $0.addEpisodes("Alpha-Beta", "Gamma", "Delta")) }
    }

    private func download(_ daemon: TestDaemon, _ what: [String], limit: Int = 10) async throws -> DownloadsReply {
        try await daemon.parts.download(DownloadEpisodes { ($0.what, $0.limit) = (what, limit) })
    }

    private func delete(_ daemon: TestDaemon, _ what: String) async throws -> EpisodesMarkedReply {
        try await daemon.parts.deleteDownloads(DeleteDownloads { $0.what = [what] })
    }

    private func requests(_ daemon: TestDaemon) async throws -> [EpisodeID] {
        try await daemon.parts.library.perform { try $0.downloads.requestedDownloads(limit: 10) }
    }

    @Test func aDownloadIsRequestedOnceHoweverOftenItIsNamed() async throws {
        try await withDaemon { daemon, episodes in
            let reply = try await download(daemon, ["Gamma", "Gamma"])
            expectEqual(reply.episodes.map(\.episode.id), [episodes[1]])
            #expect(reply.count == 1 && reply.present == 0 && !reply.hasMore)
            try await expectEqual(requests(daemon), [episodes[1]])
        }
    }

    @Test func aViewIsRequestedUpToItsLimit() async throws {
        try await withDaemon { daemon, _ in
            let reply = try await download(daemon, ["filter:is:unplayed"], limit: 2)
            #expect(reply.episodes.count == 2 && reply.hasMore)
            let newest = try await download(daemon, ["Feed"], limit: 2)
            expectEqual(newest.episodes.map(\.episode.title), ["Delta", "Gamma"])
            #expect(newest.hasMore)
        }
    }

    @Test func aFileOfThisMachineIsNotRequested() async throws {
        try await withDaemon { daemon, episodes in
            let file = try await daemon.parts.library.perform {
                try $0.episodes.looseEpisode(url: "file:///talk.mp3", title: "Talk", at: Timestamp(seconds: 0)).label
            }
            await #expect(throws: ControlError.self) { _ = try await download(daemon, [file]) }
            try await expectEqual(download(daemon, [file, "Gamma"]).episodes.map(\.episode.id), [episodes[1]])
            try await expectEqual(requests(daemon), [episodes[1]])
        }
    }

    @Test func deletingAViewAffectsDownloadedAndRequestedEpisodesOnly() async throws {
        try await withDaemon { daemon, episodes in
            try await daemon.parts.library.perform { store in
                try store.downloads.requestDownloads(of: [episodes[0], episodes[1]], at: Timestamp(seconds: 0))
                _ = try store.downloads.downloadIsComplete(episodes[0], url: daemon.url(of: "Alpha Beta"))
            }
            let reply = try await delete(daemon, "filter:is:unplayed")
            expectEqual(Set(reply.episodes), [episodes[0], episodes[1]])
            expectEqual(reply.cancelled, 1)
            try await expectEqual(requests(daemon), [])
        }
    }

    @Test func deletingAPartOfATitleIsRefusedAndOfWhatIsNotDownloadedDoesNothing() async throws {
        try await withDaemon { daemon, episodes in
            await #expect(throws: LibraryError.self) { try await delete(daemon, "beta") }
            for word in ["alpha-beta", episodes[0].label] {
                try await expectEqual(delete(daemon, word).episodes, [])
            }
        }
    }
}
