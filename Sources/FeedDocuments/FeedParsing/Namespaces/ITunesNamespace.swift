internal import PodcastModel

extension FeedNamespace {
    static let iTunes = FeedNamespace(
        "itunes", ["itunes.com/dtds/podcast-1.0.dtd", "itunes.com/dtds/podcast-1.0", "itunes.com/podcast-1.0.dtd"],
        ITunesNamespace.rule)
}

/// Apple's tags: podcasters.apple.com, "A Podcaster's Guide to RSS". Publishers vary the capitalization.
enum ITunesNamespace {
    static func rule(_ scope: Scope, _ element: String) -> ElementRule? {
        switch (scope, element) {
        case (.owner, "name"): .text { $0.channel.plain.ownerName = $1.string }
        case (.owner, "email"): .text { $0.channel.plain.ownerEmail = $1.string }
        case (.channel, _): channel(element)
        case (.item, _): item(element)
        default: nil
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "title": .channel(.title, .other)
        case "summary": .channel(.summary, .secondary, .markup)
        case "subtitle": .channel(.summary, .fallback, .markup)
        case "author": .channel(.author, .own)
        case "image": image { $0.channel[.image].offer(.own, $1) }
        case "link": imageLink { $0.channel[.image].offer(.other, $1) }
        case "explicit": .text { $0.channel.explicit.offer(.own, $1.flag) }
        case "type":
            .text { draft, text in
                if text.equals("episodic") || text.equals("serial") { draft.channel.plain.type = text.word }
            }
        case "new-feed-url", "newfeedurl": .channel(.newFeedURL, .own)
        case "complete": .text { draft, text in if let flag = text.flag { draft.channel.plain.complete = flag } }
        case "owner": .enter(.owner)
        // Categories are nested; each has its name in an attribute.
        case "category": .enter(.channel) { $0.addCategory($1.text("text")) }
        default: nil
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "title": .item(.title, .secondary)
        case "summary": .item(.summary, .secondary, .markup)
        case "subtitle": .item(.summary, .fallback, .markup)
        case "author": .item(.author, .own)
        case "duration": .text { $0.item.duration.offer(.own, AnnouncedTime.duration($1)) }
        case "image": image { $0.item[.image].offer(.own, $1) }
        case "link": imageLink { $0.item[.image].offer(.other, $1) }
        case "season": .text { $0.item.season.offer(.own, $1.number) }
        case "episode": .text { $0.item.episode.offer(.own, $1.number) }
        case "episodetype": .text { $0.item.plain.facts.type = $0.item.plain.facts.type ?? $1.word }
        case "explicit": .text { $0.item.explicit.offer(.own, $1.flag) }
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
