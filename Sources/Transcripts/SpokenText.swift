internal import ShowNotes

/// The words of a cue without its markup, and whose they are.
struct SpokenText {
    private(set) var text: String
    private(set) var speaker: String?

    /// Reads the lines of a cue: tags of WebVTT (`<v Name>`, `<c.loud>`, `<00:01.000>`) and HTML (`<i>`, `<font …>`) and
    /// SubRip's `{\an8}` go; the first voice is the speaker.
    init(markup: String) {
        guard
            markup.utf8.contains(where: {
                $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "&")
            })
        else {
            text = Self.lines(markup)
            return
        }
        var kept = ""
        var rest = markup[...]
        while let place = rest.firstIndex(where: { $0 == "<" || $0 == "{" }) {
            kept += rest[..<place]
            guard let tag = Tag(rest[place...]) else {
                // No tag: the character itself, as a reference, since the text is resolved below.
                kept += rest[place] == "<" ? "&lt;" : "{"
                rest = rest[rest.index(after: place)...]
                continue
            }
            if speaker == nil { speaker = tag.voice.flatMap(LineText.line) }
            rest = rest[tag.end...]
        }
        text = Self.lines(kept + rest)
    }

    /// Lines of plain text: references resolved, blanks single, control characters gone.
    private static func lines(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).compactMap { LineText.line(String($0)) }.joined(separator: "\n")
    }

    private struct Tag {
        let end: Substring.Index
        /// The name of a voice tag.
        let voice: String?

        /// The tag at the begin of a text; nil where there is none.
        init?(_ text: Substring) {
            let inside = text.dropFirst()
            if text.first == "{" {
                guard inside.first == "\\", let close = inside.firstIndex(of: "}") else { return nil }
                (end, voice) = (text.index(after: close), nil)
                return
            }
            guard let first = inside.first, first.isLetter || first.isNumber || first == "/",
                let close = inside.firstIndex(of: ">"), !inside[..<close].contains("<")
            else { return nil }
            end = text.index(after: close)
            // `<v.class Name>`
            let words = inside[..<close].split(maxSplits: 1, whereSeparator: \.isWhitespace)
            let isVoice = words.count == 2 && (words[0] == "v" || words[0].hasPrefix("v."))
            voice = isVoice ? String(words[1]) : nil
        }
    }
}
