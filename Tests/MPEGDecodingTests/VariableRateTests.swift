import MPEGDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Far seeks where neither a table nor a constant bit rate says which byte sounds when.
@Suite struct VariableRateTests {
    /// Forty-four seconds: half of it at 32 kbit/s, half at three times as much, in turns.
    private static func file() throws -> [UInt8] {
        let turn = try DecodingBench.fixture("stereo-vbr-without-table.mp3")
        let quiet = Array(turn[..<(turn.count / 6)])
        return quiet + Array(repeatElement(turn, count: 7).joined())
    }

    /// All of it, decoded from the beginning once for all tests.
    private static let decoded = Result { () throws -> DecodingBench.Run in
        var bench = try DecodingBench(file())
        return try #require(bench.run().first)
    }

    private func check(_ bench: inout DecodingBench, at milliseconds: Int64, against whole: DecodingBench.Run) throws {
        let wanted = try bench.seek(to: MediaTime(milliseconds: milliseconds))
        let part = try #require(bench.run(atLeast: 20_000).first)
        #expect(part.start == wanted || wanted == 0)
        expectEqual(part.start, milliseconds * 441 / 10)
        let offset = Int(part.start) * 2
        expectEqual(part.samples[...], whole.samples[offset..<offset + part.samples.count], "at \(milliseconds) ms")
    }

    @Test(arguments: [36_500, 42_000] as [Int64])
    func aFarSeekIsExactWhenTheBytesAreAtHand(_ milliseconds: Int64) throws {
        let whole = try Self.decoded.get()
        var bench = try DecodingBench(Self.file(), hasAllAtHand: true)
        _ = try bench.run(atLeast: 4000)
        try check(&bench, at: milliseconds, against: whole)
        // What was counted once is known from then on, in both directions.
        bench.forgetWhatWasFed()
        try check(&bench, at: milliseconds - 30_000, against: whole)
        #expect(bench.fed.reduce(0) { $0 + $1.count } < 120_000)
    }

    @Test func aStartFarInsideIsExactIfTheBytesAreAvailable() throws {
        let whole = try Self.decoded.get()
        var bench = try DecodingBench(Self.file(), hasAllAtHand: true)
        try check(&bench, at: 40_000, against: whole)
    }

    @Test(arguments: [5_000, 29_000] as [Int64])
    func aStartNearTheBeginningIsExactWhileTheBytesArrive(_ milliseconds: Int64) throws {
        let whole = try Self.decoded.get()
        var bench = try DecodingBench(Self.file())
        try check(&bench, at: milliseconds, against: whole)
    }

    @Test func aFarSeekByACoarseTableIsExactThoughMostFramesHaveOneBitRate() throws {
        let turn = try DecodingBench.fixture("stereo-cbr-with-info.mp3")
        let name = try #require(turn.indices.first { turn[$0...].starts(with: "Info".utf8) })
        let audio = turn[208...]
        var file = turn + Array(repeatElement(audio, count: 19).joined())
        func write(_ number: Int, at place: Int) {
            for byte in 0..<4 { file[place + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
        }
        // As LAME marks a variable bit rate, with a table of 256 steps.
        file.replaceSubrange(name..<name + 4, with: "Xing".utf8)
        let frames = turn[(name + 8)..<(name + 12)].reduce(0) { $0 << 8 | Int($1) }
        write(frames * 20, at: name + 8)
        write(file.count, at: name + 12)
        for step in 0..<100 { file[name + 16 + step] = UInt8(step * 256 / 100) }
        var straight = try DecodingBench(file)
        let whole = try #require(straight.run().first)
        var bench = try DecodingBench(file, hasAllAtHand: true)
        try check(&bench, at: 100_000, against: whole)
    }

    /// The first frames have three times the bit rate of the others, so the estimate of the length is far too short.
    @Test func aStartPastATooShortEstimateIsFoundByCounting() throws {
        let turn = try DecodingBench.fixture("stereo-vbr-without-table.mp3")
        let loud = turn[(turn.count / 2)...]
        let file = Array(loud) + Array(repeatElement(turn[..<(turn.count / 6)], count: 12).joined())
        var straight = try DecodingBench(file)
        let whole = try #require(straight.run().first)
        var bench = try DecodingBench(file)
        try bench.open()
        let estimate = try #require(bench.decoder.info?.duration)
        let late = whole.end * 10 / 441 - 2000
        #expect(MediaTime(milliseconds: late) > estimate)
        try check(&bench, at: late, against: whole)
    }

    @Test func aStartPastTheEndOfAConstantBitRateReadsLittle() throws {
        let turn = try DecodingBench.fixture("stereo-cbr-without-info.mp3")
        let file = Array(repeatElement(turn, count: 20).joined())
        var bench = try DecodingBench(file)
        _ = try bench.seek(to: MediaTime(milliseconds: 1_000_000))
        #expect(try bench.run().isEmpty)
        #expect(bench.fed.reduce(0) { $0 + $1.count } < file.count / 2)
    }

    @Test func theDurationIsMeasuredAfterAFarSeekOnlyIfFramesWereCounted() throws {
        // The first frame has a low bit rate, so that the target is before the estimated end.
        let file = Array(try Self.file().dropFirst(652))
        var straight = try DecodingBench(file)
        let whole = try #require(straight.run().first).end
        for hasAllAtHand in [true, false] {
            var bench = try DecodingBench(file, hasAllAtHand: hasAllAtHand)
            _ = try bench.run(atLeast: 4000)
            _ = try bench.seek(to: MediaTime(milliseconds: 40_000))
            _ = try bench.run()
            let info = try #require(bench.decoder.info)
            expectEqual(info.isExact, hasAllAtHand)
            if hasAllAtHand { expectEqual(info.duration, MediaTime(frames: whole, rate: 44_100)) }
        }
    }

    @Test func countingStopsWhereBytesAreMissing() throws {
        let file = try Self.file()
        var bench = try DecodingBench(file)
        _ = try bench.run(atLeast: 4000)
        // Enough for where the estimate leads, and not enough for the target.
        let estimate = try bench.seek(to: MediaTime(milliseconds: 40_000))
        expectEqual(estimate, 40_000 * 441 / 10)
        _ = try bench.run(atLeast: 1)
        let reached = try #require(bench.fed.last).upperBound
        var partial = try DecodingBench(file)
        partial.file.availableEnd = reached + 10_000
        _ = try partial.run(atLeast: 4000)
        _ = try partial.seek(to: MediaTime(milliseconds: 40_000))
        let part = try #require(partial.run(atLeast: 1).first)
        expectEqual(part.start, 40_000 * 441 / 10)
        // The decoder skipped missing bytes instead of asking for all of them.
        #expect(partial.fed.reduce(0) { $0 + $1.count } < reached + 100_000)
    }
}
