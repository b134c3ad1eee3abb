import MPEGDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

@Suite struct DamageTests {
    /// Bytes that repeat on every run.
    private func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    private func seconds(_ file: [UInt8]) throws -> Double {
        var bench = try DecodingBench(file)
        bench.file.piece = 16_384
        return try bench.run().reduce(0) { $0 + Double($1.samples.count / $1.format.channels) / Double($1.format.rate) }
    }

    @Test(arguments: [1000, 100_000, 700_000])
    func junkInFrontIsSearchedThrough(_ count: Int) throws {
        let file = [UInt8](repeating: 0, count: count) + (try DecodingBench.fixture("stereo-cbr-without-info.mp3"))
        #expect(try seconds(file) >= 6)
    }

    @Test func aHoleInTheMiddleCostsNoMoreThanItself() throws {
        var file = try DecodingBench.fixture("stereo-cbr-with-info.mp3")
        file.replaceSubrange(20_000..<28_000, with: [UInt8](repeating: 0, count: 8000))
        #expect(try seconds(file) > 4.6)
    }

    @Test func longJunkInsideAFileIsSkipped() throws {
        let part = try DecodingBench.fixture("stereo-cbr-without-info.mp3")
        #expect(try seconds(part + [UInt8](repeating: 0x20, count: 3_000_000) + part) > 11.5)
    }

    @Test(arguments: [20_000, 3_000_000]) func noiseInsideAFileIsReportedWithItsPlace(_ count: Int) throws {
        let part = try DecodingBench.fixture("stereo-cbr-without-info.mp3")
        var bench = try DecodingBench(part + [UInt8](repeating: 0x20, count: count) + part)
        bench.file.piece = 16_384
        _ = try bench.run()
        let damage = try #require(bench.decoder.info?.damage)
        #expect((5.9...6.1).contains(damage.seconds), "\(damage)")
        expectEqual(
            bench.decoder.info?.damageReport?.message,
            "the file is damaged at \(damage); bytes that are no audio were left out there")
    }

    @Test func tagsPartsOfFramesAndWholeFilesAreNoDamage() throws {
        let part = try DecodingBench.fixture("stereo-cbr-without-info.mp3")
        let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0x40, 0] + [UInt8](repeating: 0xFF, count: 0x2000)
        for middle in [[], tag, Array(part.suffix(300)), Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)] {
            var bench = try DecodingBench(part + middle + part)
            _ = try bench.run()
            expectEqual(bench.decoder.info?.damage, nil)
        }
    }

    @Test func flippedBitsKeepTheTime() throws {
        var file = try DecodingBench.fixture("stereo-cbr-with-info.mp3")
        for (index, byte) in noise(40).enumerated() { file[2000 + index * 900] ^= 1 << (byte % 8) }
        #expect(try seconds(file) > 5.5)
    }

    @Test func aTagInTheMiddleIsSkipped() throws {
        let part = try DecodingBench.fixture("stereo-cbr-without-info.mp3")
        var tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0x40, 0]
        tag += [UInt8](repeating: 0xFF, count: 0x2000)
        #expect(try seconds(part + tag + part) > 11.8)
    }

    @Test func aTruncatedFileIsPlayedToItsEnd() throws {
        let file = try DecodingBench.fixture("stereo-cbr-with-info.mp3")
        var bench = try DecodingBench(Array(file.prefix(file.count / 2)))
        let end = try #require(bench.run().last?.end)
        #expect((2 * 44_100..<3 * 44_100 + 2000).contains(end))
        expectEqual(bench.decoder.info?.duration, MediaTime(frames: end, rate: 44_100))
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><body>Not here</body></html>", "a web page"), ("{\"error\": 404}", "JSON"),
        ("#EXTM3U\nhttp://example.test/1.mp3\n", "a playlist"), ("%PDF-1.4 and so on and on", "PDF"),
        ("OggS\0\u{2}something that goes on for some bytes", "Ogg"),
        ("\0\0\0\u{20}ftypM4A and more bytes, more, more", "MP4/AAC"),
    ])
    func otherFormatsAreNamed(_ contents: String, _ name: String) throws {
        var bench = try DecodingBench(Array(contents.utf8))
        #expect(throws: DecoderError.notAudio(looksLike: name)) { try bench.run() }
    }

    @Test func aFileWithoutBytesIsNotAudio() throws {
        var bench = try DecodingBench([])
        #expect(throws: DecoderError.notAudio(looksLike: "an empty file")) { try bench.run() }
    }

    @Test func aMegabyteWithoutTwoFramesIsNotAudio() throws {
        var bench = try DecodingBench([UInt8](repeating: 0, count: 40 << 20))
        bench.file.piece = 16_384
        #expect(throws: DecoderError.notAudio(looksLike: nil)) { try bench.run() }
        #expect(try #require(bench.fed.last).upperBound < 2 << 20)
    }

    @Test func noiseNeverCrashesNorRunsForEver() throws {
        for seed in 1..<40 as Range<UInt64> {
            var file = noise(30_000, seed: seed)
            if seed % 2 == 0 {
                file = Array("ID3".utf8) + [UInt8(seed % 5), 0, noise(1, seed: seed)[0], 0, 0, 60, 0] + file
            }
            if seed % 3 == 0 { file += try DecodingBench.fixture("mono-22050-cbr.mp3") }
            var bench = try DecodingBench(file)
            do { _ = try bench.run() } catch is DecoderError {}
        }
    }

    @Test func aHostileInfoFrameCannotHurt() throws {
        let file = try DecodingBench.fixture("stereo-cbr-with-info.mp3")
        let start = try #require((0..<200).first { file[$0...].starts(with: Array("Info".utf8)) })
        for value: UInt8 in [0, 0x7F, 0xFF] {
            for range in [
                start + 4..<start + 8, start + 8..<start + 12, start + 12..<start + 16, start + 8..<start + 160,
            ] {
                var hostile = file
                hostile.replaceSubrange(range, with: [UInt8](repeating: value, count: range.count))
                var bench = try DecodingBench(hostile)
                _ = try bench.run(atLeast: 1)
                for time in [1.0, 5.9, 1e6] {
                    _ = try bench.seek(to: MediaTime(seconds: time))
                    _ = try bench.run(atLeast: 1)
                }
            }
        }
    }
}
