import AVDecoding
import Foundation
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Three seconds of a tone of 440 Hz in each container and codec.
struct AVDecoderTests {
    /// A fixture and what its header says.
    struct Sample: CustomTestStringConvertible, Sendable {
        var name: String
        var container: String
        var codec: String
        var rate = 44_100
        /// Frames of PCM, up to one packet more than the tone.
        var frames: ClosedRange<Int64> = 132_300...134_400
        var hasChapters = false
        var isTagged = true
        /// Whether a seek lands on the frame: the container's times are exact.
        var seeksExactly = true
        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "moov-first.m4a", container: "mp4", codec: "aac", frames: 132_300...132_300, hasChapters: true),
        Sample(
            name: "moov-last.m4a", container: "mp4", codec: "aac", frames: 132_300...132_300, hasChapters: true),
        Sample(name: "fragmented.m4a", container: "mp4", codec: "aac", hasChapters: true),
        Sample(name: "alac.m4a", container: "mp4", codec: "alac", frames: 132_300...132_300, hasChapters: true),
        Sample(
            name: "tone.opus", container: "ogg", codec: "opus", rate: 48_000, frames: 144_000...144_000,
            hasChapters: true),
        Sample(name: "tone.ogg", container: "ogg", codec: "vorbis", frames: 132_300...132_300),
        Sample(name: "tone.flac", container: "flac", codec: "flac", frames: 132_300...132_300),
        Sample(name: "tone.wav", container: "wav", codec: "pcm", rate: 16_000, frames: 48_000...48_000),
        Sample(name: "tone.aac", container: "adts", codec: "aac", isTagged: false, seeksExactly: false),
        Sample(name: "tone.webm", container: "matroska", codec: "vorbis", hasChapters: true, seeksExactly: false),
    ]

    private func file(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Decodes to the end.
    /// - Returns: position of the first frame, and the samples.
    private func decode(_ decoder: AVDecoder) throws -> (start: Int64, samples: [Float]) {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)
        defer { output.deallocate() }
        var start: Int64?
        var samples: [Float] = []
        while true {
            switch try decoder.decode(into: output) {
            case .produced(let bytes, let frame):
                start = start ?? frame
                samples += output.bindMemory(to: Float.self)[..<(bytes / 4)]
            case .formatChanged: break
            case .ended: return (start ?? 0, samples)
            }
        }
    }

    @Test(arguments: samples) func everyFormatIsDescribedAndDecodedToItsEnd(_ sample: Sample) throws {
        let decoder = AVDecoder()
        let info = try decoder.open(BytesInput(file(sample.name)))
        expectEqual(info.container, sample.container)
        expectEqual(info.codec, sample.codec)
        expectEqual(info.format, PCMFormat(rate: sample.rate, channels: 1, type: .float32))
        expectEqual(info.tags["title"], sample.isTagged ? "A test" : nil)
        expectEqual(info.chapters.map(\.title), sample.hasChapters ? ["First", "Second"] : [])
        // Formats without times only allow an estimate.
        expectEqual(info.isExact, sample.container != "adts")
        let (start, samples) = try decode(decoder)
        if info.isExact, let stated = info.duration {
            let decoded = Double(samples.count) / Double(sample.rate)
            #expect(abs(stated.seconds - decoded) < 0.1)
        }
        expectEqual(start, 0)
        expectContains(sample.frames, Int64(samples.count))
        // A sine's mean square is half the square of its height, 1/8 here.
        let power = samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)
        #expect(abs(power - 1.0 / 128) < 0.001)
        expectEqual(decoder.info?.duration, MediaTime(frames: Int64(samples.count), rate: sample.rate))
        expectEqual(decoder.info?.isExact, true)
    }

    @Test(arguments: samples.filter(\.seeksExactly)) func aSeekLandsOnTheFrame(_ sample: Sample) throws {
        let whole = AVDecoder()
        _ = try whole.open(BytesInput(file(sample.name)))
        let all = try decode(whole).samples
        let decoder = AVDecoder()
        _ = try decoder.open(BytesInput(file(sample.name)))
        for milliseconds: Int64 in [1234, 500, 0, 2900] {
            let target = try decoder.seek(to: MediaTime(milliseconds: milliseconds))
            expectEqual(target, milliseconds * Int64(sample.rate) / 1000)
            let (start, part) = try decode(decoder)
            expectEqual(start, target)
            // The tails of codecs with overlapping blocks differ until one block was decoded.
            let settled = 4096
            let wanted = all.dropFirst(Int(start) + settled).prefix(8000)
            let worst = zip(wanted, part.dropFirst(settled)).reduce(0) { max($0, abs($1.0 - $1.1)) }
            #expect(worst < 0.002, "at \(milliseconds) ms")
        }
    }

    @Test(arguments: samples) func aSeekPastTheEndMeasuresNothing(_ sample: Sample) throws {
        let decoder = AVDecoder()
        _ = try decoder.open(BytesInput(file(sample.name)))
        _ = try? decoder.seek(to: MediaTime(seconds: 150))
        // Formats without times may fail instead of ending.
        #expect((try? decode(decoder).samples.isEmpty) ?? !sample.seeksExactly)
        let info = try #require(decoder.info)
        #expect(!info.isExact || (info.duration ?? .zero) < MediaTime(seconds: 4))
    }

    @Test func aSeekInAFormatWithoutTimesIsExactWhereItWasDecoded() throws {
        let decoder = AVDecoder()
        _ = try decoder.open(BytesInput(file("tone.aac")))
        let all = try decode(decoder).samples
        let target = try decoder.seek(to: MediaTime(milliseconds: 2000))
        let (start, part) = try decode(decoder)
        expectEqual(start, target)
        expectEqual(all.count - Int(target), part.count)
    }

    /// A recording that began in the middle of a stream.
    @Test func theTimesOfAnOggFileBeginAtZero() throws {
        let decoder = AVDecoder()
        let stated = try #require(decoder.open(BytesInput(file("from-ten-seconds.opus"))).duration)
        let whole = try decode(decoder)
        expectEqual(whole.start, 0)
        expectEqual(decoder.info?.duration, MediaTime(seconds: 3))
        // FFmpeg's includes the pre-skip of 6.5 ms.
        #expect((3...3.01).contains(stated.seconds))
        try expectEqual(decoder.seek(to: MediaTime(seconds: 2)), 96_000)
        try expectEqual(decode(decoder).samples.count, whole.samples.count - 96_000)
    }

    /// Tones of 300, 600 and 900 Hz, three seconds each, in one file after another.
    @Test func joinedOggFilesAreOneEpisodeWithExactSeeks() throws {
        let decoder = AVDecoder()
        let info = try decoder.open(BytesInput(file("joined.opus")))
        #expect(info.duration == nil && !info.isExact)
        let whole = try decode(decoder)
        expectEqual(whole.samples.count, 432_000)
        expectEqual(decoder.info?.duration, MediaTime(seconds: 9))
        for second in [7, 1, 4] {
            try expectEqual(decoder.seek(to: MediaTime(seconds: Double(second))), Int64(second * 48_000))
            let rest = try decode(decoder)
            expectEqual(rest.start, Int64(second * 48_000))
            #expect(rest.samples.elementsEqual(whole.samples[(second * 48_000)...]))
        }
        _ = try decoder.seek(to: MediaTime(seconds: 20))
        #expect(try decode(decoder).samples.isEmpty)
        expectEqual(decoder.info?.duration, MediaTime(seconds: 9))
    }

    @Test func anOggFileThatWasJoinedToItselfIsCountedToItsEnd() throws {
        let decoder = AVDecoder()
        _ = try decoder.open(BytesInput(file("tone.opus") + file("tone.opus")))
        let whole = try decode(decoder).samples
        // The second part keeps its pre-skip of 312 frames.
        #expect((288_000...288_312).contains(whole.count))
        try expectEqual(decoder.seek(to: MediaTime(seconds: 5)), 240_000)
        let rest = try decode(decoder)
        #expect(rest.start == 240_000 && rest.samples.count == whole.count - 240_000)
    }

    @Test func whatIsNotAudioIsRefused() throws {
        for text in ["#EXTM3U\nhttp://example.test/1.mp3\n", "<html><body>Not found</body></html>", ""] {
            #expect(throws: DecoderError.notAudio(looksLike: nil)) {
                try AVDecoder().open(BytesInput(Array(text.utf8)))
            }
        }
    }

    @Test(arguments: samples) func aFileThatIsCutOffPlaysUpToThere(_ sample: Sample) throws {
        let bytes = try file(sample.name)
        let decoder = AVDecoder()
        do {
            _ = try decoder.open(BytesInput(Array(bytes.prefix(bytes.count * 3 / 4))))
        } catch {
            // Without the table at its end nothing of an MP4 file can be played.
            #expect(sample.name == "moov-last.m4a" || sample.name == "alac.m4a")
            return
        }
        #expect(try decode(decoder).samples.count > sample.rate / 2)
    }

    @Test(arguments: samples) func aWaitThatIsInterruptedContinuesWithoutALoss(_ sample: Sample) throws {
        let whole = AVDecoder()
        _ = try whole.open(BytesInput(file(sample.name)))
        let all = try decode(whole).samples
        let input = HaltingInput(try file(sample.name))
        let decoder = AVDecoder()
        while true {
            do {
                _ = try decoder.open(input)
                break
            } catch DecoderError.interrupted {}
        }
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)
        defer { output.deallocate() }
        var next: Int64 = 0
        while true {
            do {
                let step = try decoder.decode(into: output)
                if step == .ended { break }
                guard case .produced(let bytes, let frame) = step else { continue }
                expectEqual(frame, next)
                next = frame + Int64(bytes / 4)
            } catch DecoderError.interrupted {}
        }
        #expect(abs(next - Int64(all.count)) <= 2048)
    }

    /// Interrupts every read of a place once.
    private final class HaltingInput: DecoderInput {
        private let file: BytesInput
        private var halted: Set<Int64> = []

        init(_ bytes: [UInt8]) { file = BytesInput(bytes) }

        var length: Int64? { file.length }
        func available(at offset: Int64) -> Int64 { 0 }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DecoderError) -> Int {
            guard !halted.insert(offset).inserted else { throw .interrupted }
            return file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(5000)), at: offset)
        }
    }
}
