/// The one place where a publisher's short texts become what the library keeps: a single line of plain text that can
/// go to a terminal or a line protocol as it is.
enum PlainLine {
    /// Bytes a title may have; longer ones are cut.
    static let limit = 1_000

    /// A text without tags, entities, line breaks, controls and characters that turn the writing direction; runs of
    /// white space become one space. Nil when nothing is left.
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
            for byte in bytes {
                switch byte {
                case 0x20:
                    if isAfterSpace { return false }
                    isAfterSpace = true
                case 0..<0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: "&"): return false
                // What leads the bytes of C1 controls and no-break spaces, of general punctuation with its direction
                // marks, of the byte order mark and of tag characters.
                case 0xC2, 0xE2, 0xE3, 0xEF, 0xF3: return false
                case _: isAfterSpace = false
                }
            }
            return !isAfterSpace || bytes.isEmpty
        }
        return answer ?? false
    }

    private struct Cleaner {
        private var output = String.UnicodeScalarView()
        private var bytes = 0
        private var owesSpace = false

        /// What was gathered; nil when that is nothing.
        var result: String? { output.isEmpty ? nil : String(output) }

        mutating func run(over scalars: String.UnicodeScalarView) {
            var index = scalars.startIndex
            while index < scalars.endIndex {
                let scalar = scalars[index]
                if scalar == "<", let end = endOfTag(in: scalars, from: index) {
                    owesSpace = owesSpace || Self.isBreaking(scalars[index..<end])
                    index = end
                } else if scalar == "&", let (decoded, end) = HTMLEntity.decode(scalars, at: index) {
                    put(decoded)
                    index = end
                } else {
                    put(scalar)
                    index = scalars.index(after: index)
                }
                if bytes > PlainLine.limit {
                    output.append("…")
                    return
                }
            }
        }

        private mutating func put(_ scalar: Unicode.Scalar) {
            if scalar.properties.isWhitespace {
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

        /// Where a tag ends that begins here; nil when this `<` begins none, as in `a < b`.
        private func endOfTag(
            in scalars: String.UnicodeScalarView, from start: String.UnicodeScalarView.Index
        ) -> String.UnicodeScalarView.Index? {
            let first = scalars.index(after: start)
            guard first < scalars.endIndex else { return nil }
            let lead = scalars[first]
            guard lead == "/" || lead == "!" || (lead.isASCII && lead.properties.isAlphabetic) else { return nil }
            let window = scalars[first...].prefix(PlainLine.limit)
            return window.firstIndex(of: ">").map { scalars.index(after: $0) }
        }

        /// Whether a tag separates words.
        private static func isBreaking(_ tag: Substring.UnicodeScalarView) -> Bool {
            let name = tag.drop { $0 == "<" || $0 == "/" }.prefix { $0.properties.isAlphabetic }
            return ["br", "p", "div", "li"].contains(String(name).lowercased())
        }
    }
}
