import DecoderProtocol
import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import DecoderSandbox

/// A service without a process: its decoder follows a script, and the test is the host.
struct DecodeServiceTests {
    @Test func aFileAtHandIsDecodedToItsEnd() throws {
        let host = try Host(bytes: [1, 2, 3])
        host.announce(0..<3, length: 3, isComplete: true)
        try host.send(.seek(to: .zero, generation: 1))
        try expectEqual(host.service.work(), .message)
        let duration = MediaTime(frames: 3, rate: ByteDecoder.format.rate)
        try expectEqual(
            host.messages(),
            [
                .opened(host.decoder.info!), .positioned(generation: 1, at: .zero),
                .opened(host.decoder.info!), .ended(generation: 1, duration: duration),
            ])
        expectEqual(host.readFrames(), [1, 2, 3])
        #expect(host.reader.isFilled)
    }

    @Test func aMissingByteIsNamedAndDecodingContinuesWhenItArrives() throws {
        let host = try Host(bytes: [1, 2, 3])
        host.announce(0..<2, length: 3)
        try host.send(.seek(to: .zero, generation: 1))
        try expectEqual(host.service.work(), .bytes)
        try expectEqual(host.messages().last, .wanting(generation: 1, offset: 2))
        try expectEqual(host.service.work(), .bytes)
        try expectEqual(host.messages(), [])
        host.announce(0..<3, length: 3)
        try expectEqual(host.service.work(), .message)
        try expectEqual(host.messages().first, .proceeding(generation: 1))
        expectEqual(host.readFrames(), [1, 2, 3])
    }

    /// The host sends no message for so few bytes, because the reader wakes the decoder when the ring runs low; here the reader
    /// emptied the ring before the decoder slept.
    @Test func aByteThatArrivesBeforeTheDecoderSleepsIsDecoded() throws {
        let host = try Host(bytes: [1, 2, 3, 4])
        host.announce(0..<2, length: 4)
        try host.send(.seek(to: .zero, generation: 1))
        try expectEqual(host.service.work(), .bytes)
        host.want(generation: 2)
        try host.send(.seek(to: MediaTime(frames: 3, rate: ByteDecoder.format.rate), generation: 2))
        try host.fillSocket()
        let reason = try host.work(untilBlockedAt: 3) {
            host.announce(0..<4, length: 4)
            try expectContains(host.messages(), .proceeding(generation: 1))
        }
        expectEqual(reason, .message)
        expectEqual(host.readFrames(), [4])
    }

    @Test func aSeekOvertakesWhatIsDecoded() throws {
        let host = try Host(bytes: [1, 2, 3, 4])
        host.announce(0..<2, length: 4)
        try host.send(.seek(to: .zero, generation: 1))
        try expectEqual(host.service.work(), .bytes)
        host.announce(0..<4, length: 4)
        host.want(generation: 2)
        try host.send(.seek(to: MediaTime(frames: 3, rate: ByteDecoder.format.rate), generation: 2))
        try expectEqual(host.service.work(), .message)
        expectEqual(host.readFrames(), [4])
        try expectContains(
            host.messages(), .positioned(generation: 2, at: MediaTime(frames: 3, rate: ByteDecoder.format.rate)))
    }

    @Test func aWantedGenerationWithoutItsSeekStopsDecoding() throws {
        let host = try Host(bytes: [1, 2, 3])
        host.announce(0..<3, length: 3)
        host.want(generation: 2)
        try host.send(.seek(to: .zero, generation: 1))
        try expectEqual(host.service.work(), .message)
        try expectEqual(host.messages(), [])
    }

    @Test func aFullRingStopsDecodingUntilItIsRead() throws {
        let host = try Host(bytes: [UInt8](repeating: 9, count: 100), framesPerByte: 4096)
        host.announce(0..<100, length: 100)
        try host.send(.seek(to: .zero, generation: 1))
        try expectEqual(host.service.work(), .room)
        let before = host.readFrames().count
        #expect(before > 0)
        try expectEqual(host.service.work(), .room)
        #expect(host.readFrames().count > 0)
    }

