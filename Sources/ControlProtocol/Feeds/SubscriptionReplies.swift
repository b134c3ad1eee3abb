public import ControlLanguage
public import JSON
public import PodcastModel

public struct SubscriptionsReply: ReplyObject {
    /// What became of each URL, in the order in which they were given.
    public var feeds: [SubscriptionReply] = []

    public init() {}
    public init(_ feeds: [SubscriptionReply]) { self.feeds = feeds }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("feeds", &feeds) }
}

/// The outcome for one URL: a feed, or the error.
public struct SubscriptionReply: ReplyObject {
    /// The URL as it was given.
    public var url: String?
    public var feed: FeedReply?
    /// Whether it was subscribed to only now; nil without a feed.
    public var isNew: Bool?
    /// Whether it was unsubscribed from before and came back with its episodes; nil without a feed.
    public var isReturned: Bool?
    /// What else there is to say about the feed, for people.
    public var note: String?
    /// How many feeds are new, where the URL leads to a list.
    public var imported: Int?
    /// The feed that was only looked at.
    public var found: FoundFeedReply?
    /// Why there is no feed.
    public var error: FailureReply?

    public init() {}

    public init(url: String?, feed: FeedReply, isNew: Bool, note: String? = nil) {
        self.url = url
        self.feed = feed
        self.isNew = isNew
        self.note = note
    }

    public init(url: String?, imported: Int) {
        self.url = url
        self.imported = imported
    }

    public init(url: String?, failure: FailureReply) {
        self.url = url
        error = failure
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("url", &url)
        members.declareIfAny("feed", &feed)
        members.declareIfAny("isNew", &isNew)
        members.declareIfAny("isReturned", &isReturned)
        members.declareIfAny("note", &note)
        members.declareIfAny("imported", &imported)
        members.declareIfAny("found", &found)
        members.declareIfAny("error", &error)
    }
}

/// A feed that podcast-refresh has looked at without subscribing.
public struct FoundFeedReply: ReplyObject {
    public var url = ""
    public var title: String?
    /// URL and title of the newest media file.
    public var newestURL: String?
    public var newestTitle: String?

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("url", &url, isRequired: true)
        members.declare("title", &title)
        members.declareIfAny("newestURL", &newestURL)
        members.declareIfAny("newestTitle", &newestTitle)
    }
}

/// What went wrong with one of several things that were asked for.
public struct FailureReply: ReplyObject {
    /// The feed's title, where it is about a feed.
    public var feed: String?
    /// The URL, where it is about one.
    public var url: String?
    /// What went wrong, for people.
    public var what = ""
    /// What to do about it.
    public var hint: String?
    /// The exit status of sysexits.h(3head) for it.
    public var status: Int?
    /// The URL that requires a login, if that is the failure.
    public var login: String?

    public init() {}

    public init(
        _ what: String, hint: String? = nil, feed: String? = nil, url: String? = nil, status: Int? = nil,
        login: String? = nil
    ) {
        (self.what, self.hint, self.feed, self.url) = (what, hint, feed, url)
        (self.status, self.login) = (status, login)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIfAny("feed", &feed)
        members.declareIfAny("url", &url)
        members.declare("what", &what, isRequired: true)
        members.declareIfAny("hint", &hint)
        members.declareIfAny("status", &status)
        members.declareIfAny("login", &login)
    }
}

public struct UnsubscribedReply: ReplyObject {
    /// How long a feed is kept that was unsubscribed from.
    public static let daysKept: Int64 = 30

    /// Titles of the feeds that are gone.
    public var removed: [String] = []
    public var daysKept = 0

    public init() {}
    public init(_ removed: [String]) { (self.removed, daysKept) = (removed, Int(Self.daysKept)) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("removed", &removed)
        members.declare(
            "daysKept", &daysKept, "Number of days for which `undo` or subscribing again brings them back.")
    }
}

public struct RefreshReply: ReplyObject {
    /// Feeds that were fetched without an error.
    public var refreshed = 0
    public var failed = 0
    /// Episodes that were not there before.
    public var newEpisodes = 0
    /// What went wrong, for some of the feeds that failed.
    public var errors: [FailureReply] = []
    /// New subscriptions that turned out to be of feeds that were subscribed already, for people.
    public var joined: [String] = []
    /// Feeds that another run refreshes at the same time.
    public var busy: Int?

    public init() {}

    public init(refreshed: Int, failed: Int, newEpisodes: Int, errors: [FailureReply]) {
        self.refreshed = refreshed
        self.failed = failed
        self.newEpisodes = newEpisodes
        self.errors = errors
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("refreshed", &refreshed)
        members.declare("failed", &failed)
        members.declare("newEpisodes", &newEpisodes)
        members.declare("errors", &errors)
        members.declareIfAny("joined", &joined)
        members.declareIfAny("busy", &busy)
    }
}

/// What `podcast-refresh import --json` prints.
public struct ImportedDocument: ReplyObject {
    public var reply = ImportReply()
    /// The settings of a document, by name; nothing is set by podcast-refresh.
    public var settings: JSONValue?

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        reply.declareMembers(&members)
        members.declareIfAny("documentSettings", &settings)
    }
}

public struct FeedsMergedReply: ReplyObject {
    /// The feed that stays.
    public var feed = FeedID(0)
    public var title = ""
    /// Title of the feed that was merged into it.
    public var other = ""
    /// Addresses of the other feed, which lead to this one now.
    public var addresses: [String] = []
    /// Episodes that got the state of the other feed's.
    public var moved = 0
    /// Episodes whose state waits for them.
    public var waiting = 0
    /// Settings of the other feed that this one has with another value, which stays: name and the other's value.
    public var notTaken: [String] = []

