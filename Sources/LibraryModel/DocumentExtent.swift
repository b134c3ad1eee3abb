public import PodcastModel

/// How much of a feed a document is: what it does not list was dropped by the publisher, or stands elsewhere.
public enum DocumentExtent: Equatable, Sendable {
    /// Everything that the feed lists.
    case whole
    /// The newest items; the ones before stand on other pages.
    case newest
    /// Items of a page or archive behind the newest page.
    case older(OlderPage)
    /// The beginning of a truncated document.
    case fragment

    /// What a feed's own document is by what it says of itself.
    public init(of channel: Channel, isTruncated: Bool = false) {
        self = isTruncated ? .fragment : channel.olderPage == nil ? .whole : .newest
    }

    /// Whether it is an older page, not the newest one.
    public var isOlder: Bool {
        if case .older = self { true } else { false }
    }
}

/// Where a page stands among those of its feed.
public struct OlderPage: Equatable, Sendable {
    /// Items on the pages before it.
    public var place: Int
    /// The date of the oldest item before it; nil when none had a date.
    public var bound: Timestamp?
    /// Whether no page follows.
    public var isLast: Bool
    /// The last episode that was stored before the pages were followed.
    public var since: EpisodeID?
    /// Whether its episodes are the feed's back catalogue and no news: no rule looks at them.
    public var isCatalogue: Bool

    public init(place: Int, bound: Timestamp?, isLast: Bool, since: EpisodeID?, isCatalogue: Bool) {
        self.place = place
        self.bound = bound
        self.isLast = isLast
        self.since = since
        self.isCatalogue = isCatalogue
    }
}
