internal import MediaPorts
internal import PodcastModel

/// Reads ID3v2 tags at the start of a file (ID3v2.2 to 2.4, id3.org) incrementally, without pictures and unused frames.
///
/// Tags are untrusted: lengths are checked, strings and lists are limited, and an invalid tag is skipped to its header's end.
struct TagReader {
    private(set) var contents = TagContents()
    /// File offset of the stream, once all tags were read.
    private(set) var streamOffset: Int64?
    /// In bytes, if known; a longer tag is not a tag.
    var fileLength: Int64?

    /// A container of frames: the tag itself, or a chapter in it.
    private struct Scope {
        var remaining: Int64
        var isChapter: Bool
    }

    private struct Frame {
        var name: String
        var size: Int64
        var flags: UInt16
    }

    private var cursor = TagCursor(at: 0)
    private var version: UInt8 = 0
    private var end: Int64 = .max
    private var scopes: [Scope] = []
    private var frame: Frame?
    private var tagCount = 0

    var wanted: Int64 { streamOffset ?? cursor.wanted }

    /// Frames with longer bodies are skipped.
    private static let longestBody: Int64 = 65_536
    /// More consecutive tags than this are junk.
    private static let mostTags = 8

    /// Reads bytes from offset `wanted`. No bytes, with `isLast`, mean that the file ends there.
    mutating func take(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        unsafe cursor.take(bytes, end: end)
        while streamOffset == nil, advance() {}
        if unsafe isLast && bytes.isEmpty && streamOffset == nil {
            finish(at: end == .max ? cursor.place : min(end, cursor.wanted))
        }
    }

    /// - Returns: false if more bytes are needed.
    private mutating func advance() -> Bool {
        if scopes.isEmpty { return readHeader() }
        let isRead = frame == nil ? readFrameHeader() : readFrame()
        if !isRead && cursor.wanted >= end { endTag() } else if !isRead { return false }
        return true
    }

    private mutating func finish(at offset: Int64) {
        contents.finish()
        streamOffset = offset
    }

    // MARK: Tags

