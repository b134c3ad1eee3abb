import MediaPorts
import PodcastModel
import Testing

@testable import DaemonCore

struct DownloadTurnsTests {
    private let one = EpisodeID(1)
    private let two = EpisodeID(2)
    private let minute: Int64 = 60_000_000_000
    private let quiet = DownloadTurns.Listening()
    private let lost = MediaFailure(.network, "the network is gone")

    private func turns(_ wishes: [EpisodeID]) -> DownloadTurns {
        var turns = DownloadTurns()
        _ = turns.use(wishes)
        return turns
    }

    @Test func withoutAWishNothingIsWaitedFor() {
        #expect(turns([]).step(now: 0, quiet) == .rest)
    }

    @Test func theOldestWishComesFirst() {
        #expect(turns([two, one]).step(now: 0, quiet) == .fetch(two))
    }

    @Test func oneThatFailedLetsTheOthersGoOnAndWaitsTwiceAsLongEachTime() {
        var turns = turns([one, two])
        turns.failed(one, lost, now: 0)
        #expect(turns.step(now: 0, quiet) == .fetch(two))
        turns.failed(two, lost, now: 10)
        #expect(turns.step(now: 20, quiet) == .wait(until: minute))
        #expect(turns.step(now: minute, quiet) == .fetch(one))
        turns.failed(one, lost, now: minute)
        _ = turns.use([one])
        #expect(turns.step(now: minute, quiet) == .wait(until: 3 * minute))
        for _ in 1...20 { turns.failed(one, lost, now: 0) }
        #expect(turns.step(now: 0, quiet) == .wait(until: 1440 * minute))
    }

    @Test func aHostThatSaysNoIsLeftAloneForHours() {
        var turns = turns([one])
        turns.failed(one, MediaFailure(.notFound, "no such file"), now: 0)
        #expect(turns.step(now: 0, quiet) == .wait(until: 360 * minute))
        #expect(turns.reason(of: one) == "no such file")
        turns.forgive([one])
        #expect(turns.step(now: 0, quiet) == .fetch(one))
    }

    @Test func listeningComesFirst() {
        let turns = turns([one, two])
        #expect(turns.step(now: 0, .init(episode: one)) == .fetch(two))
        #expect(turns.step(now: 0, .init(episode: one, isWaiting: true)) == .rest)
    }

    @Test func aWishThatIsTakenBackIsForgottenWithItsFailures() {
        var turns = turns([one])
        turns.failed(one, lost, now: 0)
        let hasLost = turns.use([two])
        let hasLostMore = turns.use([two, one])
        #expect(hasLost && !hasLostMore)
        #expect(turns.reason(of: one) == nil)
    }
}

struct DownloadRoomTests {
    private let room = DownloadRoom(limit: 1000 << 20, kept: 800 << 20, free: 100 << 20)

    @Test func whatFitsIsTaken() { #expect(room.refusal(of: 200 << 20, missing: 100 << 20) == nil) }

    @Test func keptFilesDoNotOutgrowTheCache() {
        #expect(room.refusal(of: 201 << 20, missing: 1)?.contains("cache.size") == true)
    }

    @Test func theDiskIsNotFilledUp() {
        #expect(room.refusal(of: 150 << 20, missing: 101 << 20)?.contains("make room") == true)
    }
}
