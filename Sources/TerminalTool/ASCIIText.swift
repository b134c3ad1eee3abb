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

    /// The text in as many columns: Latin letters by the names of letters and syllables, `?` for what has no such name.
    static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return text.map { character in
            guard let scalar = character.unicodeScalars.first, !scalar.isASCII else {
                return String(character.unicodeScalars.prefix(1))
            }
            let width = TextLayout.width(of: String(character))
            let text = (equivalent(scalar) ?? "").prefix(width)
            return String(text) + String(repeating: text.isEmpty ? "?" : " ", count: width - text.count)
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
        // CYRILLIC SMALL LETTER ZHE, HANGUL SYLLABLE GAG
        let words = (scalar.properties.name ?? "").split(separator: " ")
        guard let place = words.firstIndex(where: { ["LETTER", "SYLLABLE"].contains($0) }),
            let name = words[(place + 1)...].first(where: { !qualifiers.contains($0) })
        else { return nil }
        let letters = names[name] ?? name
        return words.contains("CAPITAL") ? String(letters) : letters.lowercased()
    }

    private static let qualifiers = "BYELORUSSIAN-UKRAINIAN DOTLESS FINAL SHORT SMALL UKRAINIAN".split(separator: " ")

    /// Names of letters that do not begin with the sound.
    private static let names = "EF-F EL-L EM-M EN-N ER-R ES-S HARD-' IE-E IO-E SOFT-' YU-U".split(separator: " ")
        .reduce(into: [:]) { $0[$1.dropLast(2)] = $1.suffix(1) }
}
