internal import PodcastModel

/// A feed link in a page: `<link rel="alternate" type="application/rss+xml" href="…">` (WHATWG HTML, 4.6.7.1).
public struct PageFeed: Equatable, Sendable {
    /// The URL as written; resolve it against `PageFeeds.base` and the page's own URL.
    public var reference: String
    public var title: String?
    /// How likely this is the podcast that the user wants.
    var score: Int

    var isOfComments: Bool { score < 0 }
}

/// The feed links of a web page.
public struct PageFeeds: Equatable, Sendable {
    /// Maximum bytes to read; links are in the page's head.
    public static let pageBytes = 1 << 20
    private static let maximum = 100

    /// Base URL for relative links, as written, if the page gives one.
    public private(set) var base: String?
    /// The feeds in the page's order, without duplicates.
    public private(set) var feeds: [PageFeed] = []

    public init(page bytes: [UInt8]) {
        // Replace invalid UTF-8, so that a bad title does not stop the parser before later links.
        let text = Array(String(utf8: bytes.prefix(Self.pageBytes)).utf8)
        let reader = LinkReader()
        text.withUnsafeBytes { HTMLReader.read($0, to: reader) }
        base = reader.base
        for link in reader.links where feeds.count < Self.maximum {
            if !feeds.contains(where: { $0.reference == link.reference }) { feeds.append(link) }
        }
    }

    /// The most likely feeds: one, several with the same score, or none.
    public var best: [PageFeed] {
        let offered = feeds.filter { !$0.isOfComments }
        guard let top = offered.map(\.score).max() else { return [] }
        return offered.filter { $0.score == top }
    }
}

private final class LinkReader: HTMLEventHandler {
    private(set) var links: [PageFeed] = []
    private(set) var base: String?

    func startElement(_ element: HTMLElement, attributes: HTMLAttributes) {
        switch element.name {
        case "link": addLink(attributes)
        case "base": base = base ?? attributes.value(named: "href")
        default: break
        }
    }

    func characters(_ text: UnsafeRawBufferPointer) {}
    func endElement(_ element: HTMLElement) {}

    func addLink(_ attributes: HTMLAttributes) {
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

    /// Score of the announced type; nil if it is not a feed. RSS is preferred to Atom, because pages often offer both.
    static func score(ofType type: String) -> Int? {
        switch type.lowercased().prefix(while: { $0 != ";" }).filter({ !$0.isWhitespace }) {
        case "application/rss+xml": 2
        case "application/feed+json", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml",
            "application/x-rss+xml":
            1
        default: nil
        }
    }
}
