public import PodcastModel

/// How much of a feed a document covers: a missing item was removed by the publisher, or is on another page.
public enum DocumentExtent: Equatable, Sendable {
    case whole
    /// The newest items; older items are on other pages.
    case newest
    case older(OlderPage)
    case fragment

    /// The extent of a feed's own document.
    public init(of channel: Channel, isTruncated: Bool = false) {
        self = isTruncated ? .fragment : channel.olderPage == nil ? .whole : .newest
    }

    var isOlder: Bool { if case .older = self { true } else { false } }
}

/// The place of a page among the pages of its feed.
public struct OlderPage: Equatable, Sendable {
    /// Number of items on the pages before.
    var place: Int
    /// Date of the oldest item on the pages before; nil if none had a date.
    var bound: Timestamp?
    var isLast: Bool
    /// The last episode that was stored before the page walk began.
    var since: EpisodeID?
    /// True if the page's episodes are the feed's back catalogue. Rules ignore such episodes.
    var isCatalogue: Bool

    public init(place: Int, bound: Timestamp?, isLast: Bool, since: EpisodeID?, isCatalogue: Bool) {
        self.place = place
        self.bound = bound
        self.isLast = isLast
        self.since = since
        self.isCatalogue = isCatalogue
    }
}
