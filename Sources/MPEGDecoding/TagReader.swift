internal import MediaPorts
internal import PodcastModel

/// Reads ID3v2 tags at the start of a file (ID3v2.2 to 2.4, id3.org), without pictures and unused frames.
///
/// Tags are untrusted: lengths are checked, strings and lists are limited, and an invalid tag is skipped to its header's end.
struct TagReader {
    private struct Frame {
        var name: String
        var size: Int64
        var flags: UInt16
    }

    /// Where the next byte is read, and the byte before it.
    private struct Place {
        var offset: Int64 = 0
        var lastByte: UInt8 = 0
    }

    private let input: any DecoderInput
    private(set) var contents = TagContents()
    private var place = Place()
    private var end: Int64 = .max
    private var version: UInt8 = 0
    /// Whether a zero byte after 0xFF is removed. Lengths count the bytes before unsynchronisation (ID3v2.2 and 2.3), so nothing can
    /// be skipped without being read.
    private var isUnsynchronised = false

    /// Frames with longer bodies are skipped.
    private static let longestBody: Int64 = 65_536
    /// More consecutive tags than this are junk.
    private static let mostTags = 8

    /// Reads all tags.
    init(_ input: any DecoderInput) throws(DecoderError) {
        self.input = input
        for _ in 0..<Self.mostTags { guard try readTag() else { break } }
        contents.finish()
    }

    /// File offset of the stream.
    var streamOffset: Int64 { place.offset }

    // MARK: Bytes

    /// The next bytes; fewer at the end of the tag or of the file.
    private mutating func read(_ count: Int64) throws(DecoderError) -> [UInt8] {
        var found: [UInt8] = []
        while found.count < count, place.offset < end {
            let raw = try input.bytes(Int(min(count - Int64(found.count), end - place.offset)), at: place.offset)
            guard let last = raw.last else { break }
            found += isUnsynchronised ? EmbeddedArt.synchronised([place.lastByte] + raw).dropFirst() : raw[...]
            place = Place(offset: place.offset + Int64(raw.count), lastByte: last)
        }
        return found
    }

    private mutating func peek(_ count: Int64) throws(DecoderError) -> [UInt8] {
        let start = place
        defer { place = start }
        return try read(count)
    }

    private mutating func skip(_ count: Int64) throws(DecoderError) {
        guard isUnsynchronised else { return place.offset += count }
        var left = count
        while left > 0 {
            let skipped = try read(min(left, Self.longestBody)).count
            if skipped == 0 { return }
            left -= Int64(skipped)
        }
    }

    // MARK: Tags

    /// - Returns: false if the stream begins here.
    private mutating func readTag() throws(DecoderError) -> Bool {
        let header = try peek(10)
        let isTag =
            header.count == 10 && header.starts(with: "ID3".utf8) && (2...4).contains(header[3]) && header[4] != 0xFF
            && header[6...].allSatisfy { $0 < 0x80 }
        guard isTag else { return false }
        place.offset += 10
        let flags = header[5]
        let size = header[6...].reduce(Int64(0)) { $0 << 7 | Int64($1) }
        version = header[3]
        let hasFooter = version == 4 && flags & 0x10 != 0
        let tagEnd = place.offset + size + (hasFooter ? 10 : 0)
        // The tag is longer than the file: search for audio directly after its header.
        if let length = input.length, tagEnd > length { return false }
        end = tagEnd
        place.lastByte = 0
        isUnsynchronised = flags & 0x80 != 0 && version < 4
        var remaining = size
        // In version 2.2 this is a compression flag that was never specified.
        if flags & 0x40 != 0 && version > 2 { try skipExtendedHeader(&remaining) }
        try readFrames(remaining, inChapter: false)
        place.offset = tagEnd
        end = .max
        isUnsynchronised = false
        return true
    }

    private mutating func skipExtendedHeader(_ remaining: inout Int64) throws(DecoderError) {
        let size = try peek(4).reduce(Int64(0)) { $0 << (version == 4 ? 7 : 8) | Int64($1) }
        let whole = min(version == 4 ? max(size, 4) : size + 4, remaining)
        try skip(whole)
        remaining -= whole
    }