    public init() {}

    public init(feed: Feed, other: Feed, moved: Int, waiting: Int) {
        (self.feed, title) = (feed.id, feed.title)
        (self.other, addresses) = (other.title, [other.url] + other.formerURLs)
        (self.moved, self.waiting) = (moved, waiting)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed, isRequired: true)
        members.declare("title", &title)
        members.declare("other", &other)
        members.declare("addresses", &addresses)
        members.declare("moved", &moved)
        members.declare("waiting", &waiting)
        members.declare("notTaken", &notTaken)
    }
}

public struct FeedSettingReply: ReplyObject {
    var feed = FeedID(0)
    public var key = ""
    /// Its value; nil for the default.
    public var value: String?
    /// What holds instead of a value, if there is something to show: the publisher's title.
    public var current: String?

    public init() {}

    public init(feed: FeedID, key: String, value: String?, current: String? = nil) {
        self.feed = feed
        self.key = key
        self.value = value
        self.current = current
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed)
        members.declare("key", &key)
        members.declare("value", &value)
        members.declareIfAny("current", &current)
    }
}

public struct FeedSettingListReply: ReplyObject {
    public static let listMember: String? = "settings"

    var feed = FeedID(0)
    public var settings: [DeclaredFeedSettingReply] = []

    public init() {}

    public init(feed: FeedID, settings: [DeclaredFeedSettingReply]) { (self.feed, self.settings) = (feed, settings) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("feed", &feed)
        members.declare("settings", &settings)
    }
}

/// A setting of a feed with its declaration.
public struct DeclaredFeedSettingReply: ReplyObject {
    public var key = ""
    public var label = ""
    public var value: String?
    public var type = TypeReply()
    public var maximumBytes = 0
    public var defaultMeaning = ""
    public var inherited: String?
    public var help = ""

    public init() {}

    public init(_ setting: FeedSetting, value: String?, inherited: String? = nil) {
        (key, label) = (setting.rawValue, setting.label)
        (self.value, self.inherited) = (value, inherited)
        type = TypeReply(setting.kind)
        maximumBytes = FeedSetting.maximumBytes
        defaultMeaning = setting.defaultMeaning
        help = setting.help
    }

    public static let objectName = "FeedSetting"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("key", &key, isRequired: true, "Its name.")
        members.declare("label", &label, "Its name for people.")
        members.declare("value", &value, "Its value; null for the default; of a secret `…` if it has one.")
        let kinds = FeedSetting.Kind.allCases.map(\.form)
        type.declareSettingMembers(&members, kinds.dropLast().joined(separator: ", ") + " or \(kinds.last ?? "").")
        members.declare("maximumBytes", &maximumBytes, "The longest value in UTF-8.")
        members.declare("default", &defaultMeaning, "What holds without a value, for people.")
        members.declareIfAny(
            "inherited", &inherited, "The value that holds without one, if settings of the daemon decide.")
        members.declare("help", &help, "What it does.")
    }
}

extension TypeReply {
    /// The type of a feed's setting, with the numbers that are valid.
    public init(_ kind: FeedSetting.Kind) {
        self.init(kind.rawValue)
        guard let numbers = kind.numbers else { return }
        (minimum, maximum) = (JSONValue(numbers.range.lowerBound), JSONValue(numbers.range.upperBound))
        step = JSONValue(numbers.step)
        unit = numbers.unit.isEmpty ? nil : numbers.unit
    }
}

public struct ImportReply: ReplyObject {
    /// What the document was: `opml`, `state` or a program's name.
    public var form = ""
    /// Feeds that are subscribed to now.
    public var added = 0
    /// Feeds that were before.
    public var known = 0
    /// The URLs of these, some.
    public var duplicates: [String] = []
    /// Those of them that are subscribed at another URL, some, for people.
    public var joined: [String] = []
    /// Episodes that got state that they did not have.
    public var found = 0
    /// Episodes that already had all of it.
    public var unchanged = 0
    /// Episodes whose state waits until their feed is fetched.
    public var waiting = 0
    /// Rules that are new here.
    public var rules = 0
    /// Words about retention that are new here.
    public var retention = 0
    /// Playlists that are new here.
    public var playlists = 0
    /// Rules, words about retention and playlists that were here already.
    public var decidedBefore = 0
    /// Settings that clients had not set here and that are in effect now, the volume among them.
    public var settings = 0
    /// What was left out.
    public var errors: [FailureReply] = []
    /// Of a feed's file: what was subscribed to, and at which URL, for people.
    public var note: String?

    public init() {}

    public init(added: Int, known: Int, duplicates: [String], errors: [FailureReply]) {
        self.added = added
        self.known = known
        self.duplicates = duplicates
        self.errors = errors
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("form", &form)
        members.declare("added", &added, isRequired: true)
        members.declare("known", &known)
        members.declare("duplicates", &duplicates)
        members.declareIfAny("joined", &joined)
        members.declare("found", &found)
        members.declare("unchanged", &unchanged)
        members.declare("waiting", &waiting)
        members.declare("rules", &rules)
        members.declare("retention", &retention)
        members.declare("playlists", &playlists)
        members.declare("decidedBefore", &decidedBefore)
        members.declare("settings", &settings)
        members.declare("errors", &errors)
        members.declareIfAny("note", &note)
    }
}

public struct DocumentReply: ReplyObject {
    /// Text, or a piece of it.
    public var document = ""
    /// Offset of the rest; nil at the end.
    public var next: Int64?

    public init() {}
    public init(_ document: String, next: Int64? = nil) {
        self.document = document
        self.next = next
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("document", &document)
        members.declare("next", &next)
    }
}
