internal import XMLEvents

/// A feed that a web page names: `<link rel="alternate" type="application/rss+xml" href="…">`, WHATWG HTML section 4.6.7.1.
public struct PageFeed: Equatable, Sendable {
    /// Its address as written; to be resolved against `PageFeeds.base` and the page's own.
    public var reference: String
    /// What the page calls it.
    public var title: String?
    /// How much speaks for it being the podcast that is meant.
    var score: Int

    /// Whether the page's words make it the feed of comments.
    public var isOfComments: Bool { score < 0 }
}

/// The feeds that a web page names.
public struct PageFeeds: Equatable, Sendable {
    /// Bytes of a page that are read; links stand in its head.
    public static let pageBytes = 1 << 20
    private static let maximum = 100

    /// What references are relative to, as written, where the page says so.
    public private(set) var base: String?
    /// The feeds in the page's order, each once.
    public private(set) var feeds: [PageFeed] = []

    /// Reads a page.
    public init(page bytes: [UInt8]) {
        // What is no UTF-8 in a title must not keep the parser from the links behind it.
        let text = Array(String(decoding: bytes.prefix(Self.pageBytes), as: UTF8.self).utf8)
        let reader = LinkReader()
        _ = text.withUnsafeBytes { HTMLParser.parse($0, handler: reader) }
        base = reader.base
        for link in reader.links where feeds.count < Self.maximum {
            if !feeds.contains(where: { $0.reference == link.reference }) { feeds.append(link) }
        }
    }

    /// The feeds that are most likely meant: one, several that nothing tells apart, or none.
    public var best: [PageFeed] {
        let offered = feeds.filter { !$0.isOfComments }
        guard let top = offered.map(\.score).max() else { return [] }
        return offered.filter { $0.score == top }
    }
}

/// Finds links to feeds among a page's elements.
private final class LinkReader: HTMLEventHandler {
    private(set) var links: [PageFeed] = []
    private(set) var base: String?

    private static let link = HTMLElementName.packed("link")
    private static let baseElement = HTMLElementName.packed("base")

    func startElement(_ name: HTMLElementName, attributes: HTMLAttributes) {
        switch name.packed {
        case Self.link: addLink(attributes)
        case Self.baseElement: base = base ?? attributes.value(named: "href")
        default: break
        }
    }

    func characters(_ text: UnsafeRawBufferPointer) {}
    func endElement(_ name: HTMLElementName) {}

    private func addLink(_ attributes: HTMLAttributes) {
        let relations = attributes.value(named: "rel")?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
        guard relations.contains("alternate") || relations.contains("feed"),
            let reference = attributes.value(named: "href"), !reference.isEmpty,
            let form = Self.score(ofType: attributes.value(named: "type") ?? "")
        else { return }
        let title = attributes.value(named: "title")
        let words = "\(title ?? "") \(reference)".lowercased()
        var score = form
        if words.contains("podcast") { score += 20 }
        if ["mp3", "audio", "episode", "folgen", "sendung"].contains(where: words.contains) { score += 10 }
        if ["comment", "kommentar", "commentaire", "comentario"].contains(where: words.contains) { score = -100 }
        links.append(PageFeed(reference: reference, title: title, score: score))
    }

    /// What the announced type says; nil for what is no feed. RSS before Atom, where a page offers both of one thing.
    private static func score(ofType type: String) -> Int? {
        switch type.lowercased().prefix(while: { $0 != ";" }).filter({ !$0.isWhitespace }) {
        case "application/rss+xml": 2
        case "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml", "application/x-rss+xml": 1
        default: nil
        }
    }
}
