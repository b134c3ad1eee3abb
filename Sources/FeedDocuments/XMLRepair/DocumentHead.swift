internal import PodcastModel

/// The kind of a document that is not of the expected type.
public enum DocumentType: Equatable, Sendable, CustomStringConvertible {
    case webPage
    /// Audio, or video with sound; how the document is described.
    case audio(String)
    case binaryData
    /// The document's kind in a message.
    case other(String)

    /// The words that follow "the document is" in a message.
    public var description: String {
        switch self {
        case .webPage: "a web page"
        case .audio(let text), .other(let text): text
        case .binaryData: "binary data"
        }
    }
}

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

    func type(foreignRoot: String?) -> DocumentType {
        let digits = bytes.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 0x0F, radix: 16) }.joined()
        if let known = Self.signatures.first(where: { digits.hasPrefix($0.key) }) { return .other(known.value) }
        if let known = Self.audioSignatures.first(where: { digits.hasPrefix($0.key) }) { return .audio(known.value) }
        if bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) { return .audio("an audio file or video (MP4)") }
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        text = text.drop(while: \.isBlank)
        guard let first = text.first else { return .other(bytes.isEmpty ? "empty" : "only spaces") }
        if first == .openingBrace || first == .openingBracket { return .other("JSON") }
        let start = String(utf8: text.prefix(64)).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .webPage }
        if let foreignRoot {
            let local = foreignRoot.split(separator: ":").last.map(String.init) ?? foreignRoot
            if local.lowercased() == "html" { return .webPage }
            let other = "other XML (<\(foreignRoot.visibleASCII.prefix(40))>)"
            return .other(Self.roots[local.lowercased()] ?? other)
        }
        if start.hasPrefix("<?xml") || start.hasPrefix("<!") { return .other("XML without any element") }
        let isText = !bytes.contains(where: \.isForbiddenControl)
        return isText ? .other("plain text") : .binaryData
    }

    /// On each line a type, and the names of its root elements.
    private static let roots = WordTable.values(
        """
        a feed: rss rdf feed
        an OPML list: opml
        a single Atom entry: entry
        a picture (SVG): svg
        an XML error message: error
        a SOAP message: envelope
        a sitemap: urlset sitemapindex
        """)

    /// On each line a type, and its first bytes in hexadecimal.
    private static let signatures = WordTable.values(
        """
        compressed data (gzip): 1f8b
        a picture (PNG): 89504e47
        a picture (JPEG): ffd8ff
        a picture (GIF): 47494638
        a PDF document: 25504446
        a ZIP archive: 504b0304
        """)

    private static let audioSignatures = WordTable.values(
        """
        an audio file (MP3): 494433 fffb fffa fff3 fff2
        an audio file (AAC): fff1 fff9
        an audio file (Ogg): 4f676753
        an audio file (RIFF): 52494646
        an audio file (FLAC): 664c6143
        """)
}
