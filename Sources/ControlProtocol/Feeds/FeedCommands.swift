public import ControlLanguage
internal import PodcastModel

extension CommandSection {
    public static let feeds = CommandSection(
        "feeds",
        [
            ListFeeds.self, ShowFeed.self, Subscribe.self, Unsubscribe.self, RefreshFeeds.self, MergeFeeds.self,
            ExplainFeed.self, SetFeed.self, ListFeedSettings.self, FindShows.self, UploadDocument.self,
            ImportDocument.self, ExportDocument.self, ReportChanges.self, ReportRefresh.self,
        ])
}

enum FeedsSection {
    fileprivate static let feeds = "Feeds: ids, ranges of ids, URLs or words of titles."
}

extension ParameterExchange {
    fileprivate mutating func requireFeed(_ feed: inout String) {
        require("feed", &feed, .feed, help: "A feed: its id, URL or words of its title.")
    }

    /// For commands on the episodes or rules of one feed or of all.
    mutating func declareFeed(_ feed: inout String?, spelling: ParameterDeclaration.Spelling? = nil) {
        declare("feed", &feed, .feed, spelling: spelling, help: "Only of this feed: its id, URL or words of its title.")
    }
}

public struct ListFeeds: Command {
    public var limit = 200
    public var after: String?
    public var tag: String?

    public static let form = CommandForm<Self, FeedListReply>(
        Self(), "feeds.list", "List the subscribed feeds by title.", .read, verb: "feeds",
        details: [
            "Files that were played or queued by URL or path are listed last, as the feed '\(Feed.singleFilesTitle)', which is "
                + "never refreshed. An import leaves out files of this machine. 'unsubscribe \"\(Feed.singleFilesTitle)\"' "
                + "clears the feed."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declareLimit(&limit, spelling: .wireOnly)
        parameters.declareAfter(&after)
        parameters.declare(
            "tag", &tag, .string.offering(.tag), spelling: .option, help: "Only feeds with this tag, or one inside it.")
    }
}

public struct ShowFeed: Command {
    public var feed = ""

    public static let form = CommandForm<Self, FeedDetailReply>(
        Self(), "feeds.show", "Show everything about a feed.", .read, verb: "feed")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireFeed(&feed)
    }
}

public struct Subscribe: Command {
    public var urls: [String] = []
    public var username: String?
    public var password: String?
    public var userAgent: String?

    public static let form = CommandForm<Self, SubscriptionsReply>(
        Self(), "feeds.subscribe", "Subscribe to feeds and fetch them.", .admin, isLong: true, verb: "subscribe",
        details: [
            "URL is the URL of a feed (the scheme may be omitted), of a web page that links to its feed, of an Apple "
                + "Podcasts page or of an OPML list, or a file that 'import' reads.",
            "If the server requires a login, user name and password are asked for on the terminal. In a script: "
                + "--user NAME --password-file FILE.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "urls", &urls, .list(.string), placeholder: "URL",
            help: "URLs of feeds, of web pages that link to one, of OPML lists, or of Apple Podcasts pages.")
        parameters.declare(
            "username", &username, .text, spelling: .wireOnly,
            help: "User name for servers that require a login; needs a password.")
        parameters.declare(
            "password", &password, .text, spelling: .wireOnly,
            help: "Its password. It is sent only to the host of the URL, and stored for podcastd alone.")
        parameters.declare(
            "userAgent", &userAgent, .text, spelling: .option, placeholder: "TEXT",
            help: "Send TEXT as User-Agent for this feed, its refreshes and its episodes (the feed setting user_agent)."
        )
    }
}

public struct Unsubscribe: Command {
    public var feeds: [String] = []
    public var acceptsPart = false

    public static let form = CommandForm<Self, UnsubscribedReply>(
        Self(), "feeds.unsubscribe", "Unsubscribe from feeds. They are kept for 30 days: 'undo' brings them back.",
        .admin,
        isDestructive: true, verb: "unsubscribe",
        details: [
            "Their episodes leave lists and queue at once. Within 30 days 'undo', or subscribing to the same URL, brings them "
                + "back with positions, stars, notes, settings and downloads, and 'undo' also with queue entries; then they are deleted.",
            "Words that are only a part of a title are asked about on a terminal and refused in a script, unless --yes "
                + "is given.",
            "'\(Feed.singleFilesTitle)' is cleared for good, and only with --yes.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("feeds", &feeds, .list(.feed), placeholder: "FEED", help: FeedsSection.feeds)
        parameters.declareYes(&acceptsPart)
    }
}

public struct RefreshFeeds: Command {
    /// Ids, URLs or words of titles; nil for those that are due.
    public var feeds: [String]?
    public var isForced = false
    public var tag: String?

