import Foundation
import MPEGDecoding
import MediaPorts
import PodcastModel
import Testing

/// A decoder with a file in memory that feeds it, as the host does.
struct DecodingBench: CustomStringConvertible {
    var description: String { "a file of \(file.count) bytes" }

    /// One run of frames.
    struct Run: Equatable {
        var format: PCMFormat
        var start: Int64
        var samples: [Float]
        var end: Int64 { start + Int64(samples.count / format.channels) }
    }

    let file: [UInt8]
    let decoder: MPEGDecoder
    var piece = 4096
    /// Bytes that were asked for.
    private(set) var fed: [Range<Int64>] = []
    private var format: PCMFormat?
    private let output = Output()

    /// Where a decoder writes.
    private final class Output {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_472, alignment: 64)
        deinit { bytes.deallocate() }
    }

    /// - Parameter hasAllAtHand: whether every byte of the file is available.
    init(_ file: [UInt8], knowsLength: Bool = true, hasAllAtHand: Bool = false) throws {
        self.file = file
        decoder = try MPEGDecoder()
        if knowsLength { decoder.setLength(Int64(file.count)) }
        if hasAllAtHand { decoder.setBytesAtHand { [count = Int64(file.count)] in max(0, count - $0) } }
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    mutating func forgetWhatWasFed() { fed = [] }

    /// Decodes until this number of frames, or the end.
    mutating func run(atLeast frames: Int64 = .max) throws -> [Run] {
        var runs: [Run] = []
        var count: Int64 = 0
        var idle = 0
        while count < frames {
            switch try decoder.decode(into: output.bytes) {
            case .produced(let bytes, let start):
                let format = try #require(self.format)
                let samples = Array(output.bytes.bindMemory(to: Float.self)[..<(bytes / 4)])
                if let last = runs.last, last.format == format, last.end == start {
                    runs[runs.count - 1].samples += samples
                } else {
                    runs.append(Run(format: format, start: start, samples: samples))
                }
                count += Int64(samples.count / format.channels)
                idle = 0
            case .formatChanged(let new):
                format = new
            case .needsInput:
                idle += 1
                try #require(idle < 100_000)
                let from = decoder.wantedOffset
                let end = min(Int64(file.count), from + Int64(piece))
                let part = from < end ? file[Int(from)..<Int(end)] : []
                fed.append(from..<max(from, end))
                try part.withUnsafeBytes { try decoder.feed($0, isLast: end >= Int64(file.count)) }
            case .ended:
                return runs
            }
        }
        return runs
    }
}

/// The largest difference of two runs of samples.
func difference(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Float {
    zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
