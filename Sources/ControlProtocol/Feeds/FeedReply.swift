public import ControlLanguage
public import PodcastModel
internal import JSON

/// A feed as lists show it.
public struct FeedReply: ReplyObject {
    /// The feed without its summary.
    public private(set) var feed: Feed
    public var key: String?

    public init() { feed = Feed(id: FeedID(0), url: "", title: "", subscribed: Timestamp(seconds: 0)) }

    public init(_ feed: Feed, key: String? = nil) {
        self.feed = feed
        self.feed.summary = nil
        self.key = key
    }

    public static let objectName = "Feed"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &feed.id, isRequired: true, "Its id; stable while subscribed to.")
        members.declare(
            "url", &feed.url, "The URL from which it is fetched; empty for the built-in feed \(Feed.singleFilesTitle).")
        members.declare(
            "title", &feed.title, isRequired: true, "The title; the URL until the first refresh.")
        members.declareIfAny(
            "mark", &feed.mark,
            "What tells it apart from other feeds with this title: the author, else the host, else the address, else the id. Left out "
                + "if there are none.")
        feed.facts.declareMembers(&members)
        members.declare("subscribed", &feed.subscribed, "When it was subscribed to.")
        members.declare("episodes", &feed.episodeCount, "Episodes stored.")
        members.declare("unplayed", &feed.unplayedCount, "Episodes not played yet.")
        members.declare(
            "new", &feed.newCount,
            "Unplayed episodes that came after subscribing, and the newest one at that time.")
        members.declare("tags", &feed.tags, "The user's tags; a group inside another is `outer/inner`.")
        var health = HealthReply(health: feed.health)
        members.declare(
            "health", &health,
            "Results of refreshes: instants `lastSuccess`, `lastTry`, `nextDue`; `failures` in a row; `httpStatus` of the "
                + "last answer; `error`, the last error; `stopped`, whether automatic refreshes ended because "
                + "the publisher removed the feed permanently. All but `failures` and `stopped` may be null.")
        feed.health = health.health
        var move = feed.move.map { MoveReply(move: $0) }
        members.declareIfAny(
            "move", &move,
            "A move that was announced but is not followed yet: `url`; `reason`, redirect or new-feed-url; "
                + "`sightings`, number of refreshes in a row that saw it; `obstacle`, why it is not followed. Left out if there is none."
        )
        feed.move = move?.move
        members.declareIfAny("formerURLs", &feed.formerURLs, "Former URLs; they still identify the feed.")
        var conflict = feed.conflict.map { FeedConflictReply($0) }
        members.declare(
            "conflict", &conflict,
            "Another subscription that seems to be the same feed: its id as `feed`, and as `reason` guid (the same "
                + "`podcast:guid`) or description (the same description).")
        feed.conflict = conflict?.conflict
        var pages = feed.pageWalk.map { PagesReply($0) }
        members.declareIfAny(
            "olderPages", &pages,
            "Of a feed with older pages: how far they were fetched. `pages` and new `episodes` of "
                + "the last time; `complete`; the `next` page and the `error` of fetching it, or null. Left out for other feeds."
        )
        feed.pageWalk = pages?.walk
        members.declare("key", &key, "Its key in its list, for `after`.")
    }
}

/// What `feeds.show` answers: a feed with what its publisher says of it.
public struct FeedDetailReply: ReplyObject {
    public var feed = FeedReply()
    public var summary: String?
    public var details = FeedDetails()

    public init() {}

    public init(_ feed: Feed, _ details: FeedDetails) {
        self.feed = FeedReply(feed)
        summary = feed.summary
        self.details = details
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        feed.declareMembers(&members)
        members.declare("summary", &summary, "The description as plain text.")
        members.declare("details", &details, "Further details from the publisher, see Details.")
    }
}

/// The member `conflict` of a feed.
private struct FeedConflictReply: ReplyObject {
    var conflict = FeedConflict(feed: FeedID(0), reason: .guid)

    init() {}
    init(_ conflict: FeedConflict) { self.conflict = conflict }

    mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &conflict.feed, isRequired: true)
        members.declare("reason", &conflict.reason, isRequired: true)
    }
}

/// The member `olderPages` of a feed.
private struct PagesReply: ReplyObject {
    var walk = PageWalk(reason: .first, time: Timestamp(seconds: 0))

    init() {}
    init(_ walk: PageWalk) { self.walk = walk }

    mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("pages", &walk.pages)
        members.declare("episodes", &walk.episodes)
        var isComplete = walk.end != nil
        members.declare("complete", &isComplete)
        walk.end = isComplete ? walk.end ?? .last : nil
        var next = walk.pending?.url
        members.declare("next", &next)
        var error = walk.pending?.error
        members.declare("error", &error)
        walk.pending = next.map { PageWalk.Pending(url: $0, error: error) }
    }
}

/// The member `health` of a feed.
private struct HealthReply: ReplyObject {
    var health = FeedHealth()

    init() {}
    init(health: FeedHealth) { self.health = health }

    mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("lastSuccess", &health.lastSuccess)
        members.declare("lastTry", &health.lastTry)
        members.declare("httpStatus", &health.httpStatus)
        members.declare("error", &health.error)
        members.declare("failures", &health.failures)
        members.declare("nextDue", &health.nextDue)
        members.declare("stopped", &health.isStopped)
    }
}

/// The member `move` of a feed.
public struct MoveReply: ReplyObject {
    var move = FeedMove(url: "", reason: .redirect)

    public init() {}
    public init(move: FeedMove) { self.move = move }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("url", &move.url, isRequired: true)
        var reason = move.reason.rawValue
        members.declare("reason", &reason)
        move.reason = FeedMove.Reason(rawValue: reason) ?? .redirect
        members.declare("sightings", &move.sightings)
        members.declare("obstacle", &move.obstacle)
    }
}

/// What `feeds.list` answers: a page.
public struct FeedListReply: PagedReply {
    public var feeds: [FeedReply] = []
    public var hasAfter = false

    public init() {}

    public init(_ feeds: [FeedReply], hasAfter: Bool) {
        self.feeds = feeds
        self.hasAfter = hasAfter
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feeds", &feeds)
        members.declare("hasAfter", &hasAfter, "Whether rows follow the page.")
    }

    public static let rowsMember = "feeds"
    public static var rows: WritableKeyPath<FeedListReply, [FeedReply]> { \.feeds }
}

extension FeedConflict.Reason: WireScalar {}

extension FeedDetails: WireScalar {
    public static var typeName: String { "object" }
}
