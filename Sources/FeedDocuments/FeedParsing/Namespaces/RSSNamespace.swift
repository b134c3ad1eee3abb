internal import PodcastModel
internal import XMLEvents

extension FeedNamespace {
    static let rss = FeedNamespace(
        "rss",
        [
            "purl.org/rss/1.0", "my.netscape.com/rdf/simple/0.9", "channel.netscape.com/rdf/simple/0.9",
            "backend.userland.com/rss2", "backend.userland.com/rss", "blogs.law.harvard.edu/tech/rss",
            "purl.org/net/rss1.1", "rssboard.org/rss-specification", "cyber.law.harvard.edu/rss/rss.html",
            "w3.org/1999/02/22-rdf-syntax-ns",
        ], RSSNamespace.rule)
}

/// RSS 0.9x, 1.0 and 2.0, which share their elements: rssboard.org/rss-specification, purl.org/rss/1.0/spec.
enum RSSNamespace {
    static func rule(_ scope: Scope, _ element: String) -> ElementRule? {
        switch (scope, element) {
        case (.document, "rss"), (.document, "rdf"): .enter(.root)
        // RSS 1.0 has items and image outside of the channel, and so do some feeds that claim to be 2.0.
        case (.document, "channel"), (.root, "channel"): .enter(.channel)
        case (.root, "item"): .item
        case (.root, "image"): .enter(.image)
        case (.image, "url"): .channel(.image, .primary)
        case (.channel, _): channel(element)
        case (.item, _): item(element)
        default: nil
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "item": .item
        case "title": .channel(.title, .own)
        case "description": .channel(.summary, .own, .markup)
        // A link's URL is its text, or `href` in feeds that use Atom's form.
        case "link": .text(AtomNamespace.channelLink) { $0.channel[.link].offer(.own, $0.base.resolve($1)) }
        case "language": .channel(.language, .own)
        case "managingeditor", "author": .text { $0.channel[.author].offer(.fallback, authorName($1)) }
        case "category": .text { $0.addCategory($1) }
        case "image": .enter(.image)
        case "ttl": .text { $0.channel.rhythm.minutesToLive = $1.number }
        case "skiphours", "skipdays": .enter(.channel)
        case "hour": .text { $0.channel.rhythm.skip(hour: $1.number) }
        case "day": .text { $0.channel.rhythm.skip(day: $1) }
        case "lastbuilddate", "pubdate", "copyright", "generator": nil
        default: AtomNamespace.rule(.channel, element)
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        // A new item closes an open one.
        case "item": .item
        case "title": .item(.title, .own)
        case "description": .item(.summary, .own, .markup)
        case "link": .text(AtomNamespace.itemLink) { $0.item[.link].offer(.own, $0.base.resolve($1)) }
        case "pubdate": .text { $0.item.published.offer(.best, FeedDate.parse($1)) }
        case "author": .text { $0.item[.author].offer(.secondary, authorName($1)) }
        case "enclosure": .attributes { enclosure(&$0, $1) }
        case "guid":
            .text { draft, attributes in
                draft.guidIsPermalink = attributes.text("isPermaLink").map { $0.equals("true") }
            } _: { draft, text in
                draft.item[.guid].replace(.own, text.string)
                // With `isPermaLink` a GUID is a URL, possibly relative; without the attribute, if it looks like a URL.
                if draft.guidIsPermalink ?? FeedURL.hasScheme(text) {
                    draft.item[.link].offer(.fallback, draft.base.resolve(text))
                }
            }
        case "fullitem", "body": .item(.content, .other, .markup)
        case "category", "comments", "source": nil
        // Some feeds use Atom's elements without Atom's namespace.
        default: AtomNamespace.rule(.item, element)
        }
    }

    static func enclosure(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        // Some feeds use the attribute names of other elements.
        let address =
            attributes.value(named: "url") ?? attributes.value(named: "href") ?? attributes.value(named: "uri")
        guard let source = ElementText(trimming: address), let url = draft.base.resolve(source) else { return }
        let type = attributes.text("type")
        let length = attributes.text("length").flatMap(announcedLength)
        if type?.hasPrefix("image/") ?? false { draft.item[.image].offer(.fallback, url) }
        draft.item.plain.enclosures.append(
            Enclosure(url: url, type: type?.string, length: length), upTo: draft.limits.listMembers)
    }

    /// In bytes; nil unless it is a number above 0.
    static func announcedLength(_ text: ElementText) -> Int64? {
        guard text.bytes.allSatisfy(\.isDigit), let number = text.number, number > 0 else { return nil }
        return Int64(number)
    }

    /// `jane@example.com (Jane Doe)`, `Jane Doe (jane@example.com)` and `Jane Doe <jane@example.com>` mean Jane Doe.
    static func authorName(_ text: ElementText) -> String? {
        guard let whole = text.string else { return nil }
        func before(_ place: String.Index) -> String { String(utf8: whole[..<place].utf8.trimmed) }
        if let open = whole.firstIndex(of: "("), let close = whole.lastIndex(of: ")"), open < close, whole.contains("@")
        {
            let inner = String(utf8: whole[whole.index(after: open)..<close].utf8.trimmed)
            let name = inner.contains("@") ? before(open) : inner
            if !name.isEmpty { return name }
        }
        if let open = whole.firstIndex(of: "<"), whole.last == ">" {
            let name = before(open)
            if !name.isEmpty { return name }
        }
        return whole
    }
}
