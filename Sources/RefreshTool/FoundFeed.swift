internal import ControlProtocol
internal import FeedDocuments
internal import PodcastModel

extension SubscriptionReply {
    /// A document that was read for `add --newest`, with its newest item that can be played.
    static func found(_ document: FeedDocument, url: String) -> Self {
        let playable = document.contents.items.compactMap { item in
            item.enclosures.first { $0.mayBeMedia && WebAddress.isFetchable($0.url) }.map { (item: item, url: $0.url) }
        }
        // Of items without a date, or with the same one, the first is the newest.
        let newest = playable.reduce(nil as (item: Item, url: String)?) { best, next in
            guard let best else { return next }
            return next.item.published ?? .distantPast > best.item.published ?? .distantPast ? next : best
        }
        var feed = FoundFeedReply()
        (feed.url, feed.title) = (url, document.contents.channel.title)
        (feed.newestURL, feed.newestTitle) = (newest?.url, newest?.item.title)
        var reply = Self()
        reply.found = feed
        return reply
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}
