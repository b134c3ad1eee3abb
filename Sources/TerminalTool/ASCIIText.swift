internal import CommandLineTool
internal import PodcastModel

/// Text for a terminal that does not read UTF-8.
enum ASCIIText {
    /// Whether the locale names another charset than UTF-8: locale(7).
    static func isNeeded(_ variable: (String) -> String?) -> Bool {
        let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first { !$0.isEmpty } ?? "C"
        let charset = name.uppercased()
        return !charset.contains("UTF-8") && !charset.contains("UTF8")
    }

    /// The text in as many columns: letters without their accents, `?` for what ASCII does not have.
    static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return text.map { character in
            guard let scalar = character.unicodeScalars.first, !scalar.isASCII else {
                return String(character.unicodeScalars.prefix(1))
            }
            return equivalent(scalar) ?? String(repeating: "?", count: TextLayout.width(of: String(character)))
        }.joined()
    }

    private static func equivalent(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "…", "·", "•": return "."
        case "‐", "‑", "–", "—", "─", "−": return "-"
        case "‘", "’", "‚", "′": return "'"
        case "“", "”", "„", "«", "»": return "\""
        case "›", "→", "▶": return ">"
        // The cells of a picture stay as they are.
        case "\u{A0}": return "\u{A0}"
        default: break
        }
        // LATIN SMALL LETTER E WITH ACUTE
        let words = scalar.properties.name?.split(separator: " ") ?? []
        guard words.count > 3, words[0] == "LATIN", words[2] == "LETTER", words[3].count == 1 else { return nil }
        return words[1] == "SMALL" ? words[3].lowercased() : String(words[3])
    }
}
