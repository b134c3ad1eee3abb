import AVDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Recordings of unusual rates, channels and lengths, made as they are read.
struct UnusualWaveTests {
    /// How the lengths of a file beyond 4 GiB are written.
    enum Lengths: CaseIterable {
        /// RF64 (EBU Tech 3306).
        case wide
        /// The largest number, as recorders write that do not know them.
        case unknown
    }

    /// A file of 16-bit samples, each of which says where it is.
    private final class Wave: DecoderInput {
        let header: [UInt8]
        let rate: Int
        let channels: Int
        let length: Int64?

        init(rate: Int, channels: Int, frames: Int64, lengths: Lengths = .wide) {
            let size = frames * Int64(channels) * 2
            let isLong = size > Int64(UInt32.max) - 100
            func little(_ value: Int64, _ count: Int) -> [UInt8] {
                (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            }
            let short = isLong ? Int64(UInt32.max) : size
            var header = Array((isLong && lengths == .wide ? "RF64" : "RIFF").utf8)
            header += little(isLong ? short : size + 36, 4) + Array("WAVE".utf8)
            if isLong, lengths == .wide {
                header += Array("ds64".utf8) + little(28, 4) + little(size + 72, 8) + little(size, 8)
                header += little(frames, 8) + little(0, 4)
            }
            let frameSize = Int64(channels * 2)
            header += Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(Int64(channels), 2)
            header += little(Int64(rate), 4) + little(Int64(rate) * frameSize, 4) + little(frameSize, 2) + little(16, 2)
            header += Array("data".utf8) + little(short, 4)
            (self.header, self.rate, self.channels) = (header, rate, channels)
            length = Int64(header.count) + size
        }

        /// The sample at a place, the same in all channels.
        private func sample(_ place: Int64) -> Int16 { Int16(truncatingIfNeeded: place &* 31 &+ place >> 14) }

        /// Samples from a frame on, as they are decoded.
        func decoded(from frame: Int64, count: Int64 = 64) -> [Float] {
            (0..<count).map { Float(sample(frame * Int64(channels) + $0)) / 32_768 }
        }

        func available(at offset: Int64) -> Int64 { max(0, (length ?? 0) - offset) }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
            let count = Int(max(0, min((length ?? 0) - offset, Int64(buffer.count))))
            for index in 0..<count {
                let place = offset + Int64(index)
                if place < Int64(header.count) {
                    buffer[index] = header[Int(place)]
                } else {
                    let inside = place - Int64(header.count)
                    let value = UInt16(bitPattern: sample(inside / 2))
                    buffer[index] = UInt8(truncatingIfNeeded: inside % 2 == 0 ? value : value >> 8)
                }
            }
            return count
        }
    }

    /// The next samples, and the frame of the first.
    private func next(_ decoder: AVDecoder) throws -> (frame: Int64, samples: [Float]) {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)
        defer { output.deallocate() }
        while true {
            let result = Result { try decoder.decode(into: output) }
            if case .failure(let error) = result, error as? DecoderError == .interrupted { continue }
            switch try result.get() {
            case .produced(let bytes, let frame):
                return (frame, Array(UnsafeRawBufferPointer(rebasing: output[..<bytes]).bindMemory(to: Float.self)))
            case .formatChanged: continue
            case .ended: return (-1, [])
            }
        }
    }

    @Test(arguments: [(96_000, 2), (8_000, 1), (48_000, 8), (44_100, 6)])
    func ratesAndChannelsAreThoseOfTheFile(_ rate: Int, _ channels: Int) throws {
        let wave = Wave(rate: rate, channels: channels, frames: Int64(rate) * 3)
        let decoder = AVDecoder()
        let info = try decoder.open(wave)
        expectEqual(info.format, PCMFormat(rate: rate, channels: channels, type: .float32))
        expectEqual(info.duration, MediaTime(seconds: 3))
        let target = try decoder.seek(to: MediaTime(seconds: 2))
        let found = try next(decoder)
        #expect(target == Int64(rate) * 2 && found.frame == target)
        expectEqual(found.samples.prefix(64), wave.decoded(from: target)[...])
    }

    @Test(arguments: Lengths.allCases) func aFileOfFiveGigabytesIsSoughtToItsEnd(_ lengths: Lengths) throws {
        let wave = Wave(rate: 44_100, channels: 2, frames: 1_250_000_000, lengths: lengths)
        let decoder = AVDecoder()
        let info = try decoder.open(wave)
        let duration = try #require(info.duration)
        #expect(abs(duration.seconds - 1_250_000_000.0 / 44_100) < 0.01)
        for second in [28_000.0, 10, 24_500] {
            let target = try decoder.seek(to: MediaTime(seconds: second))
            let found = try next(decoder)
            #expect(found.frame == target && target == Int64(second * 44_100))
            expectEqual(found.samples.prefix(64), wave.decoded(from: target)[...])
        }
    }
}
