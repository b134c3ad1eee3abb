internal import Glibc

/// The form of notes, which decides how they are parsed.
struct NotesForm {
    /// True if the notes contain tags or character references.
    let isHTML: Bool
    /// True if the notes contain tags that separate text.
    let hasBlocks: Bool

    init(_ bytes: UnsafeRawBufferPointer) {
        let lastEnd = Self.lastTagEnd(in: bytes)
        var hasTags = false
        for place in Places(of: "<", in: bytes) {
            guard let tag = Tag(in: bytes, at: place, lastEnd: lastEnd) else { continue }
            hasTags = true
            if tag.isBlock {
                (isHTML, hasBlocks) = (true, true)
                return
            }
        }
        isHTML = hasTags || Places(of: "&", in: bytes).contains { Self.isReference(in: bytes, at: $0) }
        hasBlocks = false
    }

    /// The last position at which a tag can end; -1 for none.
    static func lastTagEnd(in bytes: UnsafeRawBufferPointer) -> Int {
        bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
    }

    /// True if an `&` begins a character reference by name or number.
    static func isReference(in bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        var rest = bytes[(place + 1)...].prefix(16)
        guard rest.first == UInt8(ascii: "#") else { return rest.first.map(isLetter) ?? false }
        rest.removeFirst()
        let isHex = rest.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        if isHex { rest.removeFirst() }
        let first = rest.first { $0 != UInt8(ascii: "0") } ?? 0
        return first &- UInt8(ascii: "0") < 10 || isHex && (first | 0x20) &- UInt8(ascii: "a") < 6
    }

    /// A tag or comment, with its end.
    struct Tag {
        /// In lower case.
        let name: String
        let isEnd: Bool

        /// The tag that begins with a `<` in a text whose last `>` is at `lastEnd`.
        init?(in bytes: UnsafeRawBufferPointer, at place: Int, lastEnd: Int) {
            guard place < lastEnd else { return nil }
            var rest = bytes[(place + 1)...]
            isEnd = rest.first == UInt8(ascii: "/")
            if isEnd { rest.removeFirst() }
            if rest.first == UInt8(ascii: "!") {
                name = "!"
                return
            }
            let written = rest.prefix(16).prefix { isLetter($0) || $0 &- UInt8(ascii: "0") < 10 }
            guard let first = written.first, isLetter(first) else { return nil }
            name = String(decoding: written.map { $0 | 0x20 }, as: UTF8.self)
        }

        /// True for elements that occur in notes.
        var isKnown: Bool { name == "!" || NotesElement.isKnown(name) }
        var isBlock: Bool { NotesElement.isBlock(name) }
    }

    private struct Places: Sequence, IteratorProtocol {
        private let bytes: UnsafeRawBufferPointer
        private let sought: Int32
        private var start = 0

        init(of sought: Unicode.Scalar, in bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
            self.sought = Int32(sought.value)
        }

        mutating func next() -> Int? {
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = memchr(base + start, sought, bytes.count - start)
            else { return nil }
            let place = UnsafeRawPointer(found) - base
            start = place + 1
            return place
        }
    }
}

private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
