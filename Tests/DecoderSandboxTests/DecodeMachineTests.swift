import DecoderProtocol
import MediaPorts
import PodcastModel
import Testing
import TestSupport

@testable import DecoderSandbox

struct DecodeMachineTests {
    private let format = PCMFormat(rate: 1000, channels: 2, type: .int16)
    private var info: StreamInfo { StreamInfo(container: "mp3", codec: "mp3", format: format) }

    /// A machine that has published 100 frames from the beginning.
    private func playing() -> DecodeMachine {
        var machine = DecodeMachine()
        _ = machine.handle(.message(.seek(to: .zero, generation: 7)))
        _ = machine.handle(.opened(info))
        _ = machine.handle(.produced(bytes: 400, frame: 0))
        return machine
    }

    @Test func aBeginAtZeroDoesNotSeek() {
        var machine = DecodeMachine()
        #expect(!machine.isDecoding)
        let actions = machine.handle(.message(.seek(to: .zero, generation: 7)))
        expectEqual(actions, [.begin(generation: 7)])
        expectEqual(machine.phase, .decoding(.init()))
    }

    @Test func aBeginWithinTheFileSeeksOnceTheFileIsOpen() {
        var machine = DecodeMachine()
        let time = MediaTime(milliseconds: 1500)
        let actions = machine.handle(.message(.seek(to: time, generation: 7)))
        expectEqual(actions, [.begin(generation: 7)])
        expectEqual(machine.handle(.opened(info)), [.send(.opened(info)), .seek(time)])
        expectEqual(machine.handle(.sought(frame: 1490)), [])
        expectEqual(machine.phase, .decoding(.init(next: 1490)))
    }

    @Test func ofSeveralSeeksBeforeTheFileIsOpenTheLastOneCounts() {
        var machine = DecodeMachine()
        let time = MediaTime(milliseconds: 1500)
        _ = machine.handle(.message(.seek(to: time, generation: 7)))
        expectEqual(machine.handle(.message(.seek(to: time + time, generation: 8))), [.begin(generation: 8)])
        expectEqual(machine.handle(.opened(info)), [.send(.opened(info)), .seek(time + time)])
    }

    @Test func thePositionIsSentBeforeTheFirstFramesOnly() {
        var machine = DecodeMachine()
        _ = machine.handle(.message(.seek(to: .zero, generation: 7)))
        expectEqual(machine.handle(.opened(info)), [.send(.opened(info))])
        expectEqual(
            machine.handle(.produced(bytes: 400, frame: 0)),
            [
                .send(.positioned(generation: 7, at: .zero)), .publish(bytes: 400, format, start: 0, end: 100),
            ])
        expectEqual(
            machine.handle(.produced(bytes: 40, frame: 100)), [.publish(bytes: 40, format, start: 100, end: 110)])
    }

    @Test func chunksAreShortUntilAQuarterOfASecondIsPublished() {
        var machine = playing()
        expectEqual(machine.chunkLimit, 16_384)
        _ = machine.handle(.produced(bytes: 600, frame: 100))
        expectEqual(machine.chunkLimit, .max)
        _ = machine.handle(.message(.seek(to: .zero, generation: 8)))
        expectEqual(machine.chunkLimit, 16_384)
    }

    @Test func eachMissingByteIsReportedOnceAndItsArrivalOnce() {
        var machine = playing()
        expectEqual(machine.handle(.missing(offset: 900)), [.send(.wanting(generation: 7, offset: 900))])
        expectEqual(machine.handle(.missing(offset: 900)), [])
        expectEqual(machine.handle(.missing(offset: 950)), [.send(.wanting(generation: 7, offset: 950))])
        expectEqual(machine.handle(.read), [.send(.proceeding(generation: 7))])
        expectEqual(machine.handle(.read), [])
    }

    @Test func aSeekEndsTheWaitForBytes() {
        var machine = playing()
        _ = machine.handle(.missing(offset: 900))
        let time = MediaTime(milliseconds: 50)
        expectEqual(machine.handle(.message(.seek(to: time, generation: 8))), [.begin(generation: 8), .seek(time)])
        _ = machine.handle(.sought(frame: 50))
        expectEqual(machine.handle(.read), [])
        expectEqual(machine.handle(.missing(offset: 900)), [.send(.wanting(generation: 8, offset: 900))])
    }

    @Test func theEndIsPublishedAndReportedWithTheMeasuredDuration() {
        var machine = playing()
        var info = info
        (info.duration, info.isExact) = (MediaTime(milliseconds: 100), true)
        expectEqual(
            machine.handle(.ended(info)),
            [
                .send(.opened(info)), .publishEnd(format, at: 100),
                .send(.ended(generation: 7, duration: MediaTime(milliseconds: 100))),
            ])
        expectEqual(machine.phase, .finished)
        expectEqual(machine.handle(.missing(offset: 1)), [])
        expectEqual(machine.handle(.message(.lookAgain)), [])
    }

    @Test func anEstimatedDurationIsNotReportedAsMeasured() {
        var machine = playing()
        var info = info
        info.duration = MediaTime(milliseconds: 100)
        expectEqual(machine.handle(.ended(info)).last, .send(.ended(generation: 7, duration: nil)))
    }

    @Test func aSeekPastTheEndStopsAtTheEnd() {
        var machine = playing()
        _ = machine.handle(.message(.seek(to: MediaTime(milliseconds: 60_000), generation: 8)))
        _ = machine.handle(.sought(frame: 60_000))
        var info = info
        info.duration = MediaTime(milliseconds: 100)
        expectEqual(
            machine.handle(.ended(info)),
            [
                .send(.opened(info)), .send(.positioned(generation: 8, at: MediaTime(milliseconds: 100))),
                .publishEnd(format, at: 100), .send(.ended(generation: 8, duration: nil)),
            ])
    }

    @Test func aFileWithoutAFormatIsNotAudio() {
        var machine = DecodeMachine()
        _ = machine.handle(.message(.seek(to: .zero, generation: 7)))
        expectEqual(machine.handle(.ended(nil)), [.send(.notAudio(looksLike: nil))])
        expectEqual(machine.phase, .finished)
    }

    @Test func aFailureIsReportedAndASeekTriesAgain() {
        var machine = playing()
        expectEqual(machine.handle(.failed(.library("broken"))), [.send(.failed("broken"))])
        #expect(!machine.isDecoding)
        _ = machine.handle(.message(.seek(to: .zero, generation: 8)))
        #expect(machine.isDecoding)
        expectEqual(machine.handle(.failed(.notAudio(looksLike: "mp4"))), [.send(.notAudio(looksLike: "mp4"))])
    }
}
