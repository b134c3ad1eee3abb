internal import PodcastModel
internal import XMLEvents

/// Atom 1.0 (RFC 4287) and 0.3, as a format of its own and as a module within RSS.
enum AtomNamespace: FeedNamespace {
    static let names = ["w3.org/2005/atom", "purl.org/atom/ns"]
    static let prefix: String? = "atom"

    static func rule(for element: String, in scope: Scope) -> ElementRule? {
        switch scope {
        case .document: element == "feed" ? .enter(.channel) : nil
        case .root: nil
        case .channel: channel(element)
        case .item: item(element)
        case .channelAuthor, .itemAuthor: person(element)
        case .image, .owner, .chapters, .mediaGroup, .alternate, .ignored: nil
        }
    }

    private static var entry: ElementRule {
        .enter(.item) { draft, _ in
            draft.beginItem()
        } end: { draft, _ in
            draft.endItem()
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "entry": entry
        case "title": .label { draft, text in draft.channel.title.offer(Rank.primary, text.string) }
        case "subtitle", "tagline": .markup { draft, text in draft.channel.summary.offer(Rank.primary, text.string) }
        case "link": .attributes(channelLink)
        case "author":
            .enter(.channelAuthor) { draft, _ in
                draft.person = PersonDraft()
            } end: { draft, _ in
                draft.channel.author.offer(Rank.primary, draft.person.name ?? draft.person.email)
            }
        case "logo": .text { draft, text in draft.channel.image.offer(Rank.secondary, draft.base.resolve(text)) }
        case "icon": .text { draft, text in draft.channel.image.offer(Rank.other, draft.base.resolve(text)) }
        case "category":
            .attributes { draft, attributes in
                let term = ElementText(trimming: attributes.value(named: "term"))?.string
                if let term { draft.channel.plain.categories.append(term, upTo: draft.limits.listMembers) }
            }
        default: nil
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "entry": entry
        case "id": .text { draft, text in draft.item.guid.offer(Rank.primary, text.string) }
        case "title": .label { draft, text in draft.item.title.offer(Rank.primary, text.string) }
        case "summary": .markup { draft, text in draft.item.summary.offer(Rank.primary, text.string) }
        case "content": .markup { draft, text in draft.item.content.offer(Rank.primary, text.string) }
        case "published", "issued":
            .text { draft, text in draft.item.published.offer(Rank.primary, FeedDate.parse(text)) }
        case "updated", "modified":
            .text { draft, text in draft.item.published.offer(Rank.secondary, FeedDate.parse(text)) }
        case "created": .text { draft, text in draft.item.published.offer(Rank.fallback, FeedDate.parse(text)) }
        case "link": .attributes(itemLink)
        case "author":
            .enter(.itemAuthor) { draft, _ in
                draft.person = PersonDraft()
            } end: { draft, _ in
                draft.item.author.offer(Rank.primary, draft.person.name ?? draft.person.email)
            }
        default: nil
        }
    }

    private static func person(_ element: String) -> ElementRule? {
        switch element {
        case "name": .text { draft, text in draft.person.name = draft.person.name ?? text.string }
        case "email": .text { draft, text in draft.person.email = draft.person.email ?? text.string }
        default: nil
        }
    }

    /// A link: RFC 4287 section 4.2.7.
    private struct Link {
        var url: String
        var relation: String
        /// The relation is written as the registry has it, in lower case.
        var isExact: Bool

        init?(_ base: FeedURL, _ attributes: XMLAttributes) {
            guard let href = ElementText(trimming: attributes.value(named: "href")), let url = base.resolve(href)
            else {
                return nil
            }
            self.url = url
            (relation, isExact) = ("alternate", true)
            guard let written = ElementText(trimming: attributes.value(named: "rel")), let word = written.word else {
                return
            }
            // A registered relation may be written as the URI of its entry in IANA's registry.
            relation = word.split(separator: "/").last.map(String.init) ?? word
            isExact = written.bytes.elementsEqual(word.utf8)
        }
    }

    private static func isPage(_ attributes: XMLAttributes) -> Bool {
        guard let type = ElementText(trimming: attributes.value(named: "type")), !type.isEmpty else { return true }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }

    /// Of several alternates, one that is a page and said so properly.
    private static func rank(of link: Link, _ attributes: XMLAttributes) -> UInt8 {
        isPage(attributes) && link.isExact ? Rank.primary : Rank.secondary
    }

    static func channelLink(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        guard let link = Link(draft.base, attributes) else { return }
        switch link.relation {
        case "alternate": draft.channel.link.offer(rank(of: link, attributes), link.url)
        case "next": draft.channel.plain.nextPage = draft.channel.plain.nextPage ?? link.url
        case "prev-archive": draft.channel.plain.previousArchive = draft.channel.plain.previousArchive ?? link.url
        default: break
        }
    }

    static func itemLink(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        guard let link = Link(draft.base, attributes) else { return }
        switch link.relation {
        case "alternate": draft.item.link.offer(rank(of: link, attributes), link.url)
        case "enclosure":
            let type = ElementText(trimming: attributes.value(named: "type"))
            let length = ElementText(trimming: attributes.value(named: "length"))
            let enclosure = Enclosure(
                url: link.url, type: type?.string, length: length.flatMap(RSSNamespace.announcedLength))
            draft.item.enclosures.append(enclosure, upTo: draft.limits.listMembers)
        default: break
        }
    }
}
