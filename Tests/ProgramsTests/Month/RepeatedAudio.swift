@testable import MPEGDecoding
import MediaPorts
import Testing
import TestSupport

/// Episodes of any length, made by repeating half a minute of MPEG frames, and all their expected samples.
struct RepeatedAudio {
    /// Frames of sound per second.
    static let rate = 22_050
    /// The longest episode.
    static let mostRounds = 110
    /// The longest episode as encoded; shorter ones are its beginning.
    let file: [UInt8]
    /// Bytes of one round.
    private let roundBytes: Int
    /// What the first rounds sound like; from the second one on they are all alike.
    private let samples: [Float]
    /// Frames of sound of one round.
    let roundFrames: Int

    init() throws {
        let round = Self.mpegFrames(try fixture("forty-seconds.mp3"))
        roundBytes = round.count
        file = Self.repeated(round, Self.mostRounds)
        samples = try Self.decode(Self.repeated(round, 3))
        roundFrames = samples.count / 3
        try #require(samples.count % 3 == 0)
    }

    func byteCount(rounds: Int) -> Int { roundBytes * rounds }

    /// One copy after another, which is much faster than joining elements while nothing is optimised.
    private static func repeated(_ round: [UInt8], _ count: Int) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(round.count * count)
        for _ in 0..<count { file += round }
        return file
    }

    /// The samples from a frame of an episode on, some of them at least.
    func run(from frame: Int) -> ArraySlice<Float> {
        let index = frame < roundFrames ? frame : roundFrames + frame % roundFrames
        return samples[index..<2 * roundFrames]
    }

    /// The frames of MPEG-2 layer III at 32 kbit/s, without the first one, which describes a file of one round
    /// (ISO/IEC 13818-3, 2.4.2.3: each is 72 × 32,000 / 22,050 bytes, and one more when its padding bit is set).
    private static func mpegFrames(_ file: [UInt8]) -> [UInt8] {
        var frames: [Range<Int>] = []
        var offset = file.indices.first { file[$0] == 0xFF && file[$0 + 1] & 0xE0 == 0xE0 } ?? 0
        while offset + 4 <= file.count, file[offset] == 0xFF {
            let length = 104 + Int(file[offset + 2] >> 1 & 1)
            frames.append(offset..<min(offset + length, file.count))
            offset += length
        }
        // 49 frames are 5,120 bytes: rounds of whole such groups follow one another as one file of constant bit rate. Every
        // eighth frame libmpg123's synthesis is at the same place of its buffer, and sums in the same order.
        let count = (frames.count - 2) / 392 * 392
        return Array(file[frames[1].lowerBound..<frames[count].upperBound])
    }

    private static func decode(_ file: [UInt8]) throws -> [Float] {
        let decoder = try MPEGDecoder()
        let format = try decoder.open(BytesInput(file)).format
        try #require(format == PCMFormat(rate: rate, channels: 1, type: .float32))
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
        defer { output.deallocate() }
        var samples: [Float] = []
        while true {
            switch try decoder.decode(into: output) {
            case .produced(let bytes, _): samples += output.bindMemory(to: Float.self)[..<(bytes / 4)]
            case .formatChanged(let format): Issue.record("another format: \(format)")
            case .ended: return samples
            }
        }
    }
}
