internal import PodcastModel
internal import XMLEvents

extension FeedNamespace {
    static let iTunes = FeedNamespace(
        "itunes", ["itunes.com/dtds/podcast-1.0.dtd", "itunes.com/dtds/podcast-1.0", "itunes.com/podcast-1.0.dtd"],
        ITunesNamespace.rule)
}

/// Apple's tags: podcasters.apple.com, "A Podcaster's Guide to RSS". Publishers vary the capitalization.
enum ITunesNamespace {
    static func rule(_ scope: Scope, _ element: String) -> ElementRule? {
        switch scope {
        case .channel: channel(element)
        case .item: item(element)
        case .owner: owner(element)
        case .document, .root, .image, .author, .chapters, .mediaGroup, .ignored: nil
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "title": .text { draft, text in draft.channel.title.offer(Rank.other, text.string) }
        case "summary": .markup { draft, text in draft.channel.summary.offer(Rank.secondary, text.string) }
        case "subtitle": .markup { draft, text in draft.channel.summary.offer(Rank.fallback, text.string) }
        case "author": .text { draft, text in draft.channel.author.offer(Rank.own, text.string) }
        case "image": image { draft, url in draft.channel.image.offer(Rank.own, url) }
        case "link": imageLink { draft, url in draft.channel.image.offer(Rank.other, url) }
        case "explicit": .text { draft, text in draft.channel.explicit.offer(Rank.own, text.flag) }
        case "type":
            .text { draft, text in
                if text.equals("episodic") || text.equals("serial") { draft.channel.plain.type = text.word }
            }
        case "new-feed-url", "newfeedurl":
            .text { draft, text in draft.channel.newFeedURL.offer(Rank.own, draft.base.resolve(text)) }
        case "complete": .text { draft, text in if let flag = text.flag { draft.channel.plain.complete = flag } }
        case "owner": .enter(.owner)
        // Categories are nested; each has its name in an attribute.
        case "category": .enter(.channel) { draft, attributes in draft.addCategory(attributes.text("text")) }
        default: nil
        }
    }

    private static func owner(_ element: String) -> ElementRule? {
        switch element {
        case "name": .text { draft, text in draft.channel.plain.ownerName = text.string }
        case "email": .text { draft, text in draft.channel.plain.ownerEmail = text.string }
        default: nil
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "title": .text { draft, text in draft.item.title.offer(Rank.secondary, text.string) }
        case "summary": .markup { draft, text in draft.item.summary.offer(Rank.secondary, text.string) }
        case "subtitle": .markup { draft, text in draft.item.summary.offer(Rank.fallback, text.string) }
        case "author": .text { draft, text in draft.item.author.offer(Rank.own, text.string) }
        case "duration":
            .text { draft, text in draft.item.duration.offer(Rank.own, AnnouncedTime.duration(text.bytes)) }
        case "image": image { draft, url in draft.item.image.offer(Rank.own, url) }
        case "link": imageLink { draft, url in draft.item.image.offer(Rank.other, url) }
        case "season": .text { draft, text in draft.item.season.offer(Rank.own, text.number) }
        case "episode": .text { draft, text in draft.item.episode.offer(Rank.own, text.number) }
        case "episodetype":
            .text { draft, text in draft.item.plain.facts.type = draft.item.plain.facts.type ?? text.word }
        case "explicit": .text { draft, text in draft.item.explicit.offer(Rank.own, text.flag) }
        default: nil
        }
    }

    /// A picture in the form of early iTunes feeds: `<itunes:link rel="image" href="…"/>`.
    private static func imageLink(_ store: @escaping (inout FeedDraft, String?) -> Void) -> ElementRule {
        .attributes { draft, attributes in
            if attributes.text("rel")?.equals("image") ?? false { store(&draft, draft.base.url(attributes, "href")) }
        }
    }

    /// A picture in `href`, or, in some feeds, in `url` or as text.
    private static func image(_ store: @escaping (inout FeedDraft, String?) -> Void) -> ElementRule {
        .text { draft, attributes in
            store(&draft, draft.base.url(attributes, "href"))
            store(&draft, draft.base.url(attributes, "url"))
        } _: { draft, text in
            if text.hasPrefix("http") { store(&draft, draft.base.resolve(text)) }
        }
    }
}
