import Glibc
import MediaPorts
import PodcastModel
import SystemCalls
import Testing
import TestSupport

@testable import DecoderProtocol

/// Both ends of a ring in one process.
struct Ring {
    let memory: SharedMemory
    let reader: RingReader
    let writer: RingWriter
    let room: EventDescriptor
    let readiness: EventDescriptor
    let watch: EventDescriptor
    let format = PCMFormat(rate: 44_100, channels: 2, type: .float32)

    init(generation: UInt32 = 1) throws {
        memory = try RingLayout.makeMemory(capacity: 262_144)
        room = try EventDescriptor()
        readiness = try EventDescriptor()
        watch = try EventDescriptor()
        let wakeUps = RingEvents(room: room.raw, readiness: readiness.raw, watch: watch.raw)
        reader = RingReader(memory, wakeUps, generation: generation)
        writer = RingWriter(memory, wakeUps)
        RingMonitor(memory).setWantedGeneration(generation)
        writer.begin(generation: generation)
    }

    /// Publishes frames whose samples count up from `start`; false if the ring is full.
    func publish(_ frames: Int, from start: Int64) -> Bool {
        guard let payload = writer.nextPayload() else { return false }
        for index in 0..<frames * 2 {
            payload.storeBytes(of: Float(Int(start) * 2 + index), toByteOffset: index * 4, as: Float.self)
        }
        writer.publish(frames * 8, format: format, mediaStart: start, mediaEnd: start + Int64(frames))
        return true
    }

    /// Reads at most this number of frames.
    func read(_ frames: Int) -> [Float] {
        guard reader.nextChunk() != nil else { return [] }
        var samples = [Float](repeating: -1, count: frames * 2)
        let count = samples.withUnsafeMutableBytes { reader.read(into: $0) }
        return Array(samples[..<(count / 4)])
    }

    static func isRung(_ descriptor: Int32) -> Bool {
        var entries = [PollEntry(descriptor)]
        return (try? waitForAny(&entries, until: .distantPast)) ?? false
    }
}

@Suite struct RingTests {
    @Test func theRingCanBeMappedTwiceWithPagesOf64KiB() {
        for size in [RingLayout.prefix, RingLayout.defaultCapacity] { expectEqual(size % 65_536, 0) }
    }

    @Test func framesComeOutInOrderAndOnceAroundTheRingManyTimes() throws {
        let ring = try Ring()
        var (written, expected): (Int64, Float) = (0, 0)
        while written < 400_000 {
            let frames = 1 + Int(written % 7000)
            if ring.publish(frames, from: written) { written += Int64(frames) }
            while ring.reader.bufferedSeconds > 0.3 {
                for sample in ring.read(1000) {
                    expectEqual(sample, expected)
                    expected += 1
                }
            }
        }
        #expect(!ring.reader.isFaulted)
    }

    @Test func aChunkReadInPartsReportsWhereItContinues() throws {
        let ring = try Ring()
        #expect(ring.publish(1000, from: 5000))
        expectEqual(ring.reader.nextChunk()?.mediaStart, 5000)
        expectEqual(ring.read(300).count, 600)
        let chunk = try #require(ring.reader.nextChunk())
        expectEqual(chunk.mediaStart, 5300)
        expectEqual(chunk.mediaEnd, 6000)
        expectEqual(chunk.byteCount, 700 * 8)
        #expect(abs(ring.reader.bufferedSeconds - 700 / 44_100) < 1e-6)
    }

    @Test func theEndIsAChunkThatAnyReadConsumes() throws {
        let ring = try Ring()
        #expect(ring.publish(10, from: 0))
        #expect(!ring.reader.isFilled)
        ring.writer.publishEnd(format: ring.format, at: 10)
        #expect(ring.reader.isFilled)
        _ = ring.read(10)
        expectEqual(ring.reader.nextChunk()?.kind, .end)
        expectEqual(ring.reader.nextChunk()?.mediaStart, 10)
        _ = ring.read(10)
        expectEqual(ring.reader.nextChunk(), nil)
    }

    @Test func chunksOfAnOlderGenerationAreDropped() throws {
        let ring = try Ring()
        #expect(ring.publish(100, from: 0))
        #expect(ring.publish(100, from: 100))
        _ = ring.read(50)
        ring.reader.setWantedGeneration(2)
        expectEqual(ring.reader.bufferedSeconds, 0)
        expectEqual(ring.reader.nextChunk(), nil)
        ring.writer.begin(generation: 2)
        #expect(ring.publish(100, from: 9000))
        expectEqual(ring.reader.nextChunk()?.mediaStart, 9000)
        #expect(abs(ring.reader.bufferedSeconds - 100 / 44_100) < 1e-6)
    }

