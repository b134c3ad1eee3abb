import Foundation
import MPEGDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// A decoder with a file in memory, and what it reads of it.
struct DecodingBench: CustomStringConvertible {
    var description: String { "a file of \(file.bytes.count) bytes" }

    /// One run of frames.
    struct Run: Equatable {
        var format: PCMFormat
        var start: Int64
        var samples: [Float]
        var end: Int64 { start + Int64(samples.count / format.channels) }
    }

    /// A file that arrives when it is read.
    final class File: DecoderInput {
        let bytes: [UInt8]
        let length: Int64?
        /// What can be read without waiting ends here; reading further succeeds too.
        var availableEnd: Int64
        var piece = 4096
        fileprivate(set) var read: [Range<Int64>] = []
        /// What the decoder keeps for later sessions.
        var kept: [UInt8] = []

        init(_ bytes: [UInt8], knowsLength: Bool, hasAllAtHand: Bool) {
            self.bytes = bytes
            length = knowsLength ? Int64(bytes.count) : nil
            availableEnd = hasAllAtHand ? Int64(bytes.count) : 0
        }

        func available(at offset: Int64) -> Int64 { max(0, availableEnd - offset) }

        func storedBytes(atMost count: Int) -> [UInt8] { Array(kept.prefix(count)) }

        func store(_ new: [UInt8], at offset: Int) {
            kept += Array(repeating: 0, count: max(0, offset + new.count - kept.count))
            kept.replaceSubrange(offset..<offset + new.count, with: new)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DecoderError) -> Int {
            let end = min(Int64(bytes.count), offset + Int64(min(piece, buffer.count)))
            read.append(offset..<max(offset, end))
            guard read.count < 100_000 else { throw .library("reads for ever") }
            if offset < end { buffer.copyBytes(from: bytes[Int(offset)..<Int(end)]) }
            return Int(max(0, end - offset))
        }
    }

    let file: File
    let decoder: MPEGDecoder
    private var format: PCMFormat?
    private let output = Output()

    /// Where a decoder writes.
    private final class Output {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_472, alignment: 64)
        deinit { bytes.deallocate() }
    }

    /// - Parameter hasAllAtHand: whether every byte of the file is available.
    init(_ bytes: [UInt8], knowsLength: Bool = true, hasAllAtHand: Bool = false) throws {
        file = File(bytes, knowsLength: knowsLength, hasAllAtHand: hasAllAtHand)
        decoder = try MPEGDecoder()
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// Bytes that were asked for.
    var fed: [Range<Int64>] { file.read }

    func forgetWhatWasFed() { file.read = [] }

    /// Opens the file, if it is not open.
    mutating func open() throws {
        if format == nil { format = try decoder.open(file).format }
    }

    /// Opens the file and seeks.
    mutating func seek(to time: MediaTime) throws -> Int64 {
        try open()
        return try decoder.seek(to: time)
    }

    /// Decodes until this number of frames, or the end.
    mutating func run(atLeast frames: Int64 = .max) throws -> [Run] {
        try open()
        var runs: [Run] = []
        var count: Int64 = 0
        while count < frames {
            switch try decoder.decode(into: output.bytes) {
            case .produced(let bytes, let start):
                let format = try #require(self.format)
                let samples = Array(output.bytes.bindMemory(to: Float.self)[..<(bytes / 4)])
                // No second reference to the samples, with which appending would copy them all.
                if runs.last.map({ $0.format == format && $0.end == start }) ?? false {
                    runs[runs.count - 1].samples += samples
                } else {
                    runs.append(Run(format: format, start: start, samples: samples))
                }
                count += Int64(samples.count / format.channels)
            case .formatChanged(let new):
                format = new
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