    @Test func aDecoderThatFailsIsReported() throws {
        let host = try Host(bytes: [1, 0, 3])
        host.announce(0..<3, length: 3)
        try host.send(.seek(to: .zero, generation: 1))
        try expectEqual(host.service.work(), .message)
        try expectEqual(host.messages().last, .failed("a zero"))
    }

    @Test func bytesThatTheFileDoesNotHaveEndTheProcess() throws {
        let host = try Host(bytes: [1])
        host.announce(0..<5000, length: 6000)
        let missing = MediaTime(frames: Int64(Host.sourceSize) + 100, rate: ByteDecoder.format.rate)
        try host.send(.seek(to: missing, generation: 1))
        #expect(throws: SystemError.self) { try host.service.work() }
    }

    @Test func anotherVersionOfTheProtocolEndsTheProcess() throws {
        #expect(throws: SystemError.self) { try Host(bytes: [1], version: RingLayout.version + 1) }
    }

    @Test func aHostThatHangsUpEndsTheWork() throws {
        let host = try Host(bytes: [1])
        host.hangUp()
        try expectEqual(host.service.work(), nil)
    }

    // MARK: Parameters

    private func time(_ frame: Int64) -> MediaTime { MediaTime(frames: frame, rate: ByteDecoder.format.rate) }

    private func skipping(_ skips: Range<Int64>...) -> PlaybackParameters {
        var parameters = PlaybackParameters()
        parameters.skips = skips.map {
            time($0.lowerBound)..<($0.upperBound == .max ? .distantFuture : time($0.upperBound))
        }
        return parameters
    }

    @Test func skippedPartsAreNotPlayed() throws {
        let host = try Host(bytes: [1, 2, 3, 4, 5, 6])
        host.announce(0..<6, length: 6, isComplete: true)
        try host.send(
            .seek(to: .zero, generation: 1, skipping(0..<2, 3..<4, 5..<Int64.max)))
        try expectEqual(host.service.work(), .message)
        expectEqual(host.readFrames(), [3, 5])
        try expectContains(host.messages(), .positioned(generation: 1, at: time(2)))
    }

    @Test func aSeekToAPartThatIsNotSkippedAnyMorePlaysIt() throws {
        let host = try Host(bytes: [1, 2, 3, 4, 5, 6])
        host.announce(0..<6, length: 6, isComplete: true)
        try host.send(
            .seek(to: .zero, generation: 1, skipping(0..<3, 4..<5)))
        try expectEqual(host.service.work(), .message)
        expectEqual(host.readFrames(), [4, 6])
        host.want(generation: 2)
        try host.send(.seek(to: time(1), generation: 2, skipping(4..<5)))
        try expectEqual(host.service.work(), .message)
        expectEqual(host.readFrames(), [2, 3, 4, 6])
    }

    @Test(arguments: [50, 150, 300]) func anotherSpeedKeepsTheTimeOfEachChunk(_ hundredths: Int) throws {
        let host = try Host(bytes: [UInt8](repeating: 9, count: 60), framesPerByte: 1000)
        host.announce(0..<60, length: 60, isComplete: true)
        var parameters = PlaybackParameters()
        parameters.speed = PlaybackSpeed(hundredths: hundredths)
        try host.send(.seek(to: .zero, generation: 1, parameters))
        var end: Int64 = 0
        var frames = 0
        var isOver = false
        while !isOver {
            isOver = try host.service.work() == .message
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while let chunk = host.reader.nextChunk(), chunk.kind == .frames {
                expectEqual(chunk.mediaStart, end)
                expectEqual(chunk.format, ByteDecoder.format)
                end = chunk.mediaEnd
                frames += buffer.withUnsafeMutableBytes { host.reader.read(into: $0) } / 2
            }
        }
        expectEqual(end, 60_000)
        #expect(abs(Double(frames) * Double(hundredths) / 6_000_000 - 1) < 0.05)
    }
}
