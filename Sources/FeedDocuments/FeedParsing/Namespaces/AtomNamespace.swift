internal import PodcastModel
internal import XMLEvents

extension FeedNamespace {
    static let atom = FeedNamespace("atom", ["w3.org/2005/atom", "purl.org/atom/ns"], AtomNamespace.rule)
}

/// Atom 1.0 (RFC 4287) and 0.3, as a separate format and as a module within RSS.
enum AtomNamespace {
    static func rule(_ scope: Scope, _ element: String) -> ElementRule? {
        switch (scope, element) {
        case (.document, "feed"): .enter(.channel)
        case (.author, "name"): .text { $0.author.offer(.own, $1.string) }
        case (.author, "email"): .text { $0.author.offer(.fallback, $1.string) }
        case (.channel, _): channel(element)
        case (.item, _): item(element)
        default: nil
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "entry": .item
        case "title": .channel(.title, .primary, .label)
        case "subtitle", "tagline": .channel(.summary, .primary, .markup)
        case "link": link(channelLink)
        case "author": author { $0.channel[.author].offer(.primary, $1) }
        case "logo": .channel(.image, .secondary)
        case "icon": .channel(.image, .other)
        case "category": .attributes { $0.addCategory($1.text("term")) }
        default: nil
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "entry": .item
        case "id": .item(.guid, .primary)
        case "title": .item(.title, .primary, .label)
        case "summary": .item(.summary, .primary, .markup)
        case "content": .item(.content, .primary, .markup)
        case "published": .text { $0.item.published.offer(.own, FeedDate.parse($1)) }
        case "issued": .text { $0.item.published.offer(.primary, FeedDate.parse($1)) }
        case "updated", "modified": .text { $0.item.published.offer(.secondary, FeedDate.parse($1)) }
        case "created": .text { $0.item.published.offer(.fallback, FeedDate.parse($1)) }
        case "link": link(itemLink)
        case "author": author { $0.item[.author].offer(.primary, $1) }
        default: nil
        }
    }

    private static func author(_ store: @escaping (inout FeedDraft, String?) -> Void) -> ElementRule {
        .enter(.author) { draft, _ in
            draft.author = Ranked()
        } end: { draft, _ in
            store(&draft, draft.author.value)
        }
    }

    /// A link with its URL in `href`, or, in some feeds, as text.
    private static func link(_ store: @escaping (inout FeedDraft, LinkDraft, String) -> Void) -> ElementRule {
        .attributesAndText { draft, attributes in
            let link = LinkDraft(attributes)
            if let url = draft.base.url(attributes, "href") { store(&draft, link, url) }
            if attributes.text("href") != nil { return nil }
            return { draft, text in if let url = draft.base.resolve(text) { store(&draft, link, url) } }
        }
    }

    private static func channelLink(_ draft: inout FeedDraft, _ link: LinkDraft, _ url: String) {
        switch link.relation {
        case "alternate": draft.channel[.link].offer(link.rank, url)
        case "self": draft.channel.plain.selfURL = draft.channel.plain.selfURL ?? url
        case "next": draft.channel.plain.nextPage = draft.channel.plain.nextPage ?? url
        case "prev-archive": draft.channel.plain.previousArchive = draft.channel.plain.previousArchive ?? url
        default: break
        }
    }

    private static func itemLink(_ draft: inout FeedDraft, _ link: LinkDraft, _ url: String) {
        switch link.relation {
        case "alternate": draft.item[.link].offer(link.rank, url)
        case "enclosure":
            draft.item.plain.enclosures.append(
                Enclosure(url: url, type: link.type, length: link.length), upTo: draft.limits.listMembers)
        default: break
        }
    }

    /// Attributes of a channel's RSS `link`, if it has any.
    static func channelLink(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        if let url = draft.base.url(attributes, "href") { channelLink(&draft, LinkDraft(attributes), url) }
    }

    /// Attributes of an item's RSS `link`, if it has any.
    static func itemLink(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        if let url = draft.base.url(attributes, "href") { itemLink(&draft, LinkDraft(attributes), url) }
    }
}

/// Attributes of an Atom link except its URL: RFC 4287 section 4.2.7.
struct LinkDraft {
    /// Type of the link's target, in lower case.
    private(set) var relation = "alternate"
    /// True if the relation is written in lower case, as in IANA's registry.
    private var isExact = true
    private(set) var type: String?
    /// In bytes.
    private(set) var length: Int64?

    init(_ attributes: XMLAttributes) {
        type = attributes.text("type")?.string
        length = attributes.text("length").flatMap(RSSNamespace.announcedLength)
        guard let written = attributes.text("rel"), let word = written.word else { return }
        // A registered relation may be written as the URI of its entry in IANA's registry.
        relation = word.split(separator: "/").last.map(String.init) ?? word
        isExact = written.bytes.elementsEqual(word.utf8)
    }

    /// Among several alternate links, a link with the type of a web page is preferred.
    var rank: Rank { isPage && isExact ? .primary : .secondary }

    private var isPage: Bool {
        guard let type = type?.lowercased() else { return true }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }
}
