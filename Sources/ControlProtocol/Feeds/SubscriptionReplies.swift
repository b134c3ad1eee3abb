public import ControlLanguage
public import JSON
public import PodcastModel

/// The result for each URL, in the order of the request.
public typealias SubscriptionsReply = ListReply<SubscriptionReply>

/// The outcome for one URL: a feed, or the error.
public struct SubscriptionReply: RowReply {
    public var url: String?
    public var feed: FeedReply?
    public var isNew: Bool?
    public var isReturned: Bool?
    public var note: String?
    public var imported: Int?
    public var found: FoundFeedReply?
    public var error: FailureReply?

    public init() {}
    public static let rowsMember = "feeds"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("url", &url, "The URL as it was given.")
        members.declareIfAny("feed", &feed)
        members.declareIfAny("isNew", &isNew, "Whether it was subscribed to only now; left out without a feed.")
        members.declareIfAny(
            "isReturned", &isReturned,
            "Whether it was unsubscribed from before and came back with its episodes; left out without a feed.")
        members.declareIfAny("note", &note, "What else there is to say about the feed, for people.")
        members.declareIfAny("imported", &imported, "How many feeds are new, where the URL leads to a list.")
        members.declareIfAny("found", &found, "The feed that was only looked at.")
        members.declareIfAny("error", &error, "The reason why the feed was not added.")
    }
}

/// A feed that podcast-refresh has looked at without subscribing.
public struct FoundFeedReply: ReplyObject {
    public var url = ""
    public var title: String?
    public var newestURL: String?
    public var newestTitle: String?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("url", &url)
        members.declare("title", &title)
        members.declareIfAny("newestURL", &newestURL, "URL of the newest media file.")
        members.declareIfAny("newestTitle", &newestTitle)
    }
}

/// What went wrong with one of several things that were asked for.
public struct FailureReply: ReplyObject {
    public var feed: String?
    public var url: String?
    public var what = ""
    public var hint: String?
    public var status: Int?
    public var login: String?

    public init() {}

    public init(
        _ what: String, hint: String? = nil, feed: String? = nil, url: String? = nil, status: Int? = nil,
        login: String? = nil
    ) {
        self.what = what
        self.hint = hint
        self.feed = feed
        self.url = url
        self.status = status
        self.login = login
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIfAny("feed", &feed, "The feed's title, where it is about a feed.")
        members.declareIfAny("url", &url, "The URL, where it is about one.")
        members.require("what", &what, "The error, for people.")
        members.declareIfAny("hint", &hint, "What to do about it.")
        members.declareIfAny("status", &status, "The exit status of sysexits.h(3head) for it.")
        members.declareIfAny("login", &login, "The URL that requires a login, if that is the failure.")
    }
}

public struct UnsubscribedReply: ReplyObject {
    /// How long a feed is kept that was unsubscribed from.
    public static let daysKept: Int64 = 30

    public var removed: [String] = []
    public var daysKept = 0

    public init() {}
    public init(_ removed: [String]) {
        self.removed = removed
        daysKept = Int(Self.daysKept)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("removed", &removed, "Titles of the feeds that are gone.")
        members.declare(
            "daysKept", &daysKept, "Number of days for which `undo` or subscribing again brings them back.")
    }
}

public struct RefreshReply: ReplyObject {
    public var refreshed = 0
    public var failed = 0
    public var newEpisodes = 0
    public var errors: [FailureReply] = []
    public var remarks: [String] = []
    public var busy: Int?
    public var importedFound: Int?
    public var importedWaiting: Int?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("refreshed", &refreshed, "Feeds that were fetched without an error.")
        members.declare("failed", &failed)
        members.declare("newEpisodes", &newEpisodes, "Number of new episodes.")
        members.declare("errors", &errors, "What went wrong, for some of the feeds that failed.")
        members.declareIfAny(
            "remarks", &remarks,
            "For people: new subscriptions that were of known feeds, and documents that are incomplete.")
        members.declareIfAny("busy", &busy, "Feeds that another run refreshes at the same time.")
        members.declareIfAny("importedFound", &importedFound, "Imported episodes that waited and were found.")
        members.declareIfAny("importedWaiting", &importedWaiting, "Imported episodes that still wait.")
    }
}

/// What `podcast-refresh import --json` prints.
public struct ImportedDocument: ReplyObject {
    public var reply = ImportReply()
    public var settings: JSONValue?
    public var outputs: [OutputSetup] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        reply.declareMembers(&members)
        members.declareIfAny(
            "documentSettings", &settings, "The settings of a document, by name; nothing is set by podcast-refresh.")
        members.declareIfAny("documentOutputs", &outputs, "The outputs of a document, like its settings.")
    }
}