    private mutating func readHeader() -> Bool {
        let start = cursor.place
        guard let header = cursor.peek(10) else {
            if let beginning = cursor.peek(3), !beginning.elementsEqual("ID3".utf8) { finish(at: start) }
            return streamOffset != nil
        }
        let isTag =
            header[..<3].elementsEqual("ID3".utf8) && (2...4).contains(header[3]) && header[4] != 0xFF
            && header[6..<10].allSatisfy { $0 < 0x80 } && tagCount < Self.mostTags
        guard isTag else {
            finish(at: start)
            return true
        }
        let flags = header[5]
        let size = header[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1) }
        version = header[3]
        let hasFooter = version == 4 && flags & 0x10 != 0
        end = start + 10 + size + (hasFooter ? 10 : 0)
        tagCount += 1
        if let fileLength, end > fileLength {
            // The tag is longer than the file: search for audio directly after its header.
            finish(at: start + 10)
            return true
        }
        // If bytes after the tag were read too, the caller supplies those after the header again.
        let behind = cursor.wanted
        _ = cursor.read(10)
        if behind > end { cursor = TagCursor(at: start + 10) }
        if flags & 0x80 != 0 && version < 4 { cursor.beginUnsynchronised() }
        scopes = [Scope(remaining: size, isChapter: false)]
        // In version 2.2 this is a compression flag that was never specified.
        if flags & 0x40 != 0 && version > 2 { frame = Frame(name: "", size: 0, flags: 0) }
        return true
    }

    private mutating func endTag() {
        scopes = []
        frame = nil
        cursor = TagCursor(at: end)
        end = .max
    }

    // MARK: Frames

    private mutating func readFrameHeader() -> Bool {
        let isOld = version == 2
        let length: Int64 = isOld ? 6 : 10
        let scope = scopes[scopes.count - 1]
        guard scope.remaining >= length else { return leaveScope() }
        guard let header = cursor.peek(Int(length)) else { return false }
        let name = header.prefix(isOld ? 3 : 4)
        guard name.allSatisfy({ $0.isDigit || $0.isCapital }) else {
            return leaveScope()
        }
        let sizeBytes = isOld ? header[3..<6] : header[4..<8]
        // Version 2.4 uses seven bits of each byte; some programs write eight.
        let bits: Int64 = version == 4 && sizeBytes.allSatisfy { $0 < 0x80 } ? 7 : 8
        let size = sizeBytes.reduce(Int64(0)) { $0 << bits | Int64($1) }
        guard size <= scope.remaining - length else { return leaveScope() }
        let flags = isOld ? 0 : UInt16(header[8]) << 8 | UInt16(header[9])
        frame = Frame(name: String(utf8: name), size: size, flags: flags)
        _ = cursor.read(Int(length))
        scopes[scopes.count - 1].remaining -= length + size
        return true
    }

    /// Skips the rest of a chapter or of the tag.
    private mutating func leaveScope() -> Bool {
        let scope = scopes.removeLast()
        if scope.isChapter {
            cursor.skip(scope.remaining)
            contents.endChapter()
        } else {
            endTag()
        }
        return true
    }

    private mutating func readFrame() -> Bool {
        guard let frame else { return true }
        if frame.name.isEmpty { return skipExtendedHeader() }
        let isChapter = scopes.last?.isChapter == true
        switch frame.name {
        case "CHAP" where !isChapter: return enterChapter(frame)
        case "APIC" where !isChapter, "PIC" where !isChapter: return readPicture(frame)
        case _ where frame.size <= Self.longestBody && TagContents.needs(frame.name):
            guard let raw = cursor.read(Int(frame.size)) else { return false }
            if let body = plainBody(raw, frame.flags) { contents.add(frame.name, body, inChapter: isChapter) }
        default:
            cursor.skip(frame.size)
        }
        self.frame = nil
        return true
    }

    private mutating func skipExtendedHeader() -> Bool {
        guard let bytes = cursor.peek(4) else { return false }
        let size = bytes.reduce(Int64(0)) { $0 << (version == 4 ? 7 : 8) | Int64($1) }
        let whole = min(version == 4 ? max(size, 4) : size + 4, scopes[0].remaining)
        cursor.skip(whole)
        scopes[0].remaining -= whole
        frame = nil
        return true
    }

    /// A chapter (ID3v2 chapter frame addendum): its name, four numbers, then its own frames.
    private mutating func enterChapter(_ frame: Frame) -> Bool {
        let most = min(Int(frame.size), 512)
        guard let bytes = cursor.peek(most) else { return false }
        self.frame = nil
        guard let nameEnd = bytes.firstIndex(of: 0), nameEnd + 17 <= most else {
            cursor.skip(frame.size)
            return true
        }
        func number(_ at: Int) -> UInt32 { bytes[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let name = Array(bytes[..<nameEnd])
        contents.beginChapter(name: name, start: number(nameEnd + 1), end: number(nameEnd + 5))
        _ = cursor.read(nameEnd + 17)
        scopes.append(Scope(remaining: frame.size - Int64(nameEnd) - 17, isChapter: true))
        return true
    }

    /// Records the place of a picture and skips it (ID3v2.4 frames, section 4.14; 2.2: section 4.15).
    private mutating func readPicture(_ frame: Frame) -> Bool {
        let most = min(Int(frame.size), 1024)
        guard let bytes = cursor.peek(most) else { return false }
        let isCounted = version == 4 && frame.flags & 1 != 0
        let start = isCounted ? 4 : 0
        if !cursor.isUnsynchronised, frame.flags & unreadable == 0,
            let picture = PictureHeader(bytes.dropFirst(start), isOld: version == 2)
        {
            let before = Int64(start + picture.length)
            contents.addPicture(
                EmbeddedArt(
                    mime: picture.mime, offset: cursor.place + before, length: max(0, frame.size - before),
                    isUnsynchronised: version == 4 && frame.flags & 2 != 0), isCover: picture.isCover)
        }
        cursor.skip(frame.size)
        self.frame = nil
        return true
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
