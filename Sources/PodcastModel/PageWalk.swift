/// Progress of reading the older pages or archives of a feed (RFC 5005, sections 3 and 4).
public struct PageWalk: Equatable, Sendable {
    public enum Reason: String, Sendable, CaseIterable {
        case first
        /// No item of the newest page is known, so that the next page may have more new items.
        case gap
        case forced
        /// The weekly check of pages. Archives do not change and are not checked.
        case weekly
    }

    public enum End: String, Sendable, CaseIterable {
        case last
        /// A page contains episodes that were known before.
        case known
        /// A page links back to an earlier page, or repeats it.
        case circle
        /// The limit of pages, items or bytes was reached.
        case limit
        /// A page failed permanently several times.
        case broken
    }

    public struct Pending: Equatable, Sendable {
        public var url: String
        /// Number of items on the pages before.
        public var place: Int
        /// Date of the oldest item on the pages before.
        public var oldest: Timestamp?
        public var failures = 0
        public var error: String?
        public var due: Timestamp?

        public init(url: String, place: Int = 0, oldest: Timestamp? = nil) {
            self.url = url
            self.place = place
            self.oldest = oldest
        }
    }

    public var reason: Reason
    /// Time of the last progress or failure.
    public var time: Timestamp
    /// Number of pages read, without the newest.
    public var pages = 0
    public var episodes = 0
    /// The last episode stored before the walk. A walk that fills a gap ends at a page with this or an earlier one.
    public var since: EpisodeID?
    public var pending: Pending?
    public var end: End?

    public init(reason: Reason, time: Timestamp, pending: Pending? = nil) {
        self.reason = reason
        self.time = time
        self.pending = pending
    }

    /// Why older episodes are missing, for users; nil if nothing failed.
    public var problem: String? {
        guard let pending, let error = pending.error else { return nil }
        return "older episodes are missing, page \(pages + 2): \(error)"
    }
}

extension Channel {
    /// URL of the preceding items: the next page, or else the previous archive.
    public var olderPage: String? { holdsEverything ? nil : nextPage ?? previousArchive }
}
