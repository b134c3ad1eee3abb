internal import SystemCalls

/// Text by terminal columns: wide characters take two columns, combining characters none.
public enum TextColumns {
    public static func width(of text: String) -> Int { TerminalText.width(of: text) }

    /// The text if it takes at most `columns`, else its beginning with `…`.
    public static func fitted(_ text: String, _ columns: Int) -> (text: String, width: Int) {
        let width = width(of: text)
        if width <= columns { return (text, width) }
        if columns <= 0 { return ("", 0) }
        let (start, used) = prefix(text, columns - 1)
        return (start + "…", used + 1)
    }

    /// The longest beginning that takes at most `columns`, whole characters with their marks.
    static func prefix(_ text: String, _ columns: Int) -> (text: String, width: Int) {
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

    /// The text in the columns from `start` to before `end`; half of a wide character becomes a space.
    static func part(_ text: String, _ start: Int, _ end: Int) -> String {
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

    /// The text in lines of at most `columns`, broken at spaces, and within longer words.
    public static func wrapped(_ text: String, _ columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            var used = 0
            for word in paragraph.split(separator: " ") {
                var word = String(word)
                var width = width(of: word)
                if used > 0 && used + 1 + width > columns {
                    lines.append(line)
                    (line, used) = ("", 0)
                }
                while width > columns {
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
}
