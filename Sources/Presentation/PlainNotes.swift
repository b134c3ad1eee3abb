internal import CommandLineTool
public import ControlProtocol
internal import PodcastModel

/// Show notes as text: tags are dropped, paragraphs kept. For reading on a terminal, not for keeping.
public enum PlainNotes {
    /// The notes in paragraphs, each of which is one line however long. A `<` that does not begin a tag is a character.
    public static func text(_ notes: String) -> String {
        var text = ""
        var rest = notes.unicodeScalars[...]
        while let start = rest.firstIndex(of: "<") {
            text.unicodeScalars += rest[..<start]
            let tag = rest[start...].dropFirst()
            let isTag = tag.first.map { $0 == "/" || $0 == "!" || $0.isASCII && $0.properties.isAlphabetic } ?? false
            if isTag, let end = tag.firstIndex(of: ">") {
                if breaks(String(tag[..<end].prefix(16))) { text += "\n" }
                rest = rest[end...].dropFirst()
            } else {
                text += "<"
                rest = tag
            }
        }
        text.unicodeScalars += rest
        return decoded(text)
    }

    /// Text as lines that fit.
    public static func wrapped(_ text: String, _ width: Int?) -> [String] {
        wrapped(SafeText.lines(text), width: min(width ?? 100, 100))
    }

    /// Whether a tag ends a line: paragraphs, breaks, list items, headings.
    private static func breaks(_ tag: String) -> Bool {
        let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
        return ["p", "br", "li", "div", "ul", "ol", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote"].contains(
            name)
    }

    private static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            guard let end = rest.prefix(10).firstIndex(of: ";"),
                let character = entity(rest[rest.index(after: start)..<end])
            else {
                result += "&"
                rest = rest.dropFirst()
                continue
            }
            result += character
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func entity(_ name: Substring) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.first == "x" || digits.first == "X"
            let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
    }

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let broken = TextLayout.wrapped(String(paragraph), width: width)
            // Several empty lines count as one.
            if broken.isEmpty && (lines.last ?? "").isEmpty { continue }
            lines += broken.isEmpty ? [""] : broken
        }
        return lines
    }
}

extension EpisodeDetailReply {
    /// The notes as text. The daemon has converted them, except those of a library of an earlier version, which come without
    /// `html` and as the publisher wrote them.
    public var notes: String? {
        (content ?? summary).map { html == nil ? PlainNotes.text($0) : $0 }
    }
}
