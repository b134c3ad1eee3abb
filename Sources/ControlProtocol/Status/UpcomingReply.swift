public import ControlLanguage
public import PodcastModel

/// What follows the current episode.
public struct UpcomingReply: Equatable, Sendable {
    public var next: NextReply?
    /// Nil if the queue plays.
    public var context: PlayContextReply?
    public init() {}
}

public struct NextReply: ReplyObject, Equatable {
    public var id = EpisodeID(0)
    public var title: String?
    public var feed: PlayerReply.PlayingFeed?
    public var from = PlayContextReply.Kind.queue

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true, "The episode's id.")
        members.declare("title", &title, "Its title.")
        members.declare("feed", &feed, "`id` and `title` of its feed.")
        members.declare("from", &from, "Where it comes from: queue, feed or playlist.")
    }
}

/// What plays instead of the queue.
public struct PlayContextReply: ReplyObject, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case queue, feed, playlist
    }

    public var kind = Kind.feed
    public var name = ""
    public var feed: FeedID?
    public var order = ""

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("kind", &kind, isRequired: true, "feed or playlist.")
        members.declare("name", &name, "Title of the feed, or playlist:NAME or filter:CONDITIONS.")
        members.declare("feed", &feed, "The feed's id; null for a playlist.")
        members.declare("order", &order, "oldest-first or newest-first.")
    }
}

extension PlayContextReply.Kind: WireScalar {}
