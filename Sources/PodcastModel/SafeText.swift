/// Text from feeds, servers and other programs, without what could control a terminal, forge a line or field, or reorder
/// what is shown.
public enum SafeText {
    /// One line: control characters and invisible direction marks are removed; line breaks, tabs and the Unicode line and
    /// paragraph separators become spaces.
    public static func line(_ text: String) -> String {
        cleaned(text, keepsLines: false)
    }

    /// One line as above, of at most `maximum` Unicode scalars, so at most four times as many bytes. A longer text is cut
    /// and ends in `…`.
    public static func line(_ text: String, atMost maximum: Int) -> String {
        // What is removed may be anywhere, so a text is cleaned before it is cut, but no more of it than can matter.
        let examined = String(text.unicodeScalars.prefix(maximum * 8))
        let clean = cleaned(examined, keepsLines: false).unicodeScalars
        if clean.count <= maximum && examined.utf8.count == text.utf8.count { return String(clean) }
        return String(clean.prefix(maximum - 1)) + "…"
    }

    /// Several lines: as `line`, but line feeds stay.
    public static func lines(_ text: String) -> String {
        cleaned(text, keepsLines: true)
    }

    private static func cleaned(_ text: String, keepsLines: Bool) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where keepsLines: result.append(scalar)
            case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: result.append(" ")
            case 0..<0x20, 0x7F..<0xA0: break
            // Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9) can make a line
            // read otherwise than it is; U+FFF9…FFFB annotate; U+FEFF and the tags of plane 14 show nothing.
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB,
                0xE0000...0xE007F:
                break
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
