/// Prepares texts for the full-text indexes: separates the characters of scripts that are written without spaces, so
/// that each character is a word, and part of a text is found as a phrase.
enum SpacedText {
    /// A control character, which does not occur in texts of the library.
    static let separator: UInt8 = 0x1F

    /// Nil if nothing changes.
    static func spaced(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var result: [UInt8] = []
        var (place, copied) = (0, 0)
        while place < text.count {
            let end = min(place + length(of: text[place]), text.count)
            if isUnspaced(text, place) {
                result += text[copied..<place]
                result.append(separator)
                result += text[place..<end]
                result.append(separator)
                copied = end
            }
            place = end
        }
        return result.isEmpty ? nil : result + text[copied...]
    }

    static func spaced(_ text: String) -> String {
        var text = text
        let bytes = text.withUTF8 { spaced(UnsafeRawBufferPointer($0)) }
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
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

    private static func isUnspaced(_ text: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        let lead = text[place]
        // The first of the scripts above begins with byte 0xE0.
        guard lead >= 0xE0, place + length(of: lead) <= text.count else { return false }
        var value = UInt32(lead & (lead >= 0xF0 ? 0x07 : 0x0F))
        for offset in 1..<length(of: lead) { value = value << 6 | UInt32(text[place + offset] & 0x3F) }
        return Unicode.Scalar(value).map(isUnspaced) ?? false
    }
}
