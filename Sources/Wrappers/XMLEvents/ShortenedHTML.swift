internal import Glibc

/// HTML with a mark in place of each longer run of text, and what the marks stand for.
///
///     <p>A long introduction, &amp; more of its kind.</p>        as it was written
///     <p>␡␡&amp; ␡␡</p>                                       `bytes`, with the two runs in `runs`
///
/// libxml2 takes some 75 instructions for each character of text, only to hand it on as it is. So it reads the markup and the
/// marks, and `HTMLParser` hands the runs on where the marks come out. That holds as long as libxml2 reads as text what is
/// taken for text here: between tags of the plainest form (`PlainTag`) and references. From the first `<` on that begins
/// anything else, all stays: what is text there is the parser's to say.
@safe struct ShortenedHTML {
    /// A mark is two of these in a row, a control character that HTML allows. One that a reference stands for comes from libxml2
    /// by itself.
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
        if unsafe Self.isHandedOn(text) {
            var place = 0
            while let start = beginOfText(from: place) {
                place = endOfText(from: start)
                leaveOut(start..<place)
            }
        }
        unsafe bytes += text[taken...]
    }

    /// Behind the tag or reference that begins at a place; nil at the end, and where all that follows must stay.
    private func beginOfText(from place: Int) -> Int? {
        guard unsafe place < text.count else { return nil }
        switch unsafe text[place] {
        case UInt8(ascii: "<"): return unsafe PlainTag.end(in: text, at: place)
        case UInt8(ascii: "&"): return endOfReference(at: place)
        // Only the first piece of text begins without either.
        default: return place
        }
    }

    /// Where an `&` begins no reference, it is text up to the next blank all the same: libxml2 tells it by itself.
    private func endOfReference(at place: Int) -> Int? {
        let rest = unsafe text[(place + 1)...].prefix(Self.longestLead)
        guard let end = unsafe rest.firstIndex(where: { $0 <= 0x20 || $0 == UInt8(ascii: ";") || isMarkup($0) })
        else { return nil }
        return unsafe isMarkup(text[end]) ? end : end + 1
    }

    private func isMarkup(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") }

    private mutating func endOfText(from start: Int) -> Int {
        if nextTag < start { nextTag = unsafe text.place(of: UInt8(ascii: "<"), from: start) ?? text.count }
        return unsafe UnsafeRawBufferPointer(rebasing: text[..<nextTag]).place(of: UInt8(ascii: "&"), from: start)
            ?? nextTag
    }

    /// Leaves a piece of text out, but for the blanks it begins with: whether there is more than blanks matters, since
    /// words open a paragraph.
    private mutating func leaveOut(_ piece: Range<Int>) {
        guard let start = unsafe text[piece].prefix(Self.longestLead).firstIndex(where: { $0 > 0x20 }),
            piece.upperBound - start >= Self.shortestRun
        else { return }
        unsafe bytes += text[taken..<start]
        bytes.append(Self.mark)
        bytes.append(Self.mark)
        taken = piece.upperBound
        unsafe runs.append(UnsafeRawBufferPointer(rebasing: text[start..<piece.upperBound]))
    }

    /// Whether libxml2 hands every character of a text on, and none is taken for a mark.
    private static func isHandedOn(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 16 <= text.count {
            // A high bit in each lane below a space but for line feeds, with the mark's byte, or with that U+FFFE begins with.
            let bytes = unsafe text.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            let controls = (bytes &- SIMD16(repeating: 0x20)) & ~bytes & ~lanes(of: bytes, with: 0x0A)
            let suspects = controls | lanes(of: bytes, with: mark) | lanes(of: bytes, with: 0xEF)
            let words = unsafe unsafeBitCast(suspects & SIMD16(repeating: 0x80), to: SIMD2<UInt64>.self)
            for half in 0..<2 {
                var lanes = words[half]
                while lanes != 0 {
                    if unsafe isSpecial(at: place + half * 8 + lanes.trailingZeroBitCount / 8, in: text) {
                        return false
                    }
                    lanes &= lanes - 1
                }
            }
            place += 16
        }
        return !(place..<text.count).contains { unsafe isSpecial(at: $0, in: text) }
    }

    /// A high bit in each lane with a byte.
    @inline(__always)
    private static func lanes(of bytes: SIMD16<UInt8>, with byte: UInt8) -> SIMD16<UInt8> {
        let difference = bytes ^ SIMD16(repeating: byte)
        return (difference &- SIMD16(repeating: 1)) & ~difference
    }

    /// A mark's byte, a control character other than white space, U+FFFE or U+FFFF.
    private static func isSpecial(at place: Int, in text: UnsafeRawBufferPointer) -> Bool {
        switch unsafe text[place] {
        case 0x09, 0x0A, 0x0D: false
        case 0xEF: unsafe place + 2 < text.count && text[place + 1] == 0xBF && text[place + 2] >= 0xBE
        case let byte: byte < 0x20 || byte == mark
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The first place of a byte from a place on: memchr(3).
    func place(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count, let found = unsafe memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
