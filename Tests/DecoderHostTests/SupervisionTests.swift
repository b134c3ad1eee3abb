@testable import DecoderProtocol
import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import DecoderHost

/// A dialogue with the state machine: input, expected actions.
@Suite struct SupervisionTests {
    private let limit = Duration.seconds(2)
    private let hung = "the decoder stopped responding"
    private func seconds(_ count: Int64) -> MediaTime { MediaTime(milliseconds: count * 1000) }
    private func make(at start: Int64 = 10) -> Supervision {
        Supervision([.mpeg], at: seconds(start), generation: 1, hangLimit: limit)
    }

    private func started() -> Supervision {
        var machine = make()
        _ = machine.handle(.started)
        return machine
    }

    private func extent(_ last: MediaTime, of generation: UInt32 = 1, isComplete: Bool = false) -> DecodedExtent {
        DecodedExtent(generation: generation, lastTime: last, isComplete: isComplete)
    }

    @Test func aStartIsWatchedUntilTheDecoderSleeps() {
        var machine = make()
        expectEqual(machine.handle(.started), [.setDeadline(limit * 2)])
        expectEqual(machine.handle(.deadline(.init(hasDecoded: true))), [.setDeadline(limit)])
        expectEqual(machine.handle(.deadline(.init(waitReason: .room))), [.setDeadline(nil)])
        expectEqual(machine.handle(.workBegan(inputOffset: 77)), [.want(77, isAwaited: false), .setDeadline(limit)])
    }

