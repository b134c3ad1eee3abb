internal import PodcastModel

/// The text of a cue without its markup, and its speaker.
struct SpokenText {
    private(set) var text: String
    private(set) var speaker: String?

    /// Parses a cue: removes tags of WebVTT and HTML, and SubRip's `{\an8}`; the first `<v Name>` is the speaker.
    init(markup: String) {
        var kept = ""
        var rest = markup[...]
        while let place = rest.utf8.firstIndex(where: { $0 == .less || $0 == .openingBrace }) {
            kept += rest[..<place]
            guard let tag = Tag(rest[place...]) else {
                // Not a tag: escape the character, because references are resolved later.
                kept += rest.utf8[place] == .less ? "&lt;" : "{"
                rest = rest[rest.utf8.index(after: place)...]
                continue
            }
            if speaker == nil { speaker = tag.voice.flatMap(LineText.line) }
            rest = rest[tag.end...]
        }
        text = Self.lines(kept + rest)
    }

    /// Takes the speakers from beginnings such as `Ada: `, if no speaker is named otherwise and there are several such names or
    /// one occurs again.
    static func namingSpeakers(_ cues: [Cue]) -> [Cue] {
        let names = cues.map { name(beginning: $0.text) }
        guard names.count(where: { $0 != nil }) > 1, cues.allSatisfy({ $0.speaker == nil }) else { return cues }
        return zip(cues, names).map { cue, name in
            guard let name else { return cue }
            return Cue(
                start: cue.start, end: cue.end, speaker: String(name), text: String(cue.text.dropFirst(name.count + 2)))
        }
    }

    /// One to four words with capital letters, before a colon and more text.
    private static func name(beginning text: String) -> Substring? {
        guard let colon = text.prefix(40).firstIndex(of: ":"), text[colon...].dropFirst().first == " " else {
            return nil
        }
        let words = text[..<colon].split(separator: " ")
        let isName = words.allSatisfy { $0.first.map { $0.isUppercase || $0.isNumber } ?? false }
        return (1...4).contains(words.count) && isName && words[0].first?.isLetter ?? false ? text[..<colon] : nil
    }

    /// Lines of plain text with resolved references, single spaces, and no control characters.
    static func lines(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).compactMap { LineText.line(String($0)) }.joinedText("\n")
    }

    private struct Tag {
        let end: Substring.Index
        let voice: String?

        /// Maximum bytes of SubRip's position codes.
        static let longestCode = 64

        /// The tag at the beginning of a text; nil if there is none. Searches up to the next `<`.
        init?(_ text: Substring) {
            let bytes = text.utf8
            let inside = bytes.dropFirst()
            if bytes.first == .openingBrace {
                guard inside.first == .backslash,
                    let close = inside.prefix(Self.longestCode).firstIndex(of: .closingBrace)
                else { return nil }
                end = bytes.index(after: close)
                voice = nil
                return
            }
            guard let first = text[inside.startIndex...].first, first.isLetter || first.isNumber || first == "/",
                let close = inside.firstIndex(where: { $0 == .greater || $0 == .less }),
                bytes[close] == .greater
            else { return nil }
            end = bytes.index(after: close)
            // `<v.class Name>`
            let words = text[inside.startIndex..<close].split(maxSplits: 1, whereSeparator: \.isWhitespace)
            let isVoice = words.count == 2 && (words[0] == "v" || words[0].hasPrefix("v."))
            voice = isVoice ? String(words[1]) : nil
        }
    }
}
