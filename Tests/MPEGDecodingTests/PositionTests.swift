import MPEGDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

@Suite struct PositionTests {
    @Test func encoderDelayAndPaddingAreCut() throws {
        var bench = try DecodingBench(DecodingBench.fixture("stereo-cbr-with-info.mp3"))
        let runs = try bench.run()
        try #require(runs.count == 1)
        expectEqual(runs[0].start, 0)
        expectEqual(runs[0].end, 6 * 44_100)
        expectEqual(bench.decoder.info?.duration, MediaTime(milliseconds: 6000))
        expectEqual(bench.decoder.info?.isExact, true)
    }

    @Test func withoutAnInfoFrameEverythingIsPlayed() throws {
        var bench = try DecodingBench(DecodingBench.fixture("stereo-cbr-without-info.mp3"))
        let runs = try bench.run()
        try #require(runs.count == 1)
        expectEqual(runs[0].end % 1152, 0)
        #expect(runs[0].end >= 6 * 44_100)
    }

    @Test(arguments: [
        "stereo-cbr-with-info.mp3", "stereo-vbr-with-table.mp3", "mono-22050-cbr.mp3", "layer2-48000.mp2",
    ])
    func aSeekBackGivesTheSameSamplesToTheBit(_ name: String) throws {
        var bench = try DecodingBench(DecodingBench.fixture(name))
        let whole = try #require(bench.run().first)
        for milliseconds in [0, 1, 400, 1234, 1900] {
            let time = MediaTime(milliseconds: Int64(milliseconds))
            let wanted = try bench.seek(to: time)
            expectEqual(wanted, time.frames(rate: whole.format.rate))
            let part = try #require(bench.run(atLeast: 3000).first)
            expectEqual(part.start, wanted)
            let offset = Int(part.start) * whole.format.channels
            expectEqual(part.samples[...], whole.samples[offset..<offset + part.samples.count])
        }
    }

    @Test func aSeekBackToTheEndEndsAtTheSamePosition() throws {
        var bench = try DecodingBench(DecodingBench.fixture("stereo-cbr-with-info.mp3"))
        let whole = try #require(bench.run().first)
        _ = try bench.seek(to: MediaTime(milliseconds: 5900))
        let part = try #require(bench.run().first)
        expectEqual(part.end, whole.end)
        expectEqual(difference(part.samples[...], whole.samples[(5_900 * 441 / 10 * 2)...]), 0)
    }

    @Test func aSeekIntoUnknownPartsOfAConstantBitRateIsExactToAFrame() throws {
        // Longer than what a decoder would rather decode through: the same 6 s seven times.
        let one = try DecodingBench.fixture("stereo-cbr-without-info.mp3")
        let file = Array(repeatElement(one, count: 7).joined())
        var straight = try DecodingBench(file)
        let whole = try #require(straight.run().first)
        var bench = try DecodingBench(file, hasAllAtHand: true)
        _ = try bench.run(atLeast: 4000)
        let wanted = try bench.seek(to: MediaTime(milliseconds: 36_500))
        let part = try #require(bench.run(atLeast: 8000).first)
        expectEqual(part.start, wanted)
        // The first MPEG frames after a seek lack the frames before them; the decoder has skipped them.
        let offset = Int(part.start) * 2
        #expect(difference(part.samples[...], whole.samples[offset..<offset + part.samples.count]) < 1e-5)
        // Nothing in between was read.
        #expect(!bench.fed.contains { (60_000..<200_000).contains($0.lowerBound) })
    }

    @Test func afterLittleDecodingAFarSeekAtAConstantBitRateIsExactToo() throws {
        // Padding makes each MPEG frame a byte longer or shorter than the rate says; only 49 of them are whole bytes.
        let one = try DecodingBench.fixture("mono-22050-cbr.mp3")
        let round = one[104..<104 + 5120]
        let file = Array(repeatElement(round, count: 1000).joined())
        for heard in [10_000, 40_000, 50_000, 60_000, 100_000] as [Int64] {
            var bench = try DecodingBench(file)
            _ = try bench.run(atLeast: heard)
            let wanted = try bench.seek(to: MediaTime(milliseconds: 1_250_000))
            let part = try #require(bench.run(atLeast: 8000).first)
            expectEqual(part.start, wanted)
            // Where the first MPEG frame lies that was read tells what sounds.
            let landed = try #require(bench.fed.last { $0.lowerBound > 4_000_000 })
            #expect(landed.lowerBound < 5_000_000)
            // One round is like the other: what comes is what the second one has at the same place.
            var straight = try DecodingBench(file)
            let whole = try #require(straight.run(atLeast: 4 * 28_224).first)
            let place = 28_224 + Int(part.start % 28_224)
            #expect(
                difference(part.samples[...], whole.samples[place..<place + part.samples.count]) < 1e-5,
                "after \(heard) frames")
        }
    }

    @Test func aSeekByTheTableLandsNear() throws {
        let file = try DecodingBench.fixture("stereo-vbr-with-table.mp3")
        var bench = try DecodingBench(file)
        _ = try bench.run(atLeast: 1)
        _ = try bench.seek(to: MediaTime(milliseconds: 4000))
        let part = try #require(bench.run(atLeast: 1).first)
        expectEqual(part.start, 4 * 44_100)
    }

    @Test func aStartInTheMiddleIsOneSeek() throws {
        var bench = try DecodingBench(DecodingBench.fixture("stereo-cbr-with-info.mp3"))
        _ = try bench.seek(to: MediaTime(milliseconds: 3000))
        let part = try #require(bench.run().first)
        expectEqual(part.start, 3 * 44_100)
        expectEqual(part.end, 6 * 44_100)
    }

    @Test func aSeekBeyondTheEndEnds() throws {
        var bench = try DecodingBench(DecodingBench.fixture("stereo-cbr-with-info.mp3"))
        _ = try bench.seek(to: MediaTime(milliseconds: 60_000))
        #expect(try bench.run().isEmpty)
    }

    @Test func piecesOfOneByteMakeNoDifference() throws {
        let file = try DecodingBench.fixture("mono-22050-cbr.mp3")
        var large = try DecodingBench(file)
        var small = try DecodingBench(file)
        small.file.piece = 1
        try expectEqual(large.run(), small.run())
    }

    @Test func theFormatMayChangeInsideAFileAndTimeContinues() throws {
        let first = try DecodingBench.fixture("stereo-cbr-without-info.mp3")
        let second = try DecodingBench.fixture("mono-22050-cbr.mp3")
        var bench = try DecodingBench(first + second)
        let runs = try bench.run()
        try #require(runs.map(\.format.rate) == [44_100, 22_050])
        try #require(runs.map(\.format.channels) == [2, 1])
        let seam = MediaTime(frames: runs[0].end, rate: 44_100)
        expectEqual(runs[1].start, seam.frames(rate: 22_050))
        _ = try bench.seek(to: MediaTime(milliseconds: 8000))
        let later = try #require(bench.run(atLeast: 100).first)
        expectEqual(later.format.rate, 22_050)
        expectEqual(later.start, 8 * 22_050)
        _ = try bench.seek(to: MediaTime(milliseconds: 1000))
        let earlier = try #require(bench.run(atLeast: 100).first)
        expectEqual(earlier.format.rate, 44_100)
        expectEqual(earlier.start, 44_100)
    }
}