    @Test func aDecoderWithoutProgressIsReplacedAfterThePosition() {
        var machine = started()
        expectEqual(machine.handle(.deadline(.init())), [.setDeadline(nil), .kill])
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(15)))),
            [.emit(.restarted(reason: hung)), .start(.mpeg, at: seconds(16), generation: 1)])
    }

    private func wanting(_ offset: Int64) -> Supervision.Input {
        .message(.wanting(generation: 1, offset: offset))
    }

    @Test func readingBytesCountsAsProgressForALimitedTime() {
        var machine = started()
        var checks = 0
        while machine.handle(.deadline(.init(hasRead: true))) == [.setDeadline(limit)], checks < 1000 { checks += 1 }
        expectEqual(checks, 30)
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: nil)).first, .emit(.restarted(reason: hung)))
    }

    @Test func withFramesADecoderMayReadWithoutLimit() {
        var machine = started()
        for _ in 0..<100 {
            expectEqual(machine.handle(.deadline(.init(hasRead: true))), [.setDeadline(limit)])
            expectEqual(machine.handle(.deadline(.init(hasDecoded: true, hasRead: true))), [.setDeadline(limit)])
        }
    }

    /// It requested no bytes, and there is room.
    @Test func aDecoderThatSleepsAlthoughTheRingIsLowHangs() {
        for reason in [RingWriter.WaitReason.room, .bytes] {
            var machine = started()
            expectEqual(
                machine.handle(.deadline(.init(waitReason: reason, isRingLow: true))), [.setDeadline(nil), .kill])
        }
    }

    @Test func aDecoderThatSleepsAlthoughItsBytesArrivedHangs() {
        var machine = started()
        _ = machine.handle(wanting(5))
        expectEqual(machine.handle(.deadline(.init(waitReason: .bytes))), [.setDeadline(nil)])
        _ = machine.handle(.sourceChanged(.init(canProceed: true, failure: nil)))
        // Bytes that gave way to others since are not there.
        expectEqual(machine.handle(.deadline(.init(waitReason: .bytes))), [.setDeadline(nil)])
        expectEqual(
            machine.handle(.deadline(.init(waitReason: .bytes, hasAwaitedBytes: true))), [.setDeadline(nil), .kill])
    }

    @Test func aDecoderThatWaitsForMessagesBeforeItsEndHangs() {
        var machine = started()
        var other = machine
        expectEqual(other.handle(.deadline(.init(waitReason: .message))), [.setDeadline(nil), .kill])
        _ = machine.handle(.message(.ended(generation: 1, duration: nil)))
        expectEqual(machine.handle(.deadline(.init(waitReason: .message))), [.setDeadline(nil)])
    }

    @Test func aDecoderThatRequestsBytesEndlesslyHangs() {
        var machine = started()
        var requests: Int64 = 0
        while !machine.handle(wanting(requests)).contains(.kill), requests < 100_000 {
            requests += 1
            #expect(
                machine.handle(.message(.proceeding(generation: 1))).allSatisfy {
                    if case .setDeadline = $0 { false } else { true }
                })
        }
        expectEqual(requests, 20_000)
    }

    @Test func aSecondFaultSoonAfterwardsFailsTheSession() {
        var machine = make()
        _ = machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(15))))
        let actions = machine.handle(.ended(ProcessEnd(.signaled(11)), extent: extent(seconds(20))))
        expectEqual(actions.count, 3)
        expectEqual(
            actions.first,
            .emit(
                .failed(
                    MediaFailure(
                        .damaged,
                        "cannot decode the file: the decoder exited unexpectedly (signal 11), twice"))))
        expectEqual(actions.last, .finish)
        expectEqual(machine.handle(.stopRequested), [])
    }

    @Test func afterAMinuteOfDecodingAFaultCountsAsTheFirst() {
        var machine = make()
        _ = machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(15))))
        let actions = machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(90))))
        expectEqual(actions.last, .start(.mpeg, at: seconds(91), generation: 1))
    }

    @Test func withoutFramesThePositionOfAFaultIsTheStart() {
        var machine = make()
        let actions = machine.handle(.ended(ProcessEnd(.signaled(11)), extent: extent(.zero)))
        expectEqual(actions.last, .start(.mpeg, at: seconds(11), generation: 1))
    }

    @Test func invalidDataKillsTheDecoderAndLaterMessagesAreIgnored() {
        var machine = make()
        expectEqual(machine.handle(.invalidData("in the ring")), [.setDeadline(nil), .kill])
        expectEqual(machine.handle(.message(.wanting(generation: 1, offset: 5))), [])
        expectEqual(machine.handle(.invalidData("in a message")), [])
        expectEqual(machine.handle(.workBegan(inputOffset: 5)), [])
    }

    @Test func aSeekDuringAReplacementSetsTheStartOfTheNextDecoder() {
        var machine = make()
        _ = machine.handle(.invalidData("in the ring"))
        expectEqual(machine.handle(.seekRequested(to: seconds(500), generation: 2)), [])
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(15)))).last,
            .start(.mpeg, at: seconds(500), generation: 2))
    }

    private let killed = "the decoder exited unexpectedly (signal 9)"

    @Test func anExitAfterTheEndNeedsNoOtherDecoder() {
        var machine = started()
        _ = machine.handle(.message(.ended(generation: 1, duration: seconds(40))))
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(40), isComplete: true))),
            [.setDeadline(nil)])
        expectEqual(machine.handle(.workBegan(inputOffset: 5)), [])
        expectEqual(machine.handle(.sourceChanged(.init(canProceed: true, failure: nil))), [])
        expectEqual(machine.handle(.deadline(.init())), [])
        expectEqual(machine.handle(.stopRequested), [.setDeadline(nil), .finish])
    }

    @Test func anExitBeforeTheEndMessageReportsTheEnd() {
        var machine = make()
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(40), isComplete: true))),
            [.setDeadline(nil), .emit(.reachedEnd(generation: 1, duration: nil))])
    }

    @Test func aDecoderThatClosesItsSocketIsReplaced() {
        var machine = make()
        expectEqual(machine.handle(.hungUp), [.setDeadline(.milliseconds(100))])
        expectEqual(machine.handle(.workBegan(inputOffset: 5)), [])
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(15)))),
            [.emit(.restarted(reason: killed)), .start(.mpeg, at: seconds(16), generation: 1)])
    }

    @Test func aDecoderThatClosesItsSocketAndDoesNotExitIsKilled() {
        var machine = make()
        _ = machine.handle(.hungUp)
        expectEqual(machine.handle(.seekRequested(to: seconds(30), generation: 2)), [])
        expectEqual(machine.handle(.deadline(.init(waitReason: .room, hasDecoded: true))), [.setDeadline(nil), .kill])
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(15)))),
            [
                .emit(.restarted(reason: "the decoder closed its connection")),
                .start(.mpeg, at: seconds(30), generation: 2),
            ])
    }

    @Test func aDecoderThatClosesItsSocketAfterTheEndIsReplacedAtTheNextSeek() {
        var machine = make()
        _ = machine.handle(.message(.ended(generation: 1, duration: seconds(40))))
        _ = machine.handle(.hungUp)
        _ = machine.handle(.deadline(.init(waitReason: .room)))
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(40), isComplete: true))),
            [.setDeadline(nil)])
    }

    @Test func aSeekAfterAnExitAfterTheEndStartsAnotherDecoder() {
        var machine = make()
        _ = machine.handle(.message(.ended(generation: 1, duration: seconds(40))))
        _ = machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(40), isComplete: true)))
        expectEqual(
            machine.handle(.seekRequested(to: seconds(30), generation: 2)),
            [.emit(.restarted(reason: killed)), .start(.mpeg, at: seconds(30), generation: 2)])
        expectEqual(machine.handle(.started), [.setDeadline(limit * 2)])
        expectEqual(
            machine.handle(.message(.ended(generation: 2, duration: seconds(40)))),
            [.emit(.reachedEnd(generation: 2, duration: seconds(40)))])
    }

    @Test func aSeekThatTheDecoderDidNotStartIsRepeatedByAnother() {
        // What it decoded before the seek says nothing of the place sought, were it the end or not.
        for isComplete in [false, true] {
            var machine = make()
            expectEqual(
                machine.handle(.seekRequested(to: seconds(30), generation: 2)),
                [.stopAwaiting, .send(.seek(to: seconds(30), generation: 2)), .setDeadline(limit)])
            expectEqual(
                machine.handle(
                    .ended(ProcessEnd(.signaled(9)), extent: extent(seconds(40), of: 1, isComplete: isComplete))),
                [.emit(.restarted(reason: killed)), .start(.mpeg, at: seconds(30), generation: 2)])
        }
    }

    @Test func aDecoderThatDiedAfterStartingASeekIsReplacedAfterThePosition() {
        var machine = make()
        _ = machine.handle(.seekRequested(to: seconds(30), generation: 2))
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(.zero, of: 2))).last,
            .start(.mpeg, at: seconds(31), generation: 2))
    }

    @Test func aSeekAfterARestartIsSentToTheNewDecoder() {
        var machine = make()
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(15)))).last,
            .start(.mpeg, at: seconds(16), generation: 1))
        _ = machine.handle(.started)
        expectEqual(
            machine.handle(.seekRequested(to: seconds(30), generation: 2)),
            [.stopAwaiting, .send(.seek(to: seconds(30), generation: 2)), .setDeadline(limit)])
    }

    @Test func aSecondExitBeforeAnyFrameFailsTheSession() {
        var machine = make()
        expectEqual(
            machine.handle(.ended(ProcessEnd(.signaled(11)), extent: nil)).last,
            .start(.mpeg, at: seconds(10), generation: 1))
        expectEqual(machine.handle(.ended(ProcessEnd(.signaled(11)), extent: extent(.zero, of: 0))).last, .finish)
    }

    @Test func invalidDataAfterAnEndIsSkippedByAnotherDecoder() {
        var machine = make()
        _ = machine.handle(.message(.ended(generation: 1, duration: seconds(40))))
        _ = machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(seconds(40), isComplete: true)))
        expectEqual(
            machine.handle(.invalidData("in the ring")),
            [
                .emit(.restarted(reason: "the decoder sent invalid data (in the ring)")),
                .start(.mpeg, at: seconds(41), generation: 1),
            ])
    }

    @Test func missingBytesAreRequestedAndAwaited() {
        var machine = make()
        expectEqual(
            machine.handle(.message(.wanting(generation: 1, offset: 4096))),
            [.emit(.waitingForBytes(offset: 4096)), .want(4096, isAwaited: true)])
        expectEqual(machine.handle(.sourceChanged(.init(canProceed: false, failure: nil))), [])
        expectEqual(
            machine.handle(.sourceChanged(.init(canProceed: true, failure: nil))),
            [.send(.lookAgain), .keepDeadline(limit)])
        expectEqual(
            machine.handle(.message(.proceeding(generation: 1))),
            [.stopAwaiting, .emit(.decoding), .keepDeadline(limit)])
        expectEqual(machine.handle(.message(.proceeding(generation: 1))), [])
    }

    @Test func aSourceThatFailsWhileBytesAreAwaitedFailsTheSession() {
        let failure = MediaFailure(.network, "no route")
        var machine = make()
        expectEqual(machine.handle(.sourceChanged(.init(canProceed: false, failure: failure))), [])
        _ = machine.handle(.message(.wanting(generation: 1, offset: 4096)))
        expectEqual(
            machine.handle(.sourceChanged(.init(canProceed: false, failure: failure))),
            [.kill, .emit(.failed(failure)), .setDeadline(nil), .finish])
    }

    @Test func availableBytesAreDecodedBeforeAFailureCounts() {
        var machine = make()
        _ = machine.handle(.message(.wanting(generation: 1, offset: 4096)))
        let source = Supervision.Source(canProceed: true, failure: MediaFailure(.network, "no route"))
        expectEqual(machine.handle(.sourceChanged(source)).first, .send(.lookAgain))
    }

    @Test func messagesOfAnOlderGenerationAreIgnored() {
        var machine = make()
        expectEqual(
            machine.handle(.seekRequested(to: seconds(3), generation: 2)),
            [.stopAwaiting, .send(.seek(to: seconds(3), generation: 2)), .setDeadline(limit)])
        expectEqual(machine.handle(.message(.positioned(generation: 1, at: seconds(10)))), [])
        expectEqual(machine.handle(.message(.ended(generation: 1, duration: seconds(60)))), [])
        let told = machine.handle(.message(.positioned(generation: 2, at: seconds(3))))
        expectEqual(told, [.emit(.positioned(generation: 2, at: seconds(3)))])
        expectEqual(machine.handle(.message(.positioned(generation: 2, at: seconds(3)))), [])
    }

    @Test func bytesMissingBeforeASeekAreNeitherRequestedNorAwaited() {
        var machine = make()
        _ = machine.handle(.seekRequested(to: seconds(3), generation: 2))
        expectEqual(machine.handle(.message(.wanting(generation: 1, offset: 4096))), [])
        // The bytes there may be had all the same.
        let source = Supervision.Source(canProceed: false, failure: MediaFailure(.network, "no route"))
        expectEqual(machine.handle(.sourceChanged(source)), [])
        expectEqual(machine.handle(.message(.wanting(generation: 2, offset: 50))).last, .want(50, isAwaited: true))
        expectEqual(machine.handle(.message(.proceeding(generation: 1))), [])
    }

    @Test func aStopKillsTheDecoderWithoutAnEvent() {
        var machine = make()
        expectEqual(machine.handle(.stopRequested), [.kill, .setDeadline(nil), .finish])
        expectEqual(machine.handle(.ended(ProcessEnd(.signaled(9)), extent: extent(.zero))), [])
    }

    @Test func aFileThatIsNotAudioIsReportedInOneLine() {
        var machine = make()
        let actions = machine.handle(.message(.notAudio(looksLike: "a web page")))
        expectContains(actions, .emit(.failed(MediaFailure(.notAudio, "cannot play a web page"))))
    }

    @Test func aProgramThatExitsAtOnceIsNoFaultOfTheFile() {
        var machine = started()
        _ = machine.handle(.hungUp)
        expectEqual(
            machine.handle(.ended(ProcessEnd(.exited(127), "no library"), extent: nil)),
            [
                .emit(
                    .failed(
                        MediaFailure(.decoder, "podcast-decode exited at once (status 127: no library); reinstall it"))),
                .setDeadline(nil), .finish,
            ])
    }

    @Test func aProgramThatExitsLaterIsStartedAgain() {
        var machine = started()
        _ = machine.handle(wanting(5))
        let actions = machine.handle(.ended(ProcessEnd(.exited(1)), extent: extent(.zero)))
        expectEqual(actions.last, .start(.mpeg, at: seconds(11), generation: 1))
    }
}
