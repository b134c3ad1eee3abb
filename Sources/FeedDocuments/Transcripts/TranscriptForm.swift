internal import PodcastModel

/// Format of a transcript.
public enum TranscriptForm: String, Sendable {
    case srt = "SRT"
    case webVTT = "WebVTT"
    /// Podcasting 2.0 JSON.
    case json = "JSON"
    /// HTML, by Podcasting 2.0 with `<cite>` and `<time>`.
    case html = "HTML"
    case plain = "plain text"

    /// Nil for an unspecific type.
    init?(contentType: String?) {
        guard let type = contentType?.split(separator: ";").first?.lowercased().filter({ $0 != " " }) else {
            return nil
        }
        self.init(word: type)
    }

    /// The format for the extension of a file name or URL path.
    init?(name: String) {
        let path = name.prefix { $0 != "?" && $0 != "#" }
        self.init(word: path.split(separator: ".").last?.lowercased() ?? "")
    }

    private init?(word: String) {
        guard let form = Self.forms[word].flatMap({ TranscriptForm(rawValue: $0) }) else { return nil }
        self = form
    }

    /// On each line a format, and its media types and extensions.
    private static let forms = WordTable.values(
        """
        WebVTT: text/vtt application/vtt text/webvtt vtt
        SRT: application/srt application/x-subrip text/srt application/x-srt text/x-srt srt
        JSON: application/json text/json application/x-json json
        HTML: text/html application/xhtml+xml html htm xhtml
        plain text: text/plain txt text
        """)

    /// The format of a text, from its content and the announced format.
    static func decided(_ text: String, announced: TranscriptForm?) throws(DocumentError) -> TranscriptForm {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard let first = start.first else { throw .noTranscript(reason: "the document is empty") }
        if start.hasPrefix("WEBVTT") { return .webVTT }
        if first == "{" || announced == .json && first == "[" { return .json }
        let isHTML = first == "<" && looksLikeHTML(start)
        switch announced {
        case .html: return .html
        case .plain where isHTML, nil where isHTML: return .html
        case .srt, .webVTT, .json, .plain, nil: break
        }
        if isHTML { throw .noTranscript(reason: "the document is a web page") }
        if text[...].arrow != nil { return announced == .webVTT ? .webVTT : .srt }
        switch announced {
        case .plain, nil: break
        case .srt, .webVTT: throw .noTranscript(reason: "the text has no times")
        case .json, .html: throw .noTranscript(reason: "no JSON")
        }
        guard !text.utf8.contains(0) else { throw .noTranscript(reason: "no text") }
        return .plain
    }

    private static func looksLikeHTML(_ text: Substring) -> Bool {
        let head = text.prefix(200).lowercased()
        return ["<!doctype", "<html", "<head", "<body", "<cite", "<time", "<p>", "<p ", "<div", "<?xml", "<!--"]
            .contains { head.hasPrefix($0) }
    }
}
