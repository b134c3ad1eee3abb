internal import FeedDocuments
internal import JSON
internal import PodcastModel

/// A feed that `add --newest` has looked at without subscribing.
struct FoundFeed {
    private let url: String
    private let title: String?
    /// The newest item that can be played, and its media file.
    private let newest: (item: Item, media: Enclosure)?

    init(_ document: FeedDocuments.FeedDocument, url: String) {
        self.url = url
        title = document.contents.channel.title
        let playable = document.contents.items.compactMap { item in
            item.enclosures.first { $0.mayBeMedia && WebAddress.isFetchable($0.url) }.map { (item: item, media: $0) }
        }
        // Of items without a date, or with the same one, the first is the newest.
        newest = playable.reduce(nil) { best, next in
            guard let best else { return next }
            return next.item.published ?? .distantPast > best.item.published ?? .distantPast ? next : best
        }
    }

    func json(foundAt word: String) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("url", .string(word)), .init("outcome", "found"), .init("feedURL", .string(url)),
            .init("title", JSONValue(title)),
        ]
        if let newest {
            members.append(
                .init("newest", ["url": .string(newest.media.url), "title": JSONValue(newest.item.title)]))
        }
        return .object(members)
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}
