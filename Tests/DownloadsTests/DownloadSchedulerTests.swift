import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import DaemonCore

struct DownloadSchedulerTests {
    private func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }
    private let one = EpisodeID(1)
    private let two = EpisodeID(2)
    private let minute: Int64 = 60_000_000_000
    private let quiet = PlayerDemand()
    private let lost = MediaFailure(.network, "the network is gone")

    private func scheduler(_ requests: [EpisodeID]) -> DownloadScheduler {
        var scheduler = DownloadScheduler()
        _ = scheduler.use(requests)
        return scheduler
    }

    @Test func withoutARequestNothingHappens() {
        expectEqual(scheduler([]).step(now: at(0), quiet), .rest)
    }

    @Test func theOldestRequestComesFirst() {
        expectEqual(scheduler([two, one]).step(now: at(0), quiet), .fetch(two))
    }

    @Test func aFailedDownloadLetsOthersContinueAndWaitsTwiceAsLongEachTime() {
        var scheduler = scheduler([one, two])
        scheduler.failed(one, lost, now: at(0))
        expectEqual(scheduler.step(now: at(0), quiet), .fetch(two))
        scheduler.failed(two, lost, now: at(10))
        expectEqual(scheduler.step(now: at(20), quiet), .wait(until: at(minute)))
        expectEqual(scheduler.step(now: at(minute), quiet), .fetch(one))
        scheduler.failed(one, lost, now: at(minute))
        _ = scheduler.use([one])
        expectEqual(scheduler.step(now: at(minute), quiet), .wait(until: at(3 * minute)))
        for _ in 1...20 { scheduler.failed(one, lost, now: at(0)) }
        expectEqual(scheduler.step(now: at(0), quiet), .wait(until: at(1440 * minute)))
    }

    @Test func whatWasNeverTriedComesBeforeRetriesThatAreDue() {
        var scheduler = scheduler([one, two])
        scheduler.failed(one, lost, now: at(0))
        expectEqual(scheduler.step(now: at(minute), quiet), .fetch(two))
        scheduler.failed(two, lost, now: at(10))
        expectEqual(scheduler.step(now: at(2 * minute), quiet), .fetch(one))
        scheduler.failed(one, lost, now: at(2 * minute))
        expectEqual(scheduler.step(now: at(10 * minute), quiet), .fetch(two))
    }

    @Test func aServerIsAskedAgainAfterThePauseThatItWants() {
        var scheduler = scheduler([one])
        scheduler.failed(one, lost, retryAfter: .seconds(120), now: at(0))
        expectEqual(scheduler.step(now: at(minute), quiet), .wait(until: at(2 * minute)))
        scheduler.failed(one, lost, retryAfter: .seconds(1), now: at(0))
        expectEqual(scheduler.step(now: at(0), quiet), .wait(until: at(2 * minute)))
    }

    @Test func aHostThatRefusesIsAskedAgainAfterHours() {
        var scheduler = scheduler([one])
        scheduler.failed(one, MediaFailure(.notFound, "no such file"), now: at(0))
        expectEqual(scheduler.step(now: at(0), quiet), .wait(until: at(360 * minute)))
        // Its feed is refreshed first.
        expectEqual(scheduler.failures(now: at(0))[one], .underWay(progress: nil))
        scheduler.renewalEnded(of: one)
        expectEqual(
            scheduler.failures(now: at(0))[one], .failed(reason: "no such file", retryAfter: .seconds(21_600)))
        scheduler.clearFailures(of: [one])
        expectEqual(scheduler.step(now: at(0), quiet), .fetch(one))
    }

    @Test func aDownloadThatIsUselessToTryAgainWaitsForTheUser() {
        var scheduler = scheduler([one])
        scheduler.failed(one, MediaFailure(.notAudio, "a stream"), retryAfter: nil, now: at(0))
        expectEqual(scheduler.step(now: at(10_000 * minute), quiet), .rest)
        #expect(!scheduler.isAnotherDue(besides: two, now: at(10_000 * minute), quiet))
        expectEqual(scheduler.failures(now: at(0))[one], .failed(reason: "a stream", retryAfter: nil))
        scheduler.clearFailures(of: [one])
        expectEqual(scheduler.step(now: at(0), quiet), .fetch(one))
    }

    @Test func aNewAddressOfAFailedEpisodeIsTriedAtOnce() {
        func episode(at url: String) -> Episode {
            Episode(
                id: one, feed: FeedID(1), feedTitle: "Feed", title: "Episode", enclosure: Enclosure(url: url),
                published: Timestamp(seconds: 0))
        }
        var scheduler = scheduler([one])
        scheduler.failed(one, MediaFailure(.forbidden, "expired"), url: "http://a/?t=1", now: at(0))
        let isSame = !scheduler.retryMoved([episode(at: "http://a/?t=1")])
        expectEqual(scheduler.step(now: at(0), quiet), .wait(until: at(360 * minute)))
        let hasMoved = scheduler.retryMoved([episode(at: "http://a/?t=2")])
        #expect(isSame && hasMoved)
        expectEqual(scheduler.step(now: at(0), quiet), .fetch(one))
    }

    @Test func downloadsGiveWayToThePlayer() {
        let scheduler = scheduler([one, two])
        expectEqual(scheduler.step(now: at(0), .init(episode: one)), .fetch(two))
        expectEqual(scheduler.step(now: at(0), .init(episode: one, isWaiting: true)), .rest)
    }

    @Test func aWithdrawnRequestIsForgottenWithItsFailures() {
        var scheduler = scheduler([one])
        scheduler.failed(one, lost, now: at(0))
        let hasLost = scheduler.use([two])
        let hasLostMore = scheduler.use([two, one])
        #expect(hasLost && !hasLostMore)
        expectEqual(scheduler.failures(now: at(0))[one], nil)
    }
}

struct DownloadQuotaTests {
    private let quota = DownloadQuota(limit: 1000 << 20, used: 800 << 20, free: 100 << 20)

    @Test func aFileThatFitsIsAccepted() { expectEqual(quota.refusal(of: 200 << 20, missing: 100 << 20), nil) }

    @Test func downloadsDoNotOutgrowTheCache() {
        expectEqual(quota.refusal(of: 201 << 20, missing: 1)?.contains("cache.size"), true)
    }

    @Test func theDiskIsNotFilledUp() {
        expectEqual(quota.refusal(of: 150 << 20, missing: 101 << 20)?.contains("make room"), true)
    }

    @Test func whatIsNeededIsRoundedUpAndWhatIsFreeDown() throws {
        let refusal = try #require(quota.refusal(of: 150 << 20, missing: (100 << 20) + 1))
        expectContains(refusal, "101 MiB are still to come, and only 100 MiB are free")
    }
}
