internal import XMLEvents

/// Titles and names as one line of plain text. Any thread.
public enum LineText {
    private static let longest = 4096

    /// One line without character references, HTML tags, repeated spaces and control characters; nil if empty.
    ///
    /// Only HTML elements are tags: `Generics: Array<Int>` is kept. Text beyond 4,096 bytes is removed.
    public static func line(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes -> String? in
            let bytes = UnsafeRawBufferPointer(bytes)
            let renderer = TextRenderer(keepsLineBreaks: false)
            if bytes.contains(UInt8(ascii: "&")) || bytes.contains(UInt8(ascii: "<")) {
                // Escape all text that is not an HTML tag.
                escape(bytes).withUnsafeBytes { escaped in
                    _ = HTMLParser.parse(escaped, handler: renderer)
                }
            } else {
                renderer.characters(bytes)
            }
            return oneLine(renderer.text)
        }
    }

    /// Plain text in one line, without repeated spaces and control characters; nil if nothing is left.
    public static func plain(_ text: some StringProtocol) -> String? {
        let renderer = TextRenderer(keepsLineBreaks: false)
        var text = String(text)
        text.withUTF8 { renderer.characters(UnsafeRawBufferPointer($0)) }
        return oneLine(renderer.text)
    }

    private static func escape(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count + 16)
        var tags = LineTags(bytes)
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "<") where !tags.isTag(at: place): escaped += Array("&lt;".utf8)
            case UInt8(ascii: "&") where !NotesForm.isReference(in: bytes, at: place):
                escaped += Array("&amp;".utf8)
            default: escaped.append(byte)
            }
        }
        return escaped
    }

    private static func oneLine(_ text: [UInt8]) -> String? {
        var line = text.prefix(longest)
        if line.count < text.count {
            while let last = line.popLast(), last & 0xC0 == 0x80 {}
        }
        var result: [UInt8] = []
        result.reserveCapacity(line.count)
        for byte in line where byte != 0x0A || result.last != 0x20 { result.append(byte == 0x0A ? 0x20 : byte) }
        return result.isEmpty ? nil : String(decoding: result, as: UTF8.self)
    }
}

/// Distinguishes tags from tag names that a title mentions: "The <video> tag".
private struct LineTags {
    private let bytes: UnsafeRawBufferPointer
    private let lastEnd: Int
    /// The start of the last end tag of each name.
    private lazy var endTags: [String: Int] = findEndTags()

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        lastEnd = NotesForm.lastTagEnd(in: bytes)
    }

    /// True if a `<` begins an HTML tag. Start tags of scripts, frames, players and fields need their end tag.
    mutating func isTag(at place: Int) -> Bool {
        guard let tag = NotesForm.Tag(in: bytes, at: place, lastEnd: lastEnd), tag.isKnown else { return false }
        guard !tag.isEnd, NotesElement.isEmbedded(tag.name) else { return true }
        return endTags[tag.name].map { $0 > place } ?? false
    }

    private func findEndTags() -> [String: Int] {
        var places: [String: Int] = [:]
        for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "<") {
            if let tag = NotesForm.Tag(in: bytes, at: place, lastEnd: lastEnd), tag.isEnd { places[tag.name] = place }
        }
        return places
    }
}
