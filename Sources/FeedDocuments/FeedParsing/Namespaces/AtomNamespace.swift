internal import PodcastModel
internal import XMLEvents

extension FeedNamespace {
    static let atom = FeedNamespace("atom", ["w3.org/2005/atom", "purl.org/atom/ns"], AtomNamespace.rule)
}

/// Atom 1.0 (RFC 4287) and 0.3, as a separate format and as a module within RSS.
enum AtomNamespace {
    static func rule(_ scope: Scope, _ element: String) -> ElementRule? {
        switch scope {
        case .document: element == "feed" ? .enter(.channel) : nil
        case .root: nil
        case .channel: channel(element)
        case .item: item(element)
        case .channelAuthor, .itemAuthor: person(element)
        case .image, .owner, .chapters, .mediaGroup, .ignored: nil
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "entry": .item
        case "title": .label { draft, text in draft.channel.title.offer(Rank.primary, text.string) }
        case "subtitle", "tagline": .markup { draft, text in draft.channel.summary.offer(Rank.primary, text.string) }
        case "link": link(channelLink)
        case "author":
            author(.channelAuthor) { draft, name in draft.channel.author.offer(Rank.primary, name) }
        case "logo": .text { draft, text in draft.channel.image.offer(Rank.secondary, draft.base.resolve(text)) }
        case "icon": .text { draft, text in draft.channel.image.offer(Rank.other, draft.base.resolve(text)) }
        case "category":
            .attributes { draft, attributes in draft.addCategory(attributes.text("term")) }
        default: nil
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "entry": .item
        case "id": .text { draft, text in draft.item.guid.offer(Rank.primary, text.string) }
        case "title": .label { draft, text in draft.item.title.offer(Rank.primary, text.string) }
        case "summary": .markup { draft, text in draft.item.summary.offer(Rank.primary, text.string) }
        case "content": .markup { draft, text in draft.item.content.offer(Rank.primary, text.string) }
        case "published": .text { draft, text in draft.item.published.offer(Rank.own, FeedDate.parse(text)) }
        case "issued": .text { draft, text in draft.item.published.offer(Rank.primary, FeedDate.parse(text)) }
        case "updated", "modified":
            .text { draft, text in draft.item.published.offer(Rank.secondary, FeedDate.parse(text)) }
        case "created": .text { draft, text in draft.item.published.offer(Rank.fallback, FeedDate.parse(text)) }
        case "link": link(itemLink)
        case "author":
            author(.itemAuthor) { draft, name in draft.item.author.offer(Rank.primary, name) }
        default: nil
        }
    }

    private static func author(_ scope: Scope, _ store: @escaping (inout FeedDraft, String?) -> Void) -> ElementRule {
        .enter(scope) { draft, _ in
            draft.person = PersonDraft()
        } end: { draft, _ in
            store(&draft, draft.person.name ?? draft.person.email)
        }
    }

    private static func person(_ element: String) -> ElementRule? {
        switch element {
        case "name": .text { draft, text in draft.person.name = draft.person.name ?? text.string }
        case "email": .text { draft, text in draft.person.email = draft.person.email ?? text.string }
        default: nil
        }
    }

    /// A link with its URL in `href`, or, in some feeds, as text.
    private static func link(_ store: @escaping (inout FeedDraft, LinkDraft, String) -> Void) -> ElementRule {
        .text { draft, attributes in
            let link = LinkDraft(attributes)
            draft.openLink = attributes.text("href") == nil ? link : nil
            if let url = draft.base.url(attributes, "href") { store(&draft, link, url) }
        } _: { draft, text in
            guard let link = draft.openLink.take(), let url = draft.base.resolve(text) else { return }
            store(&draft, link, url)
        }
    }

    private static func channelLink(_ draft: inout FeedDraft, _ link: LinkDraft, _ url: String) {
        switch link.relation {
        case "alternate": draft.channel.link.offer(link.rank, url)
        case "self": draft.channel.plain.selfURL = draft.channel.plain.selfURL ?? url
        case "next": draft.channel.plain.nextPage = draft.channel.plain.nextPage ?? url
        case "prev-archive": draft.channel.plain.previousArchive = draft.channel.plain.previousArchive ?? url
        default: break
        }
    }

    private static func itemLink(_ draft: inout FeedDraft, _ link: LinkDraft, _ url: String) {
        switch link.relation {
        case "alternate": draft.item.link.offer(link.rank, url)
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
