internal import PodcastModel

/// The first bytes of a document, to describe a document of an unexpected type.
struct DocumentHead {
    private var bytes: [UInt8] = []
    private static let length = 512

    /// Collects the next bytes, as far as they are needed.
    mutating func add(_ more: UnsafeRawBufferPointer) {
        guard bytes.count < Self.length else { return }
        bytes.append(contentsOf: more.prefix(Self.length - bytes.count))
    }

    var isFull: Bool { bytes.count == Self.length }

    /// The type of the document, after "the document is".
    func description(foreignRoot: String?) -> String {
        if let known = Self.signatures.first(where: { bytes.starts(with: $0.bytes) }) { return known.name }
        if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return "an audio file or video (MP4)" }
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop(while: \.isBlank)
        guard let first = text.first else { return bytes.isEmpty ? "empty" : "only spaces" }
        if first == .openingBrace || first == .openingBracket { return "JSON" }
        let start = String(utf8: text.prefix(64)).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "a web page" }
        if let foreignRoot { return Self.name(ofRoot: foreignRoot) }
        if start.hasPrefix("<?xml") || start.hasPrefix("<!") { return "XML without any element" }
        let isText = !bytes.contains(where: \.isForbiddenControl)
        return isText ? "plain text" : "binary data"
    }

    private static func name(ofRoot root: String) -> String {
        let local = root.split(separator: ":").last.map(String.init) ?? root
        switch local.lowercased() {
        case "html": return "a web page"
        case "rss", "rdf", "feed": return "a feed"
        case "opml": return "an OPML list"
        case "entry": return "a single Atom entry"
        case "svg": return "a picture (SVG)"
        case "error": return "an XML error message"
        case "envelope": return "a SOAP message"
        case "urlset", "sitemapindex": return "a sitemap"
        default: return "other XML (<\(root.visibleASCII.prefix(40))>)"
        }
    }

    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "compressed data (gzip)"),
        (Array("\u{89}PNG".unicodeScalars.map { UInt8($0.value) }), "a picture (PNG)"),
        ([0xFF, 0xD8, 0xFF], "a picture (JPEG)"), (Array("GIF8".utf8), "a picture (GIF)"),
        (Array("%PDF".utf8), "a PDF document"),
        (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"), (Array("ID3".utf8), "an audio file (MP3)"),
        ([0xFF, 0xFB], "an audio file (MP3)"), ([0xFF, 0xFA], "an audio file (MP3)"),
        ([0xFF, 0xF3], "an audio file (MP3)"), ([0xFF, 0xF2], "an audio file (MP3)"),
        ([0xFF, 0xF1], "an audio file (AAC)"), ([0xFF, 0xF9], "an audio file (AAC)"),
        (Array("OggS".utf8), "an audio file (Ogg)"),
        (Array("RIFF".utf8), "an audio file (RIFF)"), (Array("fLaC".utf8), "an audio file (FLAC)"),
    ]
}
