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
        case .image, .owner, .chapters, .mediaGroup, .ignored: nil
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "entry":
            .enter(.item) { draft, _ in
                draft.beginItem()
            } end: { draft, _ in
                draft.endItem()
            }
        case "title": .text { draft, text in draft.channel.title.offer(Rank.primary, text.string) }
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
        case "entry":
            .enter(.item) { draft, _ in
                draft.beginItem()
            } end: { draft, _ in
                draft.endItem()
            }
        case "id": .text { draft, text in draft.item.guid.offer(Rank.primary, text.string) }
        case "title": .text { draft, text in draft.item.title.offer(Rank.primary, text.string) }
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

    /// The relation of a link, RFC 4287 section 4.2.7.2, and its resolved URL.
    private static func link(_ draft: FeedDraft, _ attributes: XMLAttributes) -> (relation: String, url: String)? {
        guard let href = ElementText(trimming: attributes.value(named: "href")), let url = draft.base.resolve(href)
        else {
            return nil
        }
        let relation = ElementText(trimming: attributes.value(named: "rel"))?.word ?? "alternate"
        return (relation, url)
    }

    private static func isPage(_ attributes: XMLAttributes) -> Bool {
        guard let type = ElementText(trimming: attributes.value(named: "type")), !type.isEmpty else { return true }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
    }

    private static func channelLink(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        guard let (relation, url) = link(draft, attributes) else { return }
        switch relation {
        case "alternate": draft.channel.link.offer(isPage(attributes) ? Rank.primary : Rank.secondary, url)
        case "next": draft.channel.plain.nextPage = draft.channel.plain.nextPage ?? url
        default: break
        }
    }

    private static func itemLink(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        guard let (relation, url) = link(draft, attributes) else { return }
        switch relation {
        case "alternate": draft.item.link.offer(isPage(attributes) ? Rank.primary : Rank.secondary, url)
        case "enclosure":
            let type = ElementText(trimming: attributes.value(named: "type"))
            let length = ElementText(trimming: attributes.value(named: "length"))
            let enclosure = Enclosure(
                url: url, type: type?.string, length: length.flatMap(RSSNamespace.announcedLength))
            draft.item.enclosures.append(enclosure, upTo: draft.limits.listMembers)
        default: break
        }
    }
}
