internal import PodcastModel

/// Prepares texts for the full-text indexes: separates the characters of scripts that are written without spaces, so
/// that each character is a word, and part of a text is found as a phrase.
enum SpacedText {
    /// A control character, which does not occur in texts of the library.
    static let separator: UInt8 = 0x1F

    /// Maximum bytes of a word with an apostrophe.
    private static let longestWord = 64

    /// For an index: spaced, and at the end each word with an apostrophe without it (`dont`). Phrases stay together, and the
    /// places of all words are the same as in the text. Nil if nothing changes.
    static func indexed(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        let spaced = spaced(text)
        let bytes = spaced ?? Array(text)
        let joined = bytes.split { $0 <= 0x20 }.filter { $0.count <= longestWord && $0.contains(.apostrophe) }
        return joined.isEmpty ? spaced : bytes + joined.flatMap { [0x20] + $0.filter { $0 != .apostrophe } }
    }

    /// Nil if nothing changes.
    /// - Parameter isFolded: whether to replace letters whose diacritics FTS5 does not know by plain letters. A mark that FTS5
    ///   ignores replaces each removed mark, so that the words stay the same.
    static func spaced(_ text: UnsafeRawBufferPointer, isFolded: Bool = true) -> [UInt8]? {
        var result: [UInt8] = []
        var place = 0
        var copied = 0
        while place < text.count {
            let end = min(place + length(of: text[place]), text.count)
            if let scalar = scalar(text, place) {
                let isUnspaced = isUnspaced(scalar)
                let plain = isFolded && !isUnspaced ? FoldedText.plain(scalar) ?? "\u{301}" : scalar
                if isUnspaced || plain != scalar {
                    result += text[copied..<place]
                    if isUnspaced { result.append(separator) }
                    if isFolded, let first = FoldedText.first(ofTwo: scalar) { result += String(first).utf8 }
                    result += String(plain).utf8
                    if isUnspaced { result.append(separator) }
                    copied = end
                }
            }
            place = end
        }
        return result.isEmpty ? nil : result + text[copied...]
    }

    static func spaced(_ text: String, isFolded: Bool = true) -> String {
        var text = text
        let bytes = text.withUTF8 { spaced(UnsafeRawBufferPointer($0), isFolded: isFolded) }
        return bytes.map { String(utf8: $0) } ?? text
    }

    static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF,  // Thai, Lao
            0x1000...0x109F, 0x1780...0x17FF,  // Burmese, Khmer
            0x3041...0x30FF, 0x31F0...0x31FF,  // kana
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,  // Han
            0xAC00...0xD7A3,  // Hangul: words with their particles
            0xFF66...0xFF9D, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private static func length(of lead: UInt8) -> Int {
        switch lead {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }

    /// The character at a place, unless it is before the first of the scripts in question.
    private static func scalar(_ text: UnsafeRawBufferPointer, _ place: Int) -> Unicode.Scalar? {
        let lead = text[place]
        let count = length(of: text[place])
        // The combining marks, after the Latin letters, begin with byte 0xCC; "ß" and letters with strokes with 0xC3 to 0xC7.
        guard lead >= 0xCC || 0xC3...0xC7 ~= lead, place + count <= text.count else { return nil }
        var value = UInt32(lead) & 0x7F >> UInt32(count)
        for offset in 1..<count { value = value << 6 | UInt32(text[place + offset] & 0x3F) }
        return Unicode.Scalar(value)
    }
}