public struct FeedsMergedReply: ReplyObject {
    public var feed = FeedID(0)
    public var title = ""
    public var other = ""
    public var addresses: [String] = []
    public var moved = 0
    public var waiting = 0
    public var notTaken: [String] = []

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("feed", &feed, "The feed that stays.")
        members.declare("title", &title)
        members.declare("other", &other, "Title of the feed that was merged into it.")
        members.declare("addresses", &addresses, "Addresses of the other feed, which lead to this one now.")
        members.declare("moved", &moved, "Episodes that got the state of the other feed's.")
        members.declare("waiting", &waiting, "Episodes whose state waits for them.")
        members.declare(
            "notTaken", &notTaken,
            "Settings of the other feed that this one has with another value, which stays: name and the other's value.")
    }
}

public struct FeedSettingReply: ReplyObject {
    public static let objectName = "FeedSettingValue"

    public var feed = FeedID(0)
    public var key = ""
    public var value: String?
    public var current: String?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed)
        members.declare("key", &key)
        members.declare("value", &value, "The value; null for the default.")
        members.declareIfAny(
            "current", &current, "What holds instead of a value, if there is something to show: the publisher's title.")
    }
}

public struct FeedSettingListReply: ReplyObject {
    public static let listMember: String? = "settings"

    public var feed = FeedID(0)
    public var settings: [DeclaredFeedSettingReply] = []

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed)
        members.declare("settings", &settings)
    }
}

public struct DeclaredFeedSettingReply: ReplyObject {
    public var key = ""
    public var label = ""
    public var value: String?
    public var kind = ValueKind.text
    public var defaultMeaning = ""
    public var inherited: String?
    public var help = ""

    public init() {}

    public init(_ setting: FeedSetting, value: String?, inherited: String? = nil) {
        key = setting.rawValue
        label = setting.label
        self.value = value
        self.inherited = inherited
        kind = setting.kind
        defaultMeaning = setting.defaultMeaning
        help = setting.help
    }

    public static let objectName = "FeedSetting"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("key", &key, "Its name.")
        members.declare("label", &label, "Its name for people.")
        members.declare("value", &value, "Its value; null for the default; of a secret `…` if it has one.")
        kind.declareMembers(&members)
        members.declare("default", &defaultMeaning, "What holds without a value, for people.")
        members.declareIfAny(
            "inherited", &inherited, "The value that holds without one, if settings of the daemon decide.")
        members.declare("help", &help, "What it does.")
    }
}

public struct ImportReply: ReplyObject {
    public var form = ""
    public var added = 0
    public var known = 0
    /// The URLs of some known feeds.
    public var duplicates: [String] = []
    /// Some of the known feeds that are subscribed at another URL, for people.
    public var joined: [String] = []
    public var found = 0
    public var unchanged = 0
    public var waiting = 0
    public var positions = 0
    public var queued = 0
    public var rules = 0
    public var retention = 0
    public var playlists = 0
    public var decidedBefore = 0
    public var days = 0
    public var settings = 0
    public var isTrial: Bool?
    public var errors: [FailureReply] = []
    public var note: String?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("form", &form, "What the document was: `opml`, `state` or a program's name.")
        members.require("added", &added, "Feeds that are subscribed to now.")
        members.declare("known", &known, "Feeds that were subscribed to before.")
        members.declare("duplicates", &duplicates, "The URLs of these, some.")
        members.declareIfAny("joined", &joined, "Those of them that are subscribed at another URL, some, for people.")
        members.declare("found", &found, "Episodes that got state that they did not have.")
        members.declare("unchanged", &unchanged, "Episodes that already had all of it.")
        members.declare("waiting", &waiting, "Episodes whose state waits until their feed is fetched.")
        members.declare("positions", &positions, "Of the found ones: episodes whose position or mark changed.")
        members.declare("queued", &queued, "Of the found ones: episodes that were added to the queue.")
        members.declare("rules", &rules, "New rules.")
        members.declare("retention", &retention, "New retention policies.")
        members.declare("playlists", &playlists, "New playlists.")
        members.declare(
            "decidedBefore", &decidedBefore, "Rules, words about retention and playlists that were here already.")
        members.declare(
            "settings", &settings,
            "Settings that clients had not set here and that are in effect now, with the volume and outputs.")
        members.declare("days", &days, "Days of feeds whose listening time changed.")
        members.declareIfAny(
            "isTrial", &isTrial, "True if nothing was changed, and the numbers are what an import would change.")
        members.declare("errors", &errors, "What was omitted.")
        members.declareIfAny("note", &note, "Of a feed's file: what was subscribed to, and at which URL, for people.")
    }
}

public struct DocumentReply: ReplyObject {
    public var document = ""
    public var next: Int64?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("document", &document, "Text, or a piece of it.")
        members.declare("next", &next, "Offset of the rest; null at the end.")
    }
}
