import AVDecoding
import MediaPorts
import PodcastModel

@testable import MPEGDecoding

/// A file whose bytes are all there, read in pieces.
final class FuzzFile: DecoderInput {
    private let bytes: [UInt8]
    private let piece: Int

    init(_ bytes: UnsafeRawBufferPointer, piece: Int) {
        self.bytes = Array(bytes)
        self.piece = max(1, piece)
    }

    var length: Int64? { Int64(bytes.count) }
    func available(at offset: Int64) -> Int64 { max(0, Int64(bytes.count) - offset) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        require(offset >= 0, "byte \(offset) is read")
        guard offset < bytes.count else { return 0 }
        let part = bytes[Int(offset)...].prefix(min(piece, buffer.count))
        buffer.copyBytes(from: part)
        return part.count
    }
}

/// ID3v2 tags with their chapters and tables of contents.
enum TagFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        let piece = Int(input.number(UInt8.self)) + 1
        guard let read = try? TagReader(FuzzFile(input.rest, piece: piece)),
            let whole = try? TagReader(FuzzFile(input.rest, piece: 65_536))
        else { return require(false, "the tags cannot be read") }
        require(read.streamOffset == whole.streamOffset, "the stream's offset depends on the pieces")
        let contents = read.contents
        require(contents.chapters == whole.contents.chapters, "chapters depend on the pieces")
        require(contents.tags == whole.contents.tags, "tags depend on the pieces")
        require(contents.art == whole.contents.art, "the picture depends on the pieces")
        var last = MediaTime.zero
        for chapter in contents.chapters {
            require(chapter.start >= last, "\(chapter) is before \(last)")
            last = chapter.start
            if let end = chapter.end { require(end >= chapter.start, "\(chapter)") }
        }
        if let art = contents.art { require(art.offset >= 0 && art.length >= 0, "\(art)") }
        require(contents.tags.allSatisfy { !$0.key.isEmpty && !$0.value.isEmpty }, "an empty tag")
    }
}

/// Files for FFmpeg's libraries: containers with chapters, tags, pictures and packets; decoding and seeking.
enum ContainerFuzz {
    /// An input of 4 KB can state any length of silence.
    private static let mostSteps = 100

    static func run(_ input: FuzzInput) {
        var input = input
        let target = MediaTime(milliseconds: Int64(input.number(UInt16.self)) << Int64(input.number(UInt8.self) % 24))
        let piece = Int(input.number(UInt16.self))
        let decoder = AVDecoder()
        do {
            check(try decoder.open(FuzzFile(input.rest, piece: piece)))
            try decode(decoder)
            _ = try decoder.seek(to: target)
            try decode(decoder)
            if let info = decoder.info { check(info) }
        } catch {
            if case DecoderError.library(let message) = error { Shown.requireLine(message) }
        }
    }

    private static func decode(_ decoder: AVDecoder) throws {
        var room = [UInt8](repeating: 0, count: 32_768)
        for _ in 0..<mostSteps {
            do {
                switch try room.withUnsafeMutableBytes({ try decoder.decode(into: $0) }) {
                case .produced(let bytes, let frame):
                    require((0...room.count).contains(bytes), "\(bytes) bytes were decoded")
                    require(frame.addingReportingOverflow(Int64(bytes)).overflow == false, "frame \(frame)")
                case .formatChanged(let format):
                    require(PCMFormat.rates.contains(format.rate), "\(format)")
                    require(PCMFormat.channelCounts.contains(format.channels), "\(format)")
                case .ended: return
                }
            } catch DecoderError.interrupted {}
        }
    }

    private static func check(_ info: StreamInfo) {
        for chapter in info.chapters { require(chapter.start >= .zero, "\(chapter)") }
        if let duration = info.duration { require(duration >= .zero, "\(duration)") }
        require(StreamInfo.bitRates.contains(info.bitRate), "\(info.bitRate) bit/s")
    }
}
