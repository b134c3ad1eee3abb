@testable import EpisodeCache
import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import DaemonCore

struct DownloadFetchTests {
    private static let retry = ByteSourcePhase.waitingToRetry(attempt: 2, delay: 1, reason: "timeout")
    private static let lastRetry = ByteSourcePhase.waitingToRetry(attempt: 3, delay: 1, reason: "timeout")
    private static let longPause = ByteSourcePhase.waitingToRetry(attempt: 1, delay: 120, reason: "HTTP 503")

    @Test(
        arguments: [
            (nil, [], .connecting, nil, DownloadFetch.Step.want(from: 0)),
            (nil, [0..<10], .receiving, nil, .checkQuota(length: 10, missing: 0)),
            (nil, [0..<10], .receiving, 20, .want(from: 10)),
            (100, [0..<10], .receiving, nil, .checkQuota(length: 100, missing: 90)),
            (100, [0..<10], .receiving, 99, .checkQuota(length: 100, missing: 90)),
            (100, [0..<10, 50..<60], .receiving, nil, .checkQuota(length: 100, missing: 80)),
            (100, [0..<10], .receiving, 100, .want(from: 10)),
            // The index is written only when the source is done.
            (100, [0..<100], .receiving, 100, .want(from: 100)),
            (100, [0..<100], .complete, nil, .finish),
            (100, [0..<10], retry, 100, .want(from: 10)),
            (100, [0..<10], lastRetry, 100, .giveUp(MediaFailure(.network, "timeout"), retryAfter: .seconds(1))),
            (nil, [], longPause, nil, .giveUp(MediaFailure(.network, "HTTP 503"), retryAfter: .seconds(120))),
            (nil, [], .failed(MediaFailure(.notFound, "HTTP 404")), nil, .giveUp(MediaFailure(.notFound, "HTTP 404"))),
        ] as [(Int64?, [Range<Int64>], ByteSourcePhase, Int64?, DownloadFetch.Step)])
    func aSnapshotDecidesTheNextStep(
        length: Int64?, available: [Range<Int64>], phase: ByteSourcePhase, room: Int64?, expected: DownloadFetch.Step
    ) {
        let snapshot = ByteSourceSnapshot(length: length, available: available, phase: phase)
        expectEqual(DownloadFetch.step(snapshot, room: room), expected)
    }

    /// Of unknown length: bytes at hand of 100 for which there is room, seconds since the beginning, and whether it goes on.
    @Test(
        arguments: [(100, 60, true), (101, 60, false), (100, 3599, true), (100, 3600, false)] as [(Int64, Int, Bool)])
    func aFileWithoutAnEndIsGivenUpForGood(bytes: Int64, seconds: Int, continues: Bool) {
        let snapshot = ByteSourceSnapshot(available: [0..<bytes], phase: .receiving)
        let failure = MediaFailure(
            .notAudio, "this is probably a live stream, which has no end to wait for; play it instead")
        expectEqual(
            DownloadFetch.step(snapshot, room: 100, after: .seconds(seconds)),
            continues ? .want(from: bytes) : .giveUp(failure, retryAfter: nil))
    }

    @Test func aServerThatWantsALongPauseIsAskedAgainAfterThePause() {
        var snapshot = ByteSourceSnapshot(phase: .failed(MediaFailure(.network, "HTTP 503")))
        snapshot.retryAfter = .seconds(3600)
        expectEqual(
            DownloadFetch.step(snapshot, room: nil),
            .giveUp(MediaFailure(.network, "HTTP 503"), retryAfter: .seconds(3600)))
    }
}

struct PinReconciliationTests {
    private func reconcile(
        _ downloaded: [EpisodeID: String], requested: [String] = [], _ files: [PinnedFile]
    ) -> PinReconciliation {
        // The recording is the URL up to its query.
        PinReconciliation(downloaded, requested: requested, files) { url in
            url.prefix { $0 != "?" }.utf8.reduce(0) { $0 &* 31 &+ Int64($1) }
        }
    }

    private func file(_ url: String, isWhole: Bool = true) -> PinnedFile {
        PinnedFile(url: url, size: 10, isWhole: isWhole)
    }

    @Test func recordsAndFilesThatAgreeNeedNothing() {
        let result = reconcile([EpisodeID(1): "a"], requested: ["b"], [file("a"), file("b", isWhole: false)])
        #expect(result.steps == [] && result.lost == [])
    }

    @Test func aFileWithoutARecordIsUnpinned() {
        expectEqual(reconcile([:], [file("a")]).steps, [.unpin("a")])
    }

    @Test func aFileIsGivenToARequestForTheSameRecording() {
        expectEqual(
            reconcile([:], requested: ["a?token=2"], [file("a?token=1")]).steps, [.move("a?token=1", to: "a?token=2")])
    }

    @Test func anEpisodeWithoutAWholeFileIsLost() {
        let result = reconcile([EpisodeID(2): "b", EpisodeID(1): "a"], [file("b", isWhole: false)])
        expectEqual(result.lost, [EpisodeID(1), EpisodeID(2)])
        expectEqual(result.steps, [])
    }
}