    @Test func aDecoderThatContinuesAnOlderGenerationIsFaulty() throws {
        let ring = try Ring()
        ring.reader.setWantedGeneration(2)
        var dropped = 0
        while ring.publish(100, from: Int64(dropped * 100)), dropped < 10_000 {
            dropped += 1
            guard ring.reader.nextChunk() == nil, !ring.reader.isFaulted else { break }
        }
        // As much as a ring holds and one chunk may be on its way when a seek comes.
        #expect(dropped * RingLayout.stride(ofPayload: 800) > 262_144 + RingLayout.maximumChunk)
        #expect(dropped * RingLayout.stride(ofPayload: 800) < 262_144 + 2 * RingLayout.maximumChunk)
        #expect(ring.reader.isFaulted)
        #expect(Ring.isRung(ring.watch.raw))
    }

    @Test func aRingFullOfAnOlderGenerationIsNotAFault() throws {
        let ring = try Ring()
        for generation in UInt32(2)...20 {
            while ring.publish(100, from: 0) {}
            ring.reader.setWantedGeneration(generation)
            expectEqual(ring.reader.nextChunk(), nil)
            #expect(ring.publish(100, from: 0))
            expectEqual(ring.reader.nextChunk(), nil)
            ring.writer.begin(generation: generation)
        }
        #expect(!ring.reader.isFaulted)
    }

    @Test func aSleepingDecoderIsWokenOnceWhenTheRingRunsLow() throws {
        let ring = try Ring()
        var written: Int64 = 0
        while ring.publish(1000, from: written) { written += 1000 }
        #expect(!ring.reader.isFilled)
        #expect(ring.writer.prepareToWait(for: .room))
        #expect(RingMonitor(ring.memory).waitReason != nil && ring.reader.isFilled)
        var count = 0
        while !Ring.isRung(ring.room.raw) {
            #expect(!ring.read(1000).isEmpty)
            count += 1
        }
        // Half of 262,144 bytes in chunks of 8,064, less the room for the largest chunk that was left empty.
        #expect((8...20).contains(count))
        #expect(Ring.isRung(ring.watch.raw))
        expectEqual(RingMonitor(ring.memory).waitReason, nil)
        ring.writer.stopWaiting()
        _ = ring.read(1000)
        #expect(!Ring.isRung(ring.room.raw))
    }

    @Test func aDecoderThatWaitsForMessagesIsNotWokenByReading() throws {
        let ring = try Ring()
        #expect(ring.publish(100, from: 0))
        #expect(ring.writer.prepareToWait(for: .message))
        _ = ring.read(100)
        #expect(!Ring.isRung(ring.room.raw))
    }

    @Test func aDecoderDoesNotSleepWhileTheRingIsLow() throws {
        let ring = try Ring()
        #expect(!ring.writer.prepareToWait(for: .room))
        #expect(ring.writer.prepareToWait(for: .bytes))
        #expect(!ring.writer.prepareToWait(for: .bytes) { true })
        expectEqual(RingMonitor(ring.memory).waitReason, nil)
    }

    @Test func aWaitingReaderIsWokenByTheNextChunkOnly() throws {
        let ring = try Ring()
        #expect(ring.publish(10, from: 0))
        #expect(!Ring.isRung(ring.readiness.raw))
        #expect(!ring.reader.prepareToWait())
        _ = ring.read(10)
        #expect(ring.reader.prepareToWait())
        #expect(ring.publish(10, from: 10))
        #expect(Ring.isRung(ring.readiness.raw))
        #expect(!ring.reader.prepareToWait())
        #expect(!Ring.isRung(ring.readiness.raw))
    }

    @Test func anotherDecodersRingFollowsWhenTheFirstIsEmpty() throws {
        let (first, second) = (try Ring(), try Ring())
        #expect(first.publish(10, from: 0))
        #expect(second.publish(10, from: 44_100))
        #expect(first.reader.replace(with: second.memory))
        #expect(abs(first.reader.bufferedSeconds - 20 / 44_100) < 1e-6)
        expectEqual(first.read(10).first, 0)
        expectEqual(first.reader.nextChunk()?.mediaStart, 44_100)
        #expect(!first.reader.isFaulted)
    }
}

