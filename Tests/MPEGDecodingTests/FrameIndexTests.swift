import MPEGDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Seeks with the index of an earlier session, and positions that are corrected later.
@Suite struct FrameIndexTests {
    private static func quietBeginning() throws -> [UInt8] {
        let turn = try DecodingBench.fixture("stereo-vbr-without-table.mp3")
        return Array(turn[..<(turn.count / 6)]) + Array(repeatElement(turn, count: 7).joined())
    }

    /// A file whose table says that all of it has the bit rate of its beginning, or is turned round.
    private static func wrongTable() throws -> [UInt8] {
        var bytes = try DecodingBench.fixture("stereo-vbr-with-table.mp3")
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("Xing".utf8)) })
        for step in 0..<100 { bytes[start + 16 + step] = UInt8(min(255, step * step / 40)) }
        return bytes
    }

    enum Kind: CaseIterable { case withoutTable, wrongTable, table, constant }

    private static func file(_ kind: Kind) throws -> [UInt8] {
        switch kind {
        case .withoutTable: try quietBeginning()
        case .wrongTable: try wrongTable()
        case .table: try DecodingBench.fixture("stereo-vbr-with-table.mp3")
        case .constant: try DecodingBench.fixture("stereo-cbr-with-info.mp3")
        }
    }

    private static func whole(_ bytes: [UInt8]) throws -> (run: DecodingBench.Run, kept: [UInt8]) {
        var bench = try DecodingBench(bytes)
        let run = try #require(bench.run().first)
        return (run, bench.file.kept)
    }

    private func expectSameFrames(
        _ bench: inout DecodingBench, at milliseconds: Int64, _ whole: DecodingBench.Run
    ) throws {
        _ = try bench.seek(to: MediaTime(milliseconds: milliseconds))
        let part = try #require(bench.run(atLeast: 5000).first)
        expectEqual(part.start, milliseconds * Int64(part.format.rate) / 1000)
        let offset = Int(part.start - whole.start) * part.format.channels
        expectEqual(part.samples[...], whole.samples[offset..<offset + part.samples.count], "at \(milliseconds) ms")
    }

    @Test(arguments: Kind.allCases) func aPositionIsTheSameFrameInALaterSession(_ kind: Kind) throws {
        let bytes = try Self.file(kind)
        let (whole, kept) = try Self.whole(bytes)
        let seconds = whole.end / Int64(whole.format.rate)
        for share: Int64 in [9, 5, 1, 7] {
            // Nothing but what is read is available.
            var bench = try DecodingBench(bytes)
            bench.file.kept = kept
            try expectSameFrames(&bench, at: seconds * share * 100, whole)
        }
    }

    /// Listens after an estimated seek.
    /// - Returns: the sound from a position on that a player could have saved, and what was kept.
    private func listened(
        _ bytes: [UInt8], after milliseconds: Int64, for seconds: Int64
    ) throws -> (saved: MediaTime, samples: ArraySlice<Float>, kept: [UInt8]) {
        var bench = try DecodingBench(bytes)
        _ = try bench.run(atLeast: 44_100)
        _ = try bench.seek(to: MediaTime(milliseconds: milliseconds))
        let part = try #require(bench.run(atLeast: (seconds + 2) * 44_100).first)
        let saved = MediaTime(milliseconds: milliseconds + seconds * 1000)
        let first = Int(saved.frames(rate: part.format.rate) - part.start) * part.format.channels
        return (saved, part.samples[first..<first + 8_000], bench.file.kept)
    }

    @Test(arguments: [1, 9] as [Int64])
    func anEstimatedPositionIsTheSameInstantInALaterSession(_ seconds: Int64) throws {
        let bytes = try Self.loudBeginning()
        let (whole, _) = try Self.whole(bytes)
        let (saved, samples, kept) = try listened(bytes, after: 36_000, for: seconds)
        // Only what is read is available: the positions stay estimated.
        var near = try DecodingBench(bytes)
        near.file.kept = kept
        let estimated = try near.seek(to: saved)
        let again = try #require(near.run(atLeast: 4_000).first)
        #expect(estimated == saved.frames(rate: 44_100) && again.start == estimated)
        expectEqual(again.samples.prefix(8_000), samples)
        // All of it is available: they are counted.
        var bench = try DecodingBench(bytes, hasAllAtHand: true)
        bench.file.kept = kept
        let counted = try bench.seek(to: saved)
        let part = try #require(bench.run(atLeast: 4_000).first)
        #expect(part.start == counted && counted != estimated)
        // The filter's ring of 16 slots is turned elsewhere: the same sound, rounded differently.
        #expect(difference(part.samples.prefix(8_000), samples) < 1e-5)
        let offset = Int(counted - whole.start) * 2
        expectEqual(part.samples.prefix(8_000), whole.samples[offset..<offset + 8_000])
        // From now on positions are exact.
        var later = try DecodingBench(bytes, hasAllAtHand: true)
        later.file.kept = bench.file.kept
        try expectSameFrames(&later, at: saved.nanoseconds / 1_000_000, whole)
    }

    @Test func aSeekLaterInASessionIsNotTakenForAnEstimatedPosition() throws {
        let bytes = try Self.loudBeginning()
        let (whole, _) = try Self.whole(bytes)
        let (saved, _, kept) = try listened(bytes, after: 36_000, for: 3)
        var bench = try DecodingBench(bytes, hasAllAtHand: true)
        bench.file.kept = kept
        _ = try bench.seek(to: saved)
        try expectSameFrames(&bench, at: saved.nanoseconds / 1_000_000, whole)
    }

    @Test func aPositionFarFromTheEstimatedOnesIsSoughtAsAnyOther() throws {
        let bytes = try Self.loudBeginning()
        let (whole, _) = try Self.whole(bytes)
        let kept = try listened(bytes, after: 36_000, for: 3).kept
        var bench = try DecodingBench(bytes, hasAllAtHand: true)
        bench.file.kept = kept
        try expectSameFrames(&bench, at: 20_000, whole)
    }

    @Test func estimatedPlacesOfOtherBytesDoNotMislead() throws {
        let bytes = try Self.loudBeginning()
        let (saved, _, kept) = try listened(bytes, after: 36_000, for: 3)
        let turn = try DecodingBench.fixture("stereo-vbr-without-table.mp3")
        // The same first frame and length.
        let other = Array(
            (Array(bytes.prefix(turn.count)) + Array(bytes[(turn.count + 777)...]) + turn).prefix(bytes.count))
        var bench = try DecodingBench(other)
        bench.file.kept = kept
        _ = try bench.seek(to: saved)
        try expectEqual(bench.run(atLeast: 44_100).first?.start, saved.frames(rate: 44_100))
    }

    @Test func aSeekByTheIndexReadsLittle() throws {
        let bytes = try Self.file(.withoutTable)
        let (whole, kept) = try Self.whole(bytes)
        var bench = try DecodingBench(bytes)
        bench.file.kept = kept
        try bench.open()
        bench.forgetWhatWasFed()
        try expectSameFrames(&bench, at: 36_000, whole)
        #expect(bench.fed.reduce(0) { $0 + $1.count } < 100_000)
    }

    @Test func anIndexOfOtherBytesOfTheSameLengthDoesNotMislead() throws {
        let bytes = try Self.file(.withoutTable)
        let (_, kept) = try Self.whole(bytes)
        // The same beginning, then frames elsewhere: the turns begin later.
        let turn = try DecodingBench.fixture("stereo-vbr-without-table.mp3")
        let part = turn.count / 6
        var other = Array(turn[..<part]) + Array(turn[(turn.count / 2)...])
        other += Array(repeatElement(turn, count: 7).joined())
        other = Array(other.prefix(bytes.count))
        let whole = try Self.whole(other).run
        var bench = try DecodingBench(other, hasAllAtHand: true)
        bench.file.kept = kept
        try expectSameFrames(&bench, at: 30_000, whole)
        #expect(bench.file.kept != kept)
    }

    @Test func aDamagedIndexIsUsedUpToTheDamage() throws {
        let bytes = try Self.file(.withoutTable)
        let (whole, kept) = try Self.whole(bytes)
        for place in stride(from: 3, to: kept.count, by: kept.count / 40) {
            var bench = try DecodingBench(bytes, hasAllAtHand: true)
            bench.file.kept = kept
            bench.file.kept[place] ^= 1
            try expectSameFrames(&bench, at: 33_000, whole)
        }
    }

    @Test func theIndexGrowsWhereAnEarlierSessionEnded() throws {
        let bytes = try Self.file(.withoutTable)
        let (whole, kept) = try Self.whole(bytes)
        var first = try DecodingBench(bytes)
        _ = try first.run(atLeast: 44_100 * 15)
        var second = try DecodingBench(bytes)
        second.file.kept = first.file.kept
        _ = try second.seek(to: MediaTime(milliseconds: 10_000))
        _ = try second.run()
        expectEqual(second.file.kept, kept)
        expectEqual(second.decoder.info?.duration, MediaTime(frames: whole.end, rate: 44_100))
        expectEqual(second.decoder.info?.isExact, true)
    }

    /// A file of 80 seconds whose bit rate is lower after the beginning, so that estimates lead too far.
    private static func loudBeginning() throws -> [UInt8] {
        let turn = try DecodingBench.fixture("stereo-vbr-without-table.mp3")
        return Array(turn[(turn.count / 2)...]) + Array(repeatElement(turn, count: 12).joined())
    }

    @Test func anEstimatedPositionIsCorrectedWhilePlayingOnceTheBytesBeforeAreAvailable() throws {
        let bytes = try Self.loudBeginning()
        let (whole, _) = try Self.whole(bytes)
        var bench = try DecodingBench(bytes)
        _ = try bench.run(atLeast: 44_100)
        _ = try bench.seek(to: MediaTime(milliseconds: 36_000))
        let estimated = try bench.run(atLeast: 44_100 * 4)
        try #require(estimated.count == 1)
        bench.file.availableEnd = Int64(bytes.count)
        let corrected = try bench.run(atLeast: 44_100 * 4)
        let exact = try #require(corrected.last)
        #expect(exact.start != estimated[0].end)
        let offset = Int(exact.start) * 2
        let count = min(exact.samples.count, whole.samples.count - offset)
        // The filter's ring of 16 slots is turned elsewhere: the same sound, rounded differently.
        #expect(difference(exact.samples[..<count], whole.samples[offset..<offset + count]) < 1e-5)
        // From now on the place is exact, and so is the duration.
        _ = try bench.run()
        expectEqual(bench.decoder.info?.duration, MediaTime(frames: whole.end, rate: 44_100))
        expectEqual(bench.decoder.info?.isExact, true)
    }

    @Test func anEstimateStaysWhereBytesAreMissing() throws {
        let bytes = try Self.loudBeginning()
        var bench = try DecodingBench(bytes)
        _ = try bench.run(atLeast: 44_100)
        _ = try bench.seek(to: MediaTime(milliseconds: 36_000))
        bench.file.availableEnd = Int64(bytes.count / 5)
        bench.forgetWhatWasFed()
        try expectEqual(bench.run().count, 1)
        expectEqual(bench.decoder.info?.isExact, false)
        #expect(bench.fed.allSatisfy { $0.lowerBound > bytes.count / 5 })
    }
}
