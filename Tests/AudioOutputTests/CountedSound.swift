@testable import AudioOutput
import MediaPorts

/// A sound whose frames are numbers from 1, so that a recording shows which of them were heard: the left sample counts from 1 to
/// 30,000, and the right one counts how often it began again.
struct CountedSound {
    static let format = PCMFormat(rate: 48_000, channels: 2, type: .int16)
    private static let period = 30_000
    /// The frames that may still be heard.
    private(set) var written = 0

    /// Writes frames of 0.1 s at a time.
    mutating func write(_ count: Int, to sink: any Sink) throws {
        for begin in stride(from: written, to: written + count, by: 4_800) {
            let samples = (begin..<min(begin + 4_800, written + count)).flatMap { frame in
                [Int16(frame % Self.period + 1), Int16(frame / Self.period + 1)]
            }
            try AudioOutputTests.write(samples.withUnsafeBytes { Array($0) }, to: sink)
        }
        written += count
    }

    /// The last frames were removed.
    mutating func forget(_ count: Int) { written -= count }

    /// The numbers that were heard, in ranges that follow each other without a gap or with silence between.
    static func ranges(in recording: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var expected: Int?
        recording.withUnsafeBytes { bytes in
            for offset in stride(from: 0, through: bytes.count - 4, by: 4) {
                let place = Int(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
                let turn = Int(bytes.loadUnaligned(fromByteOffset: offset + 2, as: Int16.self)) - 1
                let number = place + turn * Self.period
                if place == 0 {
                    expected = nil
                } else if number == expected, let last = ranges.popLast() {
                    ranges.append(last.lowerBound..<number + 1)
                    expected = number + 1
                } else {
                    ranges.append(number..<number + 1)
                    expected = number + 1
                }
            }
        }
        return ranges
    }
}