/// Decoders that break one after another, faster than the sink thread reads.
@Suite struct ReplacedRingTests {
    @Test func noRingIsLostIfTwoFollowBeforeTheReaderSwitches() throws {
        let rings = try (0..<3).map { _ in try Ring() }
        for (index, ring) in rings.enumerated() { #expect(ring.publish(10, from: Int64(index) * 44_100)) }
        let reader = rings[0].reader
        #expect(reader.replace(with: rings[1].memory))
        #expect(reader.replace(with: rings[2].memory))
        rings[2].writer.publishEnd(format: rings[2].format, at: 88_210)
        #expect(abs(reader.bufferedSeconds - 30 / 44_100) < 1e-6)
        #expect(reader.isFilled)
        for index in 0..<3 {
            expectEqual(reader.nextChunk()?.mediaStart, Int64(index) * 44_100)
            expectEqual(rings[0].read(10).count, 20)
        }
        expectEqual(reader.nextChunk()?.kind, .end)
    }

    @Test func ringsOfAnOlderGenerationAreReleasedUnread() throws {
        let (first, newest) = (try Ring(), try Ring(generation: 99))
        for generation in UInt32(1)..<50 {
            let ring = try Ring(generation: generation)
            #expect(ring.publish(10, from: 0))
            first.reader.setWantedGeneration(generation + 1)
            #expect(first.reader.replace(with: ring.memory))
        }
        first.reader.setWantedGeneration(99)
        #expect(newest.publish(10, from: 7))
        #expect(first.reader.replace(with: newest.memory))
        expectEqual(first.reader.nextChunk()?.mediaStart, 7)
    }

    @Test func theNumberOfWaitingRingsIsLimited() throws {
        let first = try Ring()
        for _ in 0..<RingReader.maximumFollowing {
            let ring = try Ring()
            #expect(ring.publish(10, from: 0))
            #expect(first.reader.replace(with: ring.memory))
        }
        #expect(!first.reader.replace(with: try Ring().memory))
    }
}

@Suite struct HostileRingTests {
    private let header = RingLayout.prefix

    private func overwrite(_ ring: Ring, _ offset: Int, _ value: UInt32) {
        ring.memory.base.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
    }

    @Test(
        arguments: [
            (0, 0), (0, 77), (8, 0), (8, 999), (8, .max), (12, 0), (12, 9), (12, .max), (16, 0), (16, 9), (20, 1),
            (20, 0),
            (20, 65_536), (20, .max), (24, .max), (28, .max), (28, 0x7FFF_FFFF), (36, .max), (36, 0x7FFF_FFFF),
        ] as [(Int, UInt32)])
    func aHeaderThatCannotBeStopsTheReader(_ field: Int, _ value: UInt32) throws {
        let ring = try Ring()
        #expect(ring.publish(100, from: 0))
        overwrite(ring, header + field, value)
        expectEqual(ring.reader.nextChunk(), nil)
        #expect(ring.reader.isFaulted)
        #expect(Ring.isRung(ring.watch.raw))
        // Nothing more is read, whatever comes.
        #expect(ring.publish(100, from: 100))
        expectEqual(ring.reader.nextChunk(), nil)
    }

    @Test(arguments: [1, 63, 262_144 + 64, 1 << 40, .max] as [UInt64])
    func aPositionThatCannotBeStopsTheReader(_ position: UInt64) throws {
        let ring = try Ring()
        #expect(ring.publish(100, from: 0))
        ring.memory.store64(RingLayout.writePosition, position)
        expectEqual(ring.reader.nextChunk(), nil)
        #expect(ring.reader.isFaulted)
    }

    @Test func aFaultyRingIsReplacedByThatOfTheNextDecoder() throws {
        let (first, second) = (try Ring(), try Ring())
        first.memory.store64(RingLayout.writePosition, .max)
        expectEqual(first.reader.nextChunk(), nil)
        #expect(second.publish(10, from: 7))
        #expect(first.reader.replace(with: second.memory))
        // Before the reader has gone over to it, too: the fault is not the new decoder's.
        #expect(!first.reader.isFaulted)
        expectEqual(first.reader.nextChunk()?.mediaStart, 7)
        #expect(!first.reader.isFaulted)
    }

    @Test func randomMemoryNeverCrashesTheReader() throws {
        var random = SystemRandomNumberGenerator()
        var buffer = [UInt8](repeating: 0, count: 70_000)
        for _ in 0..<300 {
            let ring = try Ring()
            _ = ring.publish(100, from: 0)
            _ = ring.publish(100, from: 100)
            for _ in 0..<4 {
                let offset = Int.random(in: 0..<(ring.memory.prefix / 4 + 32), using: &random) * 4
                overwrite(ring, offset, UInt32.random(in: 0...UInt32.max, using: &random) >> UInt32.random(in: 0..<32))
            }
            for _ in 0..<5 {
                guard let chunk = ring.reader.nextChunk() else { break }
                expectContains(PCMFormat.rates, chunk.format.rate)
                let count = buffer.withUnsafeMutableBytes { ring.reader.read(into: $0) }
                #expect(count <= RingLayout.maximumChunk)
            }
            #expect(ring.reader.bufferedSeconds <= 3600)
            _ = ring.reader.isFilled
            _ = RingMonitor(ring.memory).extent
        }
    }
}
