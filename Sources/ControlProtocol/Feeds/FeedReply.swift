public import ControlLanguage
public import PodcastModel
internal import JSON

/// A feed as lists show it.
public struct FeedReply: RowReply {
    /// The feed without its summary.
    public private(set) var feed: Feed
    public var key: String?

    public init() { feed = Feed(id: FeedID(0), url: "", title: "", subscribed: Timestamp(seconds: 0)) }

    public init(_ feed: Feed, key: String? = nil) {
        self.feed = feed
        self.feed.summary = nil
        self.key = key
    }

    public static let rowsMember = "feeds"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &feed.id, "Its id; stable while subscribed to.")
        members.declare(
            "url", &feed.url, "The URL from which it is fetched; empty for the built-in feed \(Feed.singleFilesTitle).")
        members.require(
            "title", &feed.title, "The title; the URL until the first refresh.")
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
        members.declare(
            "health", &feed.health,
            "Results of refreshes: instants `lastSuccess`, `lastTry`, `nextDue`; `failures` in a row; `httpStatus` of the "
                + "last answer; `error`, the last error; `stopped`, whether automatic refreshes ended because "
                + "the publisher removed the feed permanently. All but `failures` and `stopped` may be null.")
        members.declareIfAny(
            "move", &feed.move,
            "A move that was announced but is not followed yet: `url`; `reason`, redirect or new-feed-url; "
                + "`sightings`, number of refreshes in a row that saw it; `obstacle`, why it is not followed. Left out if there is none."
        )
        members.declareIfAny("formerURLs", &feed.formerURLs, "Former URLs; they still identify the feed.")
        members.declare(
            "conflict", &feed.conflict,
            "Another subscription that seems to be the same feed: its id as `feed`, and as `reason` guid (the same "
                + "`podcast:guid`) or description (the same description).")
        members.declareIfAny(
            "olderPages", &feed.pageWalk,
            "Of a feed with older pages: how far they were fetched. `pages` and new `episodes` of "
                + "the last time; `complete`; the `next` page and the `error` of fetching it, or null. Left out for other feeds."
        )
        members.declare("key", &key, "Its key in its list, for `after`.")
    }
}

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

extension FeedConflict: ReplyObject {
    public init() { self.init(feed: FeedID(0), reason: .guid) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("feed", &feed)
        members.require("reason", &reason)
    }
}

extension PageWalk: ReplyObject {
    public init() { self.init(reason: .first, time: Timestamp(seconds: 0)) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("pages", &pages)
        members.declare("episodes", &episodes)
        var isComplete = end != nil
        members.declare("complete", &isComplete)
        end = isComplete ? end ?? .last : nil
        var next = pending?.url
        members.declare("next", &next)
        var error = pending?.error
        members.declare("error", &error)
        pending = next.map { PageWalk.Pending(url: $0) }
        pending?.error = error
    }
}

extension FeedHealth: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("lastSuccess", &lastSuccess)
        members.declare("lastTry", &lastTry)
        members.declare("httpStatus", &httpStatus)
        members.declare("error", &error)
        members.declare("failures", &failures)
        members.declare("nextDue", &nextDue)
        members.declare("stopped", &isStopped)
    }
}

extension FeedMove: ReplyObject {
    public init() { self.init(url: "", reason: .redirect) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("url", &url)
        members.declare("reason", &reason)
        members.declare("sightings", &sightings)
        members.declare("obstacle", &obstacle)
    }
}

public typealias FeedListReply = PageReply<FeedReply>

extension FeedConflict.Reason: WireScalar {}
extension FeedMove.Reason: WireScalar {}

extension FeedDetails: WireScalar {
    public static var typeName: String { "object" }
}
