internal import SystemCalls

/// Wraps text into lines of a given width.
public enum TextLayout {
    /// Lines of at most `width` columns, broken at spaces; a longer word is on its own line.
    public static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ") {
            let columns = TerminalText.width(of: String(word))
            if used > 0 && used + 1 + columns > width {
                lines.append(line)
                line = ""
                used = 0
            }
            if used > 0 {
                line += " "
                used += 1
            }
            line += word
            used += columns
        }
        if used > 0 { lines.append(line) }
        return lines
    }

    /// Rows of the help text: names with wrapped explanations beside them.
    static func described(_ rows: [(name: String, text: String)], width: Int) -> [String] {
        let widest = rows.map { TerminalText.width(of: $0.name) }.filter { $0 <= 28 }.max() ?? 0
        // On a narrow terminal the text starts on the line after the name.
        let beside = min(max(widest, 8), 28) + 4
        let indent = width - beside < 24 ? 6 : beside
        var lines: [String] = []
        for row in rows {
            var texts = wrapped(row.text, width: max(24, width - indent))[...]
            let columns = TerminalText.width(of: row.name)
            if columns + 4 > indent || texts.isEmpty {
                lines.append("  \(row.name)")
            } else {
                let spaces = String(repeating: " ", count: indent - columns - 2)
                lines.append("  \(row.name)\(spaces)\(texts.removeFirst())")
            }
            for text in texts { lines.append(String(repeating: " ", count: indent) + text) }
        }
        return lines
    }
}
