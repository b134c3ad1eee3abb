@testable import DaemonCore
@testable import EpisodeCache
import Library
import MediaPorts
import PodcastModel
import Reporting
import SerialThreads
import Synchronization
import TestSupport
import Testing

// The manager with fake ports: what it opens, pins, suspends and records, in order.
@Suite(.ownThread) struct DownloadManagerTests {
    private let one = EpisodeID(1)
    private let two = EpisodeID(2)
    private let journal = Journal()
    private let library: FakeLibrary
    private let cache: FakeCache
    private let clock: FakeClock
    private let demand = LateBound<PlayerDemand>()
    private let activities = ActivityBoard { Timestamp(seconds: 0) }
    private let manager: DownloadManager

    init() throws {
        (library, cache, clock) = (try FakeLibrary(), FakeCache(journal), FakeClock(journal))
        manager = try DownloadManager(
            DownloadManager.Ports(
                library: library, access: library.access,
                renewAddress: { [journal] in journal.add("renew \($0)") },
                cache: cache, freeBytes: { nil }, decisions: DecisionThread(),
                activities: activities,
                logger: Logger(levels: LogLevels(.error), to: .ofProcess(identifier: "test", variable: { _ in nil })),
                now: { Timestamp(seconds: 77) },
                demand: { [demand] in demand.value ?? PlayerDemand() },
                episodesChanged: { [journal] _ in journal.add("episodes changed") }, clock: clock))
    }

    @Test func aRequestIsPinnedFetchedAndRecorded() async throws {
        try await library.request([one])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        expectEqual(activities.snapshot.map(\.subject), ["Episode 1"])
        await expectEqual(manager.description(of: one), "under way")
        try #require(cache.source(one)).deliverAll()
        await journal.wait(for: "episodes changed")
        expectEqual(
            journal.lines,
            [
                "open http://host/1", "pin http://host/1", "want http://host/1 from 0", "close http://host/1",
                "episodes changed",
            ])
        try await expectEqual(library.downloads(), [one])
        #expect(activities.snapshot.isEmpty)
        manager.close()
    }

    @Test func oneEpisodeIsFetchedAtATime() async throws {
        try await library.request([one, two])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        await expectEqual(manager.description(of: two), "queued")
        #expect(cache.source(two) == nil)
        try #require(cache.source(one)).deliverAll()
        await journal.wait(for: "want http://host/2 from 0")
        manager.close()
    }

    @Test func aFailedDownloadIsRetriedWhenItsTimerIsDue() async throws {
        try await library.request([one])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        try #require(cache.source(one)).fail()
        await journal.wait(for: "timer in 60 s")
        #expect(await manager.description(of: one).hasSuffix("no route"))
        clock.advance(seconds: 60)
        await journal.wait(for: "want http://host/1 from 0", times: 2)
        manager.close()
    }

    @Test func aDownloadWithoutANewAddressFailsAfterTheRefresh() async throws {
        try await library.request([one])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        try #require(cache.source(one)).deliver(
            ByteSourceSnapshot(phase: .failed(MediaFailure(.notFound, "not found"))))
        await journal.wait(for: "episodes changed", times: 2)
        #expect(await manager.description(of: one).hasSuffix("not found"))
        expectEqual(journal.lines.filter { $0.hasPrefix("renew") }, ["renew 1"])
        manager.close()
    }

    @Test func aSilentHostIsTriedOnceWhileOthersWait() async throws {
        try await library.request([one])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        let retry = ByteSourcePhase.waitingToRetry(attempt: 1, delay: 0.5, reason: "no answer")
        clock.advance(seconds: 10)
        try #require(cache.source(one)).deliver(ByteSourceSnapshot(phase: retry))
        await journal.wait(for: "want http://host/1 from 0", times: 2)
        try await library.request([one, two])
        manager.poll()
        await journal.wait(for: "want http://host/2 from 0")
        #expect(await manager.description(of: one).hasSuffix("no answer"))
        manager.close()
    }

    @Test func aDownloadPausesWhileThePlayerWaitsForBytes() async throws {
        try await library.request([one])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        let waiting = PlayerDemand(episode: two, isWaiting: true)
        demand.value = waiting
        manager.playerChanged(waiting)
        await journal.wait(for: "suspend http://host/1")
        let playing = PlayerDemand(episode: two)
        demand.value = playing
        manager.playerChanged(playing)
        await journal.wait(for: "want http://host/1 from 0", times: 2)
        manager.close()
    }

    @Test func theCurrentEpisodeIsLeftToThePlayer() async throws {
        try await library.request([one])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        demand.value = PlayerDemand(episode: one)
        manager.playerChanged(PlayerDemand(episode: one))
        await journal.wait(for: "close http://host/1")
        manager.close()
    }

    @Test func removingAnEpisodeEndsItsDownload() async throws {
        try await library.request([one])
        manager.poll()
        await journal.wait(for: "want http://host/1 from 0")
        try await library.request([])
        try await manager.remove([episode(one)])
        expectEqual(journal.lines.suffix(2), ["close http://host/1", "remove http://host/1"])
        manager.close()
    }

    @Test func aDownloadWithoutAFileIsRequestedAgain() async throws {
        try await library.keep([one, two])
        cache.add(PinnedFile(url: FakeLibrary.url(two), size: 5, isWhole: true))
        cache.add(PinnedFile(url: "http://host/stray", size: 5, isWhole: true))
        manager.poll()
        await journal.wait(for: "episodes changed")
        try await expectEqual(library.downloads(), [two])
        try await expectEqual(library.read { try $0.downloads.requestedDownloads(limit: 9) }, [one])
        expectEqual(journal.lines.prefix(2), ["unpin http://host/stray", "episodes changed"])
        manager.close()
    }

    private func episode(_ id: EpisodeID) -> Episode {
        Episode(
            id: id, feed: FeedID(1), feedTitle: "Feed", title: "Episode \(id)",
            enclosure: Enclosure(url: FakeLibrary.url(id)), published: Timestamp(seconds: 0))
    }
}
