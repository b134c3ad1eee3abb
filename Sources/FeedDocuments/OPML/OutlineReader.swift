internal import PodcastModel
internal import XMLEvents

/// Collects the outlines that name a feed, and the groups around them.
final class OutlineReader: XMLEventHandler {
    private enum Element {
        case other, head, title, feed
        /// An outline without a feed groups its inner outlines.
        case group(String)
    }

    private var elements: [Element] = []
    private var text: [UInt8] = []
    private let limit: Int
    private(set) var title: String?
    private var feeds: [Subscription] = []
    /// Outlines of type `link`, which are feeds in lists of the Squeezebox, and pages in a list that has feeds.
    private var links: [Subscription] = []
    var subscriptions: [Subscription] { feeds.isEmpty ? links : feeds }
    /// Number of feeds beyond the limit.
    private(set) var dropped = 0
    /// The types of other outlines with an address, a few of them.
    private var others: [String] = []
    var otherTypes: [String] { subscriptions.isEmpty ? others : [] }

    init(limit: Int) { self.limit = limit }

    func startElement(_ name: XMLElementName, attributes: XMLAttributes) {
        switch name.localName.lowercased() {
        case "outline": elements.append(outline(attributes))
        case "head": elements.append(.head)
        case "title":
            guard case .head = elements.last else { return elements.append(.other) }
            text.removeAll()
            elements.append(.title)
        default: elements.append(.other)
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {
        if case .title = elements.last, text.count + bytes.count <= 4096 { text.append(contentsOf: bytes) }
    }

    func endElement(_ name: XMLElementName) { if case .title = elements.popLast() { title = title ?? trimmed(text) } }

    private func outline(_ attributes: XMLAttributes) -> Element {
        // Programs differ in the case of these names.
        var values: [String: String] = [:]
        for index in 0..<attributes.count {
            values[attributes.name(index).localName.lowercased()] = trimmed(attributes.value(index))
        }
        let title = values["text"] ?? values["title"]
        // Some programs put the URL into `feedURL` or `url`, which other types of outlines also have.
        let type = values["type"]?.lowercased()
        let isFeed = [nil, "rss", "atom", "feed", "podcast"].contains(type)
        let feed = values["xmlurl"] ?? values["feedurl"] ?? (isFeed ? values["url"] : nil)
        guard let url = feed ?? (type == "link" ? values["url"] : nil) else {
            let other = String((type ?? "").visibleASCII.prefix(20))
            if values["url"] != nil, !other.isEmpty, !others.contains(other) { others.append(other, upTo: 5) }
            return .group(String((title ?? "").prefix(Self.longestGroup)))
        }
        guard subscriptions.count < limit else {
            dropped += 1
            return .feed
        }
        let subscription = Subscription(
            url: withLowercaseScheme(url), title: title, htmlURL: values["htmlurl"], path: path,
            categories: Self.categories(values["category"] ?? ""))
        if feed == nil { links.append(subscription) } else { feeds.append(subscription) }
        return .feed
    }

    /// Schemes are case-insensitive (RFC 3986 section 3.1); ours are in lower case, because URLs are compared.
    private func withLowercaseScheme(_ url: String) -> String {
        guard let colon = url.firstIndex(of: ":"), url[..<colon].utf8.allSatisfy({ $0 < 0x80 }) else { return url }
        return url[..<colon].lowercased() + url[colon...]
    }

    /// Slash-delimited categories, separated by commas: opml.org/spec2.opml.
    private static func categories(_ text: String) -> [String] {
        text.split(separator: ",").prefix(50).compactMap { part in
            let levels = part.split(separator: "/").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
            return levels.isEmpty ? nil : levels.joined(separator: "/")
        }
    }

    /// Groups of a feed, outermost first, of limited number and length: each feed has a copy, which could make a list
    /// of many feeds with long paths far larger than the document.
    private var path: [String] {
        var path: [String] = []
        for case .group(let name) in elements where !name.isEmpty && path.count < Self.mostGroups { path.append(name) }
        return path
    }

    private static let mostGroups = 8
    /// Maximum characters of a group's name.
    private static let longestGroup = 100

    private func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
        let text = bytes.trimmed
        return text.isEmpty ? nil : String(utf8: text)
    }
}
