/// Cleans untrusted text from feeds, servers and other programs: removes characters that could control a terminal,
/// forge a line or field, or reorder the visible text. All code that cleans or rejects such text uses these functions.
public enum SafeText {
    /// C0, DEL and C1.
    public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }

    /// True if a text has neither control characters nor other characters that end a line.
    public static func isOneLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { isControl($0) || $0 == "\u{2028}" || $0 == "\u{2029}" }
    }

    /// One line, without control characters and direction marks; line breaks, separators and tabs become spaces.
    public static func line(_ text: String) -> String { cleaned(text, keepsLines: false) }

    /// One line of at most `maximum` Unicode scalars (at most four bytes each); a longer text is cut and ends in `…`.
    public static func line(_ text: String, atMost maximum: Int) -> String {
        // Removed characters may be anywhere, so clean the text before cutting it, but only the relevant beginning.
        let examined = String(text.unicodeScalars.prefix(maximum * 8))
        let clean = cleaned(examined, keepsLines: false).unicodeScalars
        if clean.count <= maximum && examined.utf8.count == text.utf8.count { return String(clean) }
        return String(clean.prefix(maximum - 1)) + "…"
    }

    /// Like `line`, but line feeds stay.
    public static func lines(_ text: String) -> String { cleaned(text, keepsLines: true) }

    private static func cleaned(_ text: String, keepsLines: Bool) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where keepsLines: result.append(scalar)
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: result.append(" ")
            default: if !isHidden(scalar) { result.append(scalar) }
            }
        }
        return String(result)
    }

    /// Control characters; marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9), which can
    /// disguise the text of a line; invisible characters: U+180E, U+200B, U+2060…206F, U+FEFF, annotations and the tags
    /// of plane 14. Joiners stay: emoji and several scripts need them.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xE0000...0xE007F:
            true
        case _: false
        }
    }

    /// A title or name: one line, as above, with runs of white space reduced to one space, and none at either end.
    /// - Parameter maximum: bytes of UTF-8; a longer text is cut and ends in `…`.
    /// - Returns: nil if nothing is left.
    public static func title(_ text: String, atMostBytes maximum: Int = 1_000) -> String? {
        if text.utf8.count <= maximum && isTitle(text) { return text.nonEmpty }
        var result = String.UnicodeScalarView()
        var bytes = 0
        var isGap = false
        for scalar in text.unicodeScalars {
            if scalar.isASCII ? scalar == " " || 9...13 ~= scalar.value : scalar.properties.isWhitespace {
                isGap = !result.isEmpty
            } else if !isHidden(scalar) {
                let width = UTF8.width(scalar) + (isGap ? 1 : 0)
                if bytes + width > maximum {
                    while bytes > maximum - 3, let last = result.popLast() { bytes -= UTF8.width(last) }
                    result.append("…")
                    break
                }
                if isGap { result.append(" ") }
                isGap = false
                result.append(scalar)
                bytes += width
            }
        }
        return result.isEmpty ? nil : String(result)
    }

    /// True if `title` would certainly not change a text: a quick test of its bytes, which nearly every title passes.
    private static func isTitle(_ text: String) -> Bool {
        let answer = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            var isAfterSpace = true
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case 0x20:
                    if isAfterSpace { return false }
                    isAfterSpace = true
                    continue
                case 0..<0x20, 0x7F: return false
                case 0xC2, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF3:
                    if !isVisible(bytes[index...].prefix(3)) { return false }
                case _: break
                }
                isAfterSpace = false
            }
            return !isAfterSpace || bytes.isEmpty
        }
        return answer ?? false
    }

    /// True if the character that begins here is certainly visible. Most titles have quotation marks, dashes or letters
    /// beyond ASCII; only characters that begin like white space or a hidden character are examined further.
    private static func isVisible(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard bytes.count > 1 else { return false }
        let first = bytes[bytes.startIndex]
        let next = bytes[bytes.startIndex + 1]
        return switch first {
        // After C1 controls and the no-break space.
        case 0xC2: next > 0xA0
        case 0xD8: next != 0x9C
        case 0xE1: next != 0x9A
        // Dashes, quotation marks, bullets; not the spaces, separators and direction marks among them.
        case 0xE2 where next == 0x80:
            bytes.count > 2 && (0x90...0xA7 ~= bytes[bytes.startIndex + 2] || bytes[bytes.startIndex + 2] >= 0xB0)
        case 0xE2: next > 0x81
        // The ideographic space.
        case 0xE3: next != 0x80
        // The byte-order mark, annotations, tags.
        case _: false
        }
    }
}
