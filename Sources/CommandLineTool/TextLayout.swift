internal import PodcastModel
internal import SystemCalls

/// Text by terminal columns: wide characters take two, combining ones none.
public enum TextLayout {
    public static func width(of text: String) -> Int { TerminalText.width(of: text) }

    /// The text if it takes at most `width` columns, else its beginning with `…`.
    public static func fitted(_ text: String, width: Int) -> String { cut(text, to: width).text }

    /// The same, and the columns that it takes.
    public static func cut(_ text: String, to width: Int) -> (text: String, width: Int) {
        let whole = self.width(of: text)
        if whole <= width { return (text, whole) }
        if width <= 0 { return ("", 0) }
        let (start, used) = prefix(text, width - 1)
        return (start + "…", used + 1)
    }

    /// The longest beginning that takes at most `columns`, whole characters with their marks.
    private static func prefix(_ text: String, _ columns: Int) -> (text: String, width: Int) {
        var used = 0
        var end = text.startIndex
        while end < text.endIndex {
            let width = text[end].unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) }
            if used + width > columns { break }
            used += width
            end = text.index(after: end)
        }
        return (String(text[..<end]), used)
    }

    /// What is in the columns from `start` to before `end`; half of a wide character becomes a blank.
    public static func part(_ text: String, _ start: Int, _ end: Int) -> String {
        var result = ""
        var column = 0
        for character in text {
            let width = character.unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) }
            let next = column + width
            if column >= start && next <= end && (width > 0 || column < end) {
                result.append(character)
            } else {
                result += String(repeating: " ", count: max(0, min(next, end) - max(column, start)))
            }
            column = next
        }
        return result
    }

    /// The text in lines of at most `width` columns, broken at spaces. A longer word is on its own line, or broken, too.
    public static func wrapped(_ text: String, width columns: Int, breaksWords: Bool = false) -> [String] {
        var lines: [String] = []
        for paragraph in text.fields(separatedBy: "\n") {
            var line = ""
            var used = 0
            for word in paragraph.split(separator: " ") {
                var word = String(word)
                var width = width(of: word)
                if used > 0 && used + 1 + width > columns {
                    lines.append(line)
                    line = ""
                    used = 0
                }
                while breaksWords && width > columns {
                    let (start, taken) = prefix(word, columns)
                    // A wide character does not fit in one column.
                    if taken == 0 { break }
                    lines.append(start)
                    word = String(word.dropFirst(start.count))
                    width -= taken
                }
                if used > 0 {
                    line += " "
                    used += 1
                }
                line += word
                used += width
            }
            lines.append(line)
        }
        return lines
    }

    /// Rows of the help text: names with wrapped explanations beside them.
    static func described(_ rows: [ManualNotes.Item], width: Int) -> [String] {
        let widest = rows.map { TerminalText.width(of: $0.name) }.filter { $0 <= 28 }.max() ?? 0
        // On a narrow terminal the text starts on the line after the name.
        let beside = min(max(widest, 8), 28) + 4
        let indent = width - beside < 24 ? 6 : beside
        var lines: [String] = []
        for row in rows {
            var texts = wrapped(row.text, width: max(24, width - indent))[...]
            let columns = TerminalText.width(of: row.name)
            if columns + 4 > indent || row.text.isEmpty {
                lines.append("  \(row.name)")
                if row.text.isEmpty { continue }
            } else {
                let spaces = String(repeating: " ", count: indent - columns - 2)
                lines.append("  \(row.name)\(spaces)\(texts.removeFirst())")
            }
            for text in texts { lines.append(String(repeating: " ", count: indent) + text) }
        }
        return lines
    }
}
