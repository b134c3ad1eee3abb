internal import MediaPorts
internal import PodcastModel

/// Counts ADTS frames (ISO/IEC 14496-3, 1.A.3) from an entry of the index on, without decoding them.
@safe final class ADTSCounter {
    /// PCM frames in an ADTS frame with one block.
    private let samplesPerBlock: Int64
    private let file: OpenFile
    private let rate: Int
    private var offset: Int64
    private var position: Int64
    private let buffer: UnsafeMutableRawBufferPointer
    /// The file's bytes in `buffer`.
    private var held: Range<Int64> = 0..<0

    static let headerLength: Int64 = 7
    /// Counting stops after this number of junk bytes.
    private static let mostJunk = 1 << 20

    /// Nil if frames cannot be counted.
    /// - Parameter end: all bytes before this offset must be available; nil to count the available bytes.
    init?(_ file: OpenFile, until end: Int64?) {
        let start = end.flatMap { end in file.index.entries.last { $0.key <= end } } ?? file.index.last
        guard file.container.formatName == "aac", let last = start, let samples = file.samplesPerPacket else {
            return nil
        }
        if let end, last.key + file.input.available(at: last.key) < end || end < last.key { return nil }
        // Allocate only now: `deinit` does not run for an object whose `init` fails.
        unsafe buffer = .allocate(byteCount: 65_536, alignment: 16)
        samplesPerBlock = samples
        self.file = file
        rate = last.rate
        offset = last.key
        position = last.position
    }

    deinit { unsafe buffer.deallocate() }

    /// The position of a packet; nil if no frame begins there.
    func position(ofPacketAt end: Int64) throws(DecoderError) -> Int64? {
        while offset < end { guard try step() else { return nil } }
        return offset == end ? position : nil
    }

    /// Counts up to a time, or to the first missing byte.
    func count(to time: MediaTime) throws(DecoderError) {
        let end = time.frames(rate: rate) + Int64(rate)
        while position < end, try step() {}
    }

    /// Skips a frame. Returns false if bytes are missing, or no frame was found.
    private func step() throws(DecoderError) -> Bool {
        var junk = 0
        while true {
            guard let header = unsafe try header(at: offset) else { return false }
            if let frame = unsafe Frame(header) {
                file.record(.init(key: offset, position: position, rate: rate))
                offset += frame.length
                position += frame.blocks * samplesPerBlock
                return true
            }
            junk += 1
            guard junk < Self.mostJunk else { return false }
            offset += 1
        }
    }

    struct Frame {
        var length: Int64
        var blocks: Int64

        init?(_ header: UnsafeRawBufferPointer) {
            guard unsafe header[0] == 0xFF, unsafe header[1] & 0xF6 == 0xF0 else { return nil }
            length = unsafe Int64(header[3] & 3) << 11 | Int64(header[4]) << 3 | Int64(header[5]) >> 5
            blocks = unsafe Int64(header[6] & 3) + 1
            if length < ADTSCounter.headerLength { return nil }
        }
    }

    /// - Returns: nil if bytes are missing.
    private func header(at offset: Int64) throws(DecoderError) -> UnsafeRawBufferPointer? {
        if offset < held.lowerBound || offset + Self.headerLength > held.upperBound {
            guard file.input.available(at: offset) >= Self.headerLength else { return nil }
            let count = unsafe try file.input.read(into: buffer, at: offset)
            held = offset..<offset + Int64(count)
            if Int64(count) < Self.headerLength { return nil }
        }
        let start = Int(offset - held.lowerBound)
        return unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<start + Int(Self.headerLength)])
    }
}

/// Detects an MP3 file directly after the last packet of an AAC stream: in joined files FFmpeg skips the rest.
enum JoinedFile {
    private static let id3HeaderLength = 10

    static func isMP3(afterPacketAt offset: Int64, in input: any DecoderInput) throws(DecoderError) -> Bool {
        let header = try bytes(ADTSCounter.headerLength, at: offset, input)
        let frame = unsafe header.withUnsafeBytes {
            unsafe $0.count < ADTSCounter.headerLength ? nil : ADTSCounter.Frame($0)
        }
        guard let frame else { return false }
        return try isMP3(at: offset + frame.length, in: input)
    }

    static func isMP3(at offset: Int64, in input: any DecoderInput) throws(DecoderError) -> Bool {
        var next = offset
        let tag = try bytes(Int64(id3HeaderLength), at: next, input)
        if tag.count == id3HeaderLength, tag.starts(with: "ID3".utf8) {
            // Seven bits of each byte (ID3v2.4 structure, section 6.2).
            next += Int64(id3HeaderLength) + tag[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        }
        let sync = try bytes(4, at: next, input)
        // A sync word, a layer, a bit rate and a sample rate (ISO/IEC 11172-3, 2.4.1.3).
        return sync.count == 4 && sync[0] == 0xFF && sync[1] & 0xE0 == 0xE0 && sync[1] & 0x06 != 0
            && sync[2] & 0xF0 != 0xF0 && sync[2] & 0x0C != 0x0C
    }

    private static let oggPage = Array("OggS".utf8)
    private static let oggHeaderLength: Int64 = 27
    private static let longestOggPage: Int64 = 65_307
    private static let mostOggStreams = 16

    /// Whether an Ogg file ends with a stream that it does not begin with (RFC 3533, sections 4 and 6). Fetches nothing.
    static func isOgg(_ input: any DecoderInput) throws(DecoderError) -> Bool {
        guard let length = input.length else { return false }
        var streams: [ArraySlice<UInt8>] = []
        var next: Int64 = 0
        while streams.count < mostOggStreams {
            let header = try bytes(oggHeaderLength, at: next, input)
            let isFirstPage = header.count == oggHeaderLength && header.starts(with: oggPage) && header[5] & 2 != 0
            guard isFirstPage else { break }
            streams.append(header[14..<18])
            let sizes = try bytes(Int64(header[26]), at: next + oggHeaderLength, input)
            next += oggHeaderLength + sizes.reduce(Int64(sizes.count)) { $0 + Int64($1) }
        }
        let size = min(length, longestOggPage)
        let end = try bytes(size, at: length - size, input)
        let last = (0..<max(0, end.count - 17)).last { end[$0...].starts(with: oggPage) }
        guard !streams.isEmpty, let last else { return false }
        return !streams.contains(end[last + 14..<last + 18])
    }

    /// - Returns: nothing unless all of the bytes are available.
    private static func bytes(
        _ count: Int64, at offset: Int64, _ input: any DecoderInput
    ) throws(DecoderError) -> [UInt8] {
        input.available(at: offset) >= count ? try input.bytes(Int(count), at: offset) : []
    }
}
