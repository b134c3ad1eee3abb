internal import Glibc

/// HTML with a mark in place of each longer run of text, and what the marks stand for.
///
/// libxml2 takes some 75 instructions for each character of text, only to hand it on as it is. So it reads the markup alone.
/// Text is left out between tags of the plainest form and behind references. From the first `<` on that begins anything
/// else, all stays: what is text there is the parser's to say.
@safe struct ShortenedHTML {
    /// A mark is two of these in a row, a control character that HTML allows. Where a publisher has written one, nothing is
    /// left out; one that a reference stands for comes from libxml2 by itself.
    static let mark: UInt8 = 0x7F
    static let markLength = 2

    /// The text for the parser.
    private(set) var bytes: [UInt8] = []
    /// What was left out, in order.
    private(set) var runs: [UnsafeRawBufferPointer] = unsafe []

    private let text: UnsafeRawBufferPointer
    /// Up to where the text was taken over.
    private var taken = 0
    /// The next `<`, once it was looked for: many references before it would each look through all that is between.
    private var nextTag = -1

    /// A shorter run costs more to leave out than to read.
    private static let shortestRun = 16
    /// The most that stands between the beginning of a piece of text and a mark: libxml2 cuts text into pieces of a thousand
    /// bytes, and must not cut a mark.
    private static let longestLead = 64

    /// - Parameter text: UTF-8; it stays where it is as long as this is used.
    init(_ text: UnsafeRawBufferPointer) {
        unsafe self.text = unsafe text
        bytes.reserveCapacity(text.count)
        if unsafe text.place(of: Self.mark, from: 0) == nil, unsafe text.place(of: 0, from: 0) == nil {
            var place = 0
            while place < text.count, let end = endOfMarkup(at: place) {
                place = endOfText(from: end)
                leaveOut(end..<place)
            }
        }
        unsafe bytes += text[taken...]
    }

    /// The end of the tag or reference that begins there; the place itself where none does, nil where all must stay.
    private func endOfMarkup(at place: Int) -> Int? {
        switch unsafe text[place] {
        case UInt8(ascii: "<"): return unsafe PlainTag.end(in: text, at: place)
        case UInt8(ascii: "&"):
            // Where it is no reference, it is text up to the next blank all the same.
            let rest = unsafe text[(place + 1)...].prefix(Self.longestLead)
            let end = unsafe rest.firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ";") || isMarkup($0) }
            guard let end else { return nil }
            return unsafe isMarkup(text[end]) ? end : end + 1
        default: return place
        }
    }

    private func isMarkup(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") }

    private mutating func endOfText(from start: Int) -> Int {
        if nextTag < start { nextTag = unsafe text.place(of: UInt8(ascii: "<"), from: start) ?? text.count }
        return unsafe UnsafeRawBufferPointer(rebasing: text[..<nextTag]).place(of: UInt8(ascii: "&"), from: start)
            ?? nextTag
    }

    private mutating func leaveOut(_ piece: Range<Int>) {
        // Whether there is more than blanks matters: words open a paragraph.
        guard let start = unsafe text[piece].prefix(Self.longestLead).firstIndex(where: { $0 > 0x20 }),
            piece.upperBound - start >= Self.shortestRun
        else { return }
        let run = unsafe UnsafeRawBufferPointer(rebasing: text[start..<piece.upperBound])
        guard unsafe Self.isHandedOn(run) else { return }
        unsafe bytes += text[taken..<start]
        bytes.append(Self.mark)
        bytes.append(Self.mark)
        taken = piece.upperBound
        unsafe runs.append(run)
    }

    /// Whether libxml2 drops nothing of a text: no control characters but white space, no U+FFFE and U+FFFF.
    private static func isHandedOn(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 16 <= text.count {
            // A high bit in each lane below a space, or with the byte that U+FFFE begins with.
            let bytes = unsafe text.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            let difference = bytes ^ SIMD16(repeating: 0xEF)
            let suspects =
                (bytes &- SIMD16(repeating: 0x20)) & ~bytes | (difference &- SIMD16(repeating: 1)) & ~difference
            let words = unsafe unsafeBitCast(suspects & SIMD16(repeating: 0x80), to: SIMD2<UInt64>.self)
            if words[0] | words[1] != 0, (place..<place + 16).contains(where: { unsafe isDropped(at: $0, in: text) }) {
                return false
            }
            place += 16
        }
        return !(place..<text.count).contains { unsafe isDropped(at: $0, in: text) }
    }

    private static func isDropped(at place: Int, in text: UnsafeRawBufferPointer) -> Bool {
        switch unsafe text[place] {
        case 0x09, 0x0A, 0x0D: false
        case 0xEF: unsafe place + 1 < text.count && text[place + 1] == 0xBF
        case let byte: byte < 0x20
        }
    }
}

/// Tags that every parser reads alike: a name, attributes with values in quotes, nothing else.
private enum PlainTag {
    private static let longestName = 64
    /// What stands in these is not read as HTML, now or in newer parsers.
    private static let rawText = [
        "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext",
    ].map(HTMLElementName.packed)

    /// Where the tag ends that a `<` begins; nil when it is no such tag, or what follows may be no HTML.
    static func end(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let isEnd = unsafe start + 1 < text.count && text[start + 1] == UInt8(ascii: "/")
        let name = start + (isEnd ? 2 : 1)
        guard var place = unsafe endOfName(in: text, at: name), unsafe !isRawText(text[name..<place]) else {
            return nil
        }
        while true {
            let blanks = place
            while place < text.count, unsafe isBlank(text[place]) { place += 1 }
            guard place < text.count else { return nil }
            if unsafe text[place] == UInt8(ascii: ">") { return place + 1 }
            if isEnd { return nil }
            if unsafe text[place...].starts(with: "/>".utf8) { return place + 2 }
            guard place > blanks, let end = unsafe endOfAttribute(in: text, at: place) else { return nil }
            place = end
        }
    }

    private static func endOfAttribute(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        guard let place = unsafe endOfName(in: text, at: start), place + 1 < text.count,
            unsafe text[place] == UInt8(ascii: "=")
        else { return nil }
        let quote = unsafe text[place + 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        return unsafe text.place(of: quote, from: place + 2).map { $0 + 1 }
    }

    private static func endOfName(in text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let name = unsafe text[start...].prefix(longestName)
        guard let first = unsafe name.first, isLetter(first) else { return nil }
        return unsafe name.firstIndex { !isNameByte($0) }
    }

    private static func isRawText(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        unsafe rawText.contains(name.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1 | 0x20) })
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: ":")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}

extension UnsafeRawBufferPointer {
    /// The first place of a byte from a place on: memchr(3).
    func place(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count, let found = unsafe memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
