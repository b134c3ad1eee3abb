public import ControlLanguage
public import PodcastModel

extension CommandSection {
    /// How much of a feed stays in the views.
    public static let retention = CommandSection(
        "retention", [ListRetention.self, SetRetention.self, TryRetention.self])
}

enum RetentionSection {
    fileprivate static let keep =
        "One or more of newest:N, for:AGE, until:played; or all (keep everything); or off (remove the policy)."
}

public struct ListRetention: Command {
    public static let form = CommandForm<Self, RetentionListReply>(
        Self(), "retention.list", "Show how many episodes of each feed are kept in lists.", .read, verb: "retention")
}

public struct SetRetention: Command {
    public var keep = ""
    public var feed: String?

    public static let form = CommandForm<Self, RetentionListReply>(
        Self(), "retention.set", "Set how many episodes are kept in lists, for one feed or all.", .admin,
        isDestructive: true,
        verb: "retention set",
        details: [
            "Other episodes are hidden from lists but stay in the library: 'episodes --filter is:archived' "
                + "shows them, 'mark unplayed' restores them. Episodes that are starred, noted, bookmarked, queued or "
                + "in progress are never hidden."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "keep", &keep, .text(maximumBytes: 200), help: RetentionSection.keep)
        parameters.declareFeed(&feed, spelling: .option)
    }
}

public struct TryRetention: Command {
    public var feed: String?
    public var keep: String?
    public var limit = 50
    public var after: Int64?

    public static let form = CommandForm<Self, RetentionTrialListReply>(
        Self(), "retention.try", "Show which episodes retention would hide now, and why.", .read, verb: "retention try")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareFeed(&feed)
        parameters.declare("keep", &keep, spelling: .wireOnly, help: "Try this policy instead of the one that is set.")
        parameters.declareLimit(&limit)
        parameters.declare(
            "after", &after, .integer(1...Int64.max), spelling: .wireOnly,
            help: "The `episode` of the row before the page.")
    }
}

/// How much of a feed is kept.
public struct RetentionReply: ReplyObject {
    public var feed: FeedID?
    public var feedTitle: String?
    public var keep = ""
    public var isUnused = false

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed, "The feed; null for all without their own.")
        members.declare("feedTitle", &feedTitle, "Its title.")
        members.require("keep", &keep, "The policy, as `retention.set` reads it.")
        members.declare("isUnused", &isUnused, "Whether it applies to no feed, because each feed has its own policy.")
    }
}

public struct RetentionListReply: ReplyObject {
    public var retention: [RetentionReply] = []
    public var hidden: Int?
    public var released: Int?

    public init() {}
    public init(_ retention: [RetentionReply]) { self.retention = retention }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("retention", &retention, "The policies, first that of all feeds.")
        members.declareIfAny("hidden", &hidden, "How many episodes the policies hide from now on, after one was set.")
        members.declareIfAny("released", &released, "Number of these episodes whose downloaded files are released.")
    }
}

public struct RetentionTrialListReply: PagedReply {
    public var episodes: [TrialReply] = []
    public var count = 0
    public var released = 0
    public var hasAfter = false

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episodes", &episodes, "The episodes, feed by feed.")
        members.declare("count", &count, "How many there are, beyond the limit, too.")
        members.declare("released", &released, "Number of these episodes whose downloaded files would be released.")
        members.declare("hasAfter", &hasAfter)
    }

    public static let rowsMember = "episodes"
    public static var rows: WritableKeyPath<RetentionTrialListReply, [TrialReply]> { \.episodes }
}