    // MARK: Frames

    /// Reads the frames of a tag, or those of a chapter in it.
    private mutating func readFrames(_ size: Int64, inChapter: Bool) throws(DecoderError) {
        var remaining = size
        while let frame = try readFrameHeader(&remaining) {
            switch frame.name {
            case "CHAP" where !inChapter: try readChapter(frame.size)
            case "APIC" where !inChapter, "PIC" where !inChapter: try readPicture(frame)
            case _ where frame.size <= Self.longestBody && TagContents.needs(frame.name):
                if let body = plainBody(try read(frame.size), frame.flags) {
                    contents.add(frame.name, body, inChapter: inChapter)
                }
            default: try skip(frame.size)
            }
        }
        try skip(remaining)
    }

    /// - Returns: nil if no frame follows.
    private mutating func readFrameHeader(_ remaining: inout Int64) throws(DecoderError) -> Frame? {
        let isOld = version == 2
        let length: Int64 = isOld ? 6 : 10
        guard remaining >= length else { return nil }
        let header = try read(length)
        remaining -= length
        let name = header.prefix(isOld ? 3 : 4)
        guard header.count == length, name.allSatisfy({ $0.isDigit || $0.isCapital }) else { return nil }
        let sizeBytes = isOld ? header[3..<6] : header[4..<8]
        // Version 2.4 uses seven bits of each byte; some programs write eight.
        let bits: Int64 = version == 4 && sizeBytes.allSatisfy { $0 < 0x80 } ? 7 : 8
        let size = sizeBytes.reduce(Int64(0)) { $0 << bits | Int64($1) }
        guard size <= remaining else { return nil }
        remaining -= size
        let flags = isOld ? 0 : UInt16(header[8]) << 8 | UInt16(header[9])
        return Frame(name: String(utf8: name), size: size, flags: flags)
    }

    /// A chapter (ID3v2 chapter frame addendum): its name, four numbers, then its own frames.
    private mutating func readChapter(_ size: Int64) throws(DecoderError) {
        let head = try peek(min(size, 512))
        guard let nameEnd = head.firstIndex(of: 0), nameEnd + 17 <= head.count, contents.hasRoomForChapter else {
            return try skip(size)
        }
        func number(_ at: Int) -> UInt32 { head[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        contents.addChapter(name: Array(head[..<nameEnd]), start: number(nameEnd + 1), end: number(nameEnd + 5))
        let length = Int64(nameEnd) + 17
        try skip(length)
        try readFrames(size - length, inChapter: true)
    }

    /// Records the place of a picture and skips it (ID3v2.4 frames, section 4.14; 2.2: section 4.15).
    private mutating func readPicture(_ frame: Frame) throws(DecoderError) {
        let start = version == 4 && frame.flags & 1 != 0 ? 4 : 0
        if !isUnsynchronised, frame.flags & unreadable == 0,
            let picture = PictureHeader(try peek(min(frame.size, 1024)).dropFirst(start), isOld: version == 2)
        {
            let before = Int64(start + picture.length)
            contents.addPicture(
                EmbeddedArt(
                    mime: picture.mime, offset: place.offset + before, length: max(0, frame.size - before),
                    isUnsynchronised: version == 4 && frame.flags & 2 != 0), isCover: picture.isCover)
        }
        try skip(frame.size)
    }

    /// Flags of compressed and encrypted frames.
    private var unreadable: UInt16 { version == 4 ? 0x000C : 0x00C0 }

    /// A frame's body without the additions that its flags describe; nil if it cannot be read.
    private func plainBody(_ raw: [UInt8], _ flags: UInt16) -> ArraySlice<UInt8>? {
        if flags & unreadable != 0 { return nil }
        var body = raw[...]
        let grouping: UInt16 = version == 4 ? 0x0040 : 0x0020
        if flags & grouping != 0 { body = body.dropFirst() }
        guard version == 4 else { return body }
        if flags & 1 != 0 { body = body.dropFirst(4) }
        return flags & 2 != 0 ? EmbeddedArt.synchronised(body)[...] : body
    }
}