    public static let form = CommandForm<Self, RefreshReply>(
        Self(), "feeds.refresh", "Fetch the feeds that are due, or those named.", .control, isLong: true,
        verb: "refresh")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("feeds", &feeds, .list(.feed), placeholder: "FEED", help: FeedsSection.feeds)
        parameters.declare("force", &isForced, help: "Also fetch feeds that are not due.")
        parameters.declare(
            "tag", &tag, .string.offering(.tag), spelling: .option,
            help: "Fetch the feeds with this tag, or one inside it.")
    }
}

public struct MergeFeeds: Command {
    public var feed = ""
    public var other = ""
    public var acceptsPart = false

    public static let form = CommandForm<Self, FeedsMergedReply>(
        Self(), "feeds.merge", "Merge two subscriptions of one show into one.", .admin, isDestructive: true,
        verb: "feeds merge",
        details: [
            "The first feed stays. It gets the positions, stars, notes, queue entries, tags and addresses of the "
                + "other feed, and the settings and the retention policy that the first feed lacks. The other feed is "
                + "unsubscribed. Data of episodes that the first feed does not list yet is kept until it lists "
                + "them. Feeds without a common episode are not merged.",
            "Words that are only a part of a title are asked about on a terminal and refused in a script, unless --yes "
                + "is given.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireFeed(&feed)
        parameters.require(
            "other", &other, .feed, help: "The feed that is merged into it: its id, URL or words of its title.")
        parameters.declareYes(&acceptsPart)
    }
}

public struct ExplainFeed: Command {
    public var feed = ""
    public var isStructured = false

    public static let form = CommandForm<Self, ExplanationReply>(
        Self(), "feeds.explain", "Explain how a feed is fetched, and what a fetch brings now.", .control, isLong: true,
        verb: "explain",
        details: [
            "Fetches the feed once and stores nothing. The same as 'podcast-refresh explain' for the daemon's library."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireFeed(&feed)
        parameters.declare("structured", &isStructured, spelling: .wireOnly, help: "Return an object instead of text.")
    }
}

public struct SetFeed: Command {
    public var feed = ""
    public var key = ""
    public var value: String?

    /// Settings whose values should not be in a command line.
    public static var secretKeys: [String] { FeedSetting.allCases.filter { $0.kind == .secret }.map(\.rawValue) }

    public static let form = CommandForm<Self, FeedSettingReply>(
        Self(), "feeds.set", "Set one of a feed's own settings.", .admin, verb: "set",
        details: [
            FeedSetting.allCases.map { "\($0.rawValue): \($0.help)" }.joinedText(" "),
            "'set FEED password -' prompts for the password without echo, or reads one line from stdin. A "
                + "password on the command line is visible to all users of the machine while the command runs.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireFeed(&feed)
        parameters.require(
            "key", &key, help: "The setting: \(FeedSetting.words.joinedText(", ")).")
        parameters.declare("value", &value, help: "The new value; omit it to restore the default.")
    }
}

public struct ListFeedSettings: Command {
    public var feed = ""

    public static let form = CommandForm<Self, FeedSettingListReply>(
        Self(), "feeds.settings", "List a feed's own settings and their values.", .admin)

    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireFeed(&feed)
    }
}

public struct FindShows: Command {
    public var name = ""
    public var limit = 20

    public static let form = CommandForm<Self, FoundShowsReply>(
        Self(), "feeds.find", "Search podcast directories by title or author.", .control, isLong: true, verb: "find",
        details: ["To subscribe: podcastctl subscribe URL, with the URL from the last column."])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "name", &name, .text(maximumBytes: 500), help: "Words of the title or author.")
        parameters.declare("limit", &limit, .integer(1...200), spelling: .rows, help: "Show at most N podcasts.")
    }
}
