/// How far the older pages or archives that a feed names were followed: RFC 5005, sections 3 and 4.
public struct PageWalk: Equatable, Sendable {
    /// Why older pages are followed.
    public enum Reason: String, Sendable, CaseIterable {
        /// They never were.
        case first
        /// The newest page has nothing that was known: what came before may stand on the next one.
        case gap
        /// Somebody asked for it.
        case forced
        /// Pages may change, so they are looked at once a week; archives are not.
        case weekly
    }

    /// Why a walk came to its end.
    public enum End: String, Sendable, CaseIterable {
        /// The last page names none after it.
        case last
        /// A page has episodes that were known before.
        case known
        /// A page leads back to one that was read, or is the same.
        case circle
        /// More pages, items or bytes than are taken.
        case limit
        /// A page failed for good, several times.
        case broken
    }

    /// The page that a walk is to go on with.
    public struct Pending: Equatable, Sendable {
        /// Where it is.
        public var url: String
        /// Items on the pages before it.
        public var place: Int
        /// The date of the oldest of those.
        public var oldest: Timestamp?
        /// How often it failed in a row.
        public var failures: Int
        /// What went wrong last, for people.
        public var error: String?
        /// When to try it again.
        public var due: Timestamp?

        /// A page that was not tried yet.
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

    /// Why it began.
    public var reason: Reason
    /// When it last got further, or failed.
    public var time: Timestamp
    /// Pages read, without the newest.
    public var pages: Int
    /// New episodes that stood on them.
    public var episodes: Int
    /// The last episode that was stored before it began; a walk over a gap ends where one of those stands.
    public var since: EpisodeID?
    /// What is to be read yet; nil once it has come to its end.
    public var pending: Pending?
    /// Why it came to its end; nil before.
    public var end: End?

    /// A walk as far as it has got.
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

    /// What keeps older episodes from coming, as a sentence for people; nil while nothing does.
    public var problem: String? {
        guard let pending, let error = pending.error else { return nil }
        return "older episodes are missing, page \(pages + 2): \(error)"
    }
}

extension Channel {
    /// Where the items before these are: the next page, else the archive before; nil where there are none.
    public var olderPage: String? { holdsEverything ? nil : nextPage ?? previousArchive }
}
