/// What the library makes sure of, whoever brings a title or a name: a single line that can go to a terminal or a line
/// protocol as it is. HTML is read by who fetches.
enum PlainLine {
    /// Bytes a title may have; longer ones are cut.
    static let limit = 1_000

    /// A text without line breaks, controls and characters that turn the writing direction; runs of white space become
    /// one space. Nil when nothing is left.
    static func clean(_ text: String) -> String? {
        if isClean(text) { return text.isEmpty ? nil : text }
        var cleaner = Cleaner()
        cleaner.run(over: text.unicodeScalars)
        return cleaner.result
    }

    /// Whether a text is already what `clean` would make of it; one pass over the bytes, wrong only to the safe side.
    private static func isClean(_ text: String) -> Bool {
        let answer = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            if bytes.count > limit { return false }
            var isAfterSpace = true
            for (index, byte) in bytes.enumerated() {
                switch byte {
                case 0x20:
                    if isAfterSpace { return false }
                    isAfterSpace = true
                    continue
                case 0..<0x20, 0x7F: return false
                case 0xC2, 0xE2, 0xE3, 0xEF, 0xF3:
                    if !isHarmless(UnsafeBufferPointer(rebasing: bytes[index...].prefix(3))) { return false }
                case _: break
                }
                isAfterSpace = false
            }
            return !isAfterSpace || bytes.isEmpty
        }
        return answer ?? false
    }

    /// Whether the byte that begins here leads to nothing that is cleaned: most titles with quotation marks or dashes need
    /// no second look.
    private static func isHarmless(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 1 else { return false }
        switch (bytes[0], bytes[1]) {
        // Behind C1 controls and the no-break space.
        case (0xC2, let next): return next > 0xA0
        // Dashes, quotation marks, bullets; not the spaces, separators and marks of direction among them.
        case (0xE2, 0x80): return bytes.count > 2 && (0x90...0xA7 ~= bytes[2] || 0xB0...0xBF ~= bytes[2])
        case (0xE2, let next): return next > 0x81
        // The ideographic space.
        case (0xE3, let next): return next != 0x80
        // The byte-order mark and tag characters.
        case _: return false
        }
    }

    private struct Cleaner {
        private var output = String.UnicodeScalarView()
        private var bytes = 0
        private var owesSpace = false

        /// What was gathered; nil when that is nothing.
        var result: String? { output.isEmpty ? nil : String(output) }

        mutating func run(over scalars: String.UnicodeScalarView) {
            for scalar in scalars {
                put(scalar)
                if bytes > PlainLine.limit {
                    output.append("…")
                    return
                }
            }
        }

        private mutating func put(_ scalar: Unicode.Scalar) {
            if scalar.isASCII ? scalar == " " || 9...13 ~= scalar.value : scalar.properties.isWhitespace {
                owesSpace = !output.isEmpty
            } else if !Self.isForbidden(scalar) {
                if owesSpace && !output.isEmpty { output.append(" ") }
                owesSpace = false
                output.append(scalar)
                bytes += UTF8.width(scalar)
            }
        }

        /// Controls, marks and overrides of direction, invisible separators and tags. Joiners stay: emoji and several
        /// scripts are wrong without them.
        private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF,
                0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
                true
            case _: false
            }
        }
    }
}
