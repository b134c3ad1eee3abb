import AVDecoding
import Foundation
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Seeks with the index of an earlier session, in a sweep that sounds different at each moment.
struct AVIndexTests {
    /// A file whose bytes are available up to a place, and what the decoder keeps.
    private final class Kept: DecoderInput {
        private let bytes: [UInt8]
        var kept: [UInt8]
        var availableEnd: Int64

        init(_ bytes: [UInt8], kept: [UInt8] = [], availableEnd: Int64 = 0) {
            self.bytes = bytes
            self.kept = kept
            self.availableEnd = availableEnd
        }

        var length: Int64? { Int64(bytes.count) }
        func available(at offset: Int64) -> Int64 { max(0, availableEnd - offset) }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
            let count = Int(max(0, min(Int64(bytes.count) - offset, Int64(buffer.count))))
            if count > 0 { buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count]) }
            return count
        }
        func storedBytes(atMost count: Int) -> [UInt8] { Array(kept.prefix(count)) }
        func store(_ new: [UInt8], at offset: Int) {
            kept += Array(repeating: 0, count: max(0, offset + new.count - kept.count))
            kept.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }

    private struct Run {
        var start: Int64
        var samples: [Float]
    }

    private static func file(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Repeats the call after an interruption, as the decoder's program does.
    private static func step(
        _ decoder: AVDecoder, _ output: UnsafeMutableRawBufferPointer
    ) throws -> DecodeStep {
        let result = Result { try decoder.decode(into: output) }
        if case .failure(let error) = result, error as? DecoderError == .interrupted {
            return try decoder.decode(into: output)
        }
        return try result.get()
    }

    /// Decodes a number of frames.
    private static func decode(_ decoder: AVDecoder, _ frames: Int = .max) throws -> [Run] {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)
        defer { output.deallocate() }
        var runs: [Run] = []
        while runs.reduce(0, { $0 + $1.samples.count }) < frames {
            switch try step(decoder, output) {
            case .produced(let bytes, let frame):
                let samples = Array(output.bindMemory(to: Float.self)[..<(bytes / 4)])
                // No second reference to the samples, with which appending would copy them all.
                if runs.last.map({ $0.start + Int64($0.samples.count) }) == frame {
                    runs[runs.count - 1].samples += samples
                } else {
                    runs.append(Run(start: frame, samples: samples))
                }
            case .formatChanged: break
            case .ended: return runs
            }
        }
        return runs
    }

    /// The number of frames by which a run is late, by comparing it with the whole: 0 if its position is right.
    private static func shift(_ run: Run, in whole: [Float]) -> Int? {
        let part = Array(run.samples.dropFirst(2048).prefix(300))
        var best: (shift: Int, misfit: Float)?
        // The nearest first. A place is given up as soon as it is worse than another.
        for shift in (0...2100).flatMap({ [$0, -$0] }) {
            let start = Int(run.start) + 2048 + shift
            guard start >= 0, start + part.count <= whole.count else { continue }
            let limit = best?.misfit ?? .infinity
            var (misfit, index) = (Float(0), 0)
            while index < part.count, misfit < limit {
                misfit += abs(part[index] - whole[start + index])
                index += 1
            }
            if misfit < limit { best = (shift, misfit) }
        }
        return best?.shift
    }

    /// The FLAC file has no table of places.
    private static let names = [
        "sweep.aac", "sweep-opus.webm", "sweep-vorbis.webm", "sweep.ogg", "sweep.opus", "sweep.m4a", "sweep.flac",
        "sweep.ac3",
    ]

    @Test(arguments: names) func aPositionIsTheSameFrameInALaterSession(_ name: String) throws {
        let bytes = try Self.file(name)
        let first = AVDecoder()
        let input = Kept(bytes)
        _ = try first.open(input)
        let whole = try #require(Self.decode(first).first).samples
        #expect(!input.kept.isEmpty)
        for milliseconds: Int64 in [9_876, 4_321, 12_000, 700] {
            let decoder = AVDecoder()
            let info = try decoder.open(Kept(bytes, kept: input.kept))
            let target = try decoder.seek(to: MediaTime(milliseconds: milliseconds))
            let run = try #require(Self.decode(decoder, 6000).first)
            expectEqual(run.start, target)
            expectEqual(target, MediaTime(milliseconds: milliseconds).frames(rate: info.format.rate))
            expectEqual(Self.shift(run, in: whole), 0, "at \(milliseconds) ms")
        }
    }

    @Test func framesWithoutTimesAreCountedIfTheBytesAreAvailable() throws {
        let bytes = try Self.file("sweep.aac")
        let first = AVDecoder()
        _ = try first.open(Kept(bytes))
        let whole = try #require(Self.decode(first).first).samples
        let decoder = AVDecoder()
        _ = try decoder.open(Kept(bytes, availableEnd: Int64(bytes.count)))
        _ = try decoder.seek(to: MediaTime(milliseconds: 11_000))
        let run = try #require(Self.decode(decoder, 6000).first)
        expectEqual(run.start, 11 * 44_100)
        expectEqual(Self.shift(run, in: whole), 0)
    }

    @Test func anEstimatedPositionIsTheSameInstantInALaterSession() throws {
        let (tone, sweep) = (try Self.file("tone.aac"), try Self.file("sweep.aac"))
        // The bit rate at the beginning leads estimates astray.
        var bytes = Array(repeatElement(tone, count: 3).joined())
        while bytes.count < sweep.count * 7 { bytes += sweep }
        let reference = AVDecoder()
        _ = try reference.open(Kept(bytes))
        let whole = try #require(Self.decode(reference).first).samples
        let input = Kept(bytes)
        let first = AVDecoder()
        _ = try first.open(input)
        _ = try first.seek(to: MediaTime(seconds: 33))
        let heard = try #require(Self.decode(first, 44_100 * 4).first)
        let saved = MediaTime(seconds: 35)
        let offset = Int(saved.frames(rate: 44_100) - heard.start)
        let sound = heard.samples[(offset + 2048)..<(offset + 4048)]

        let near = AVDecoder()
        _ = try near.open(Kept(bytes, kept: input.kept))
        try expectEqual(near.seek(to: saved), saved.frames(rate: 44_100))
        let again = try #require(Self.decode(near, 6000).first)
        expectEqual(again.start, saved.frames(rate: 44_100))
        #expect(zip(again.samples[2048...], sound).allSatisfy { abs($0 - $1) < 1e-4 })

        let counting = AVDecoder()
        _ = try counting.open(Kept(bytes, kept: input.kept, availableEnd: Int64(bytes.count)))
        let counted = try counting.seek(to: saved)
        #expect(counted != saved.frames(rate: 44_100))
        let exact = try #require(Self.decode(counting, 6000).first)
        #expect(exact.start == counted && Self.shift(exact, in: whole) == 0)
        #expect(zip(exact.samples[2048...], sound).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    @Test func anIndexOfOtherBytesDoesNotMislead() throws {
        let bytes = try Self.file("sweep.aac")
        let input = Kept(bytes)
        let first = AVDecoder()
        _ = try first.open(input)
        _ = try Self.decode(first)
        // Two hundred frames less at the beginning, and as many bytes at the end.
        var frames: [Range<Int>] = []
        var place = 0
        while place + 7 < bytes.count {
            let length = Int(bytes[place + 3] & 3) << 11 | Int(bytes[place + 4]) << 3 | Int(bytes[place + 5]) >> 5
            frames.append(place..<place + length)
            place += length
        }
        let removed = frames[1..<200].reduce(0) { $0 + $1.count }
        let other = Array(bytes[frames[0]]) + Array(bytes[frames[200].lowerBound...]) + bytes.prefix(removed)
        expectEqual(other.count, bytes.count)
        let counted = AVDecoder()
        _ = try counted.open(Kept(other))
        let whole = try #require(Self.decode(counted).first).samples
        let decoder = AVDecoder()
        _ = try decoder.open(Kept(other, kept: input.kept, availableEnd: Int64(other.count)))
        _ = try decoder.seek(to: MediaTime(milliseconds: 6_000))
        let runs = try Self.decode(decoder, 40_000)
        expectEqual(Self.shift(try #require(runs.first), in: whole), 0)
    }

    @Test func damagedIndexesAreHarmless() throws {
        let bytes = try Self.file("sweep-opus.webm")
        let input = Kept(bytes)
        let first = AVDecoder()
        _ = try first.open(input)
        _ = try Self.decode(first)
        for place in stride(from: 0, to: input.kept.count, by: 11) {
            var damaged = input.kept
            damaged[place] ^= 0x40
            let decoder = AVDecoder()
            _ = try decoder.open(Kept(bytes, kept: damaged))
            let target = try decoder.seek(to: MediaTime(milliseconds: 9000))
            // A rounded time at worst.
            #expect(abs(try #require(Self.decode(decoder, 500).first).start - target) <= 48)
        }
    }
}
