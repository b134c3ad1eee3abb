/// How far the older pages or archives of a feed were read (RFC 5005, sections 3 and 4).
public struct PageWalk: Equatable, Sendable {
    /// Why older pages are read.
    public enum Reason: String, Sendable, CaseIterable {
        /// They have never been read.
        case first
        /// No item of the newest page is known, so the next page may have more new items.
        case gap
        /// The user requested it.
        case forced
        /// The weekly check of pages. Archives do not change and are not checked.
        case weekly
    }

    public enum End: String, Sendable, CaseIterable {
        /// The last page has no link to another one.
        case last
        /// A page contains episodes that were known before.
        case known
        /// A page links back to an earlier one, or repeats it.
        case circle
        /// The limit of pages, items or bytes was reached.
        case limit
        /// A page failed permanently, several times.
        case broken
    }

    /// The next page to read.
    public struct Pending: Equatable, Sendable {
        public var url: String
        /// Number of items on the pages before it.
        public var place: Int
        /// Date of the oldest of these items.
        public var oldest: Timestamp?
        /// Number of consecutive failures.
        public var failures: Int
        /// The last error, as text for users.
        public var error: String?
        public var due: Timestamp?

        /// Creates a page that was not requested yet.
        public init(
            url: String, place: Int = 0, oldest: Timestamp? = nil, failures: Int = 0, error: String? = nil,
            due: Timestamp? = nil
        ) {
            self.url = url
            self.place = place
            self.oldest = oldest
            self.failures = failures
            self.error = error
            self.due = due
        }
    }

    public var reason: Reason
    /// When it last progressed or failed.
    public var time: Timestamp
    /// Number of pages read, without the newest.
    public var pages: Int
    /// Number of new episodes found on them.
    public var episodes: Int
    /// The last episode stored before reading began. Reading that fills a gap ends at a page that contains this or an
    /// earlier episode.
    public var since: EpisodeID?
    /// The next page to read; nil at the end.
    public var pending: Pending?
    /// Why reading ended; nil before.
    public var end: End?

    public init(
        reason: Reason, time: Timestamp, pages: Int = 0, episodes: Int = 0, since: EpisodeID? = nil,
        pending: Pending? = nil, end: End? = nil
    ) {
        self.reason = reason
        self.time = time
        self.pages = pages
        self.episodes = episodes
        self.since = since
        self.pending = pending
        self.end = end
    }

    /// Why older episodes are missing, as a sentence for users; nil if nothing prevents them.
    public var problem: String? {
        guard let pending, let error = pending.error else { return nil }
        return "older episodes are missing, page \(pages + 2): \(error)"
    }
}

extension Channel {
    /// URL of the preceding items: the next page, else the previous archive; nil if there is neither.
    public var olderPage: String? { holdsEverything ? nil : nextPage ?? previousArchive }
}
