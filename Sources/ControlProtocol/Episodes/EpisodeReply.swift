public import ControlLanguage
public import PodcastModel
internal import JSON

/// An episode as lists and the status show it.
public struct EpisodeReply: RowReply {
    /// The episode with one duration and without the announced length of the file.
    public private(set) var episode: Episode
    public var excerpt: [String] = []
    public private(set) var unplayable: String?
    public var key: String?

    public init() {
        episode = Episode(
            id: EpisodeID(0), feed: FeedID(0), feedTitle: "", title: "", enclosure: Enclosure(url: ""),
            published: Timestamp(seconds: 0))
    }

    public init(_ episode: Episode, key: String? = nil) {
        self.episode = episode
        self.episode.announcedDuration = episode.duration
        self.episode.measuredDuration = nil
        self.episode.enclosure.length = nil
        unplayable = UnplayableMedia.name(type: episode.enclosure.type, url: episode.enclosure.url)
        self.key = key
    }

    public static let rowsMember = "episodes"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &episode.id, "Its id; stable.")
        members.declare("feed", &episode.feed, "The feed's id.")
        members.declare("feedTitle", &episode.feedTitle, "The feed's title.")
        members.require("title", &episode.title, "The publisher's title.")
        members.declare("url", &episode.enclosure.url, "The media file.")
        members.declare("type", &episode.enclosure.type, "The announced MIME type.")
        members.declareIfAny(
            "unplayable", &unplayable,
            "What the file is, if it is announced as something that cannot be played, such as MIDI or Apple DRM; else left out."
        )
        members.declare("published", &episode.published, "When it was published.")
        members.declare("duration", &episode.announcedDuration, "Total time: measured, else as announced.")
        episode.facts.declareMembers(&members)
        members.declare("kind", &episode.kind, "`full`, `trailer` or `bonus`.")
        members.declare("gone", &episode.isGone, "Whether the feed no longer lists it.")
        members.declare("position", &episode.state.position, "The saved position.")
        members.declare("played", &episode.state.isPlayed, "Played to the end, or marked as played.")
        members.declare("starred", &episode.state.isStarred, "Marked as a favourite.")
        members.declare("downloaded", &episode.state.isDownloaded, "Whether it is downloaded.")
        members.declare("note", &episode.state.note, "The user's note.")
        members.declare("lastPlayed", &episode.state.lastPlayed, "When it was last played.")
        members.declare(
            "setAside", &episode.state.hiddenReason, "Why lists hide it: `skipped` by a rule, `archived` by retention.")
        members.declare(
            "excerpt", &excerpt,
            "Of a search: the text around the match, in pieces; every second piece is a match. Empty if "
                + "only the title matches.")
        members.declare("key", &key, "Its key in its list, for `after` and `before`.")
    }
}

public typealias EpisodeRowsReply = ListReply<EpisodeReply>

/// What `episodes.show` answers: an episode with its show notes.
public struct EpisodeDetailReply: ReplyObject {
    public var episode = EpisodeReply()
    public var summary: String?
    public var content: String?
    public var html: String?
    public var chapters: [ChapterReply] = []
    public var bookmarks: [Bookmark] = []
    public var ruleAct: RuleAct?
    public var download: String?
    public var path: String?
    public var hasPicture = false
    public var details = EpisodeDetails()
    public var feedDetails = FeedDetails()

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        episode.declareMembers(&members)
        members.declare(
            "summary", &summary,
            "The publisher's short notes, as plain text; missing where the long ones begin with them.")
        members.declare("content", &content, "The publisher's long notes, as plain text.")
        members.declare("html", &html)
        members.declare("chapters", &chapters)
        members.declare("bookmarks", &bookmarks, "The user's, in the order of their positions.")
        members.declare("ruleAct", &ruleAct, "What a rule did with it when it was new.")
        members.declare(
            "download", &download, "State of the download request, or whether the cache has the file; nil if neither.")
        members.declare("path", &path, "The path of its whole file; null if that is not on disk.")
        members.declare("picture", &hasPicture, "Whether `episodes.picture` has a cover of it.")
        members.declare("details", &details, "Further details from the publisher, see Details.")
        members.declare("feedDetails", &feedDetails, "Further details of the feed from the publisher, see Details.")
    }
}

public struct EpisodeListReply: PagedReply {
    public var episodes: [EpisodeReply] = []
    public var hasBefore = false
    public var hasAfter = false
    public var next: String?
    public var count = RowCount()
    public var isBackward = false

    public init() {}

    public init(_ episodes: [EpisodeReply], hasBefore: Bool, hasAfter: Bool, next: String? = nil, count: RowCount) {
        self.next = next
        self.episodes = episodes
        self.hasBefore = hasBefore
        self.hasAfter = hasAfter
        self.count = count
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episodes", &episodes)
        members.declare("hasBefore", &hasBefore, "Whether rows precede the page.")
        members.declare("hasAfter", &hasAfter, "Whether rows follow the page.")
        members.declare(
            "next", &next,
            "The key of the row before the next page in the same direction; null at its end. A page of a `filter` may have fewer rows "
                + "than were asked for, even none, although this is not null.")
        count.declareMembers(&members)
    }

    public static let rowsMember = "episodes"
    public static var rows: WritableKeyPath<EpisodeListReply, [EpisodeReply]> { \.episodes }
    public mutating func keepRows(_ range: Range<Int>) {
        episodes = Array(episodes[range])
        if isBackward {
            hasBefore = true
            next = episodes.first?.key
        } else {
            hasAfter = true
            next = episodes.last?.key
        }
    }
}

extension RowCount: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("count", &count)
        members.declare("countIsExact", &isExact)
    }
}

public struct EpisodesMarkedReply: ReplyObject {
    public var episodes: [EpisodeID] = []

    public var named: [NamedReply] = []
    public var cancelled = 0
    public var alreadyPlayed = 0

    public init() {}
    public init(_ episodes: [EpisodeID], named: [NamedReply] = []) {
        self.episodes = episodes
        self.named = named
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episodes", &episodes, "The episodes that were marked.")
        members.declare("named", &named, "What each word of the request named.")
        members.declare("cancelled", &cancelled, "Number of downloads that were cancelled before they ended.")
        members.declare(
            "alreadyPlayed", &alreadyPlayed, "Number of the episodes that were played already, after marking as played."
        )
    }
}

public struct DownloadsReply: ReplyObject {
    /// Episodes that it lists at most: all of them may be longer than a line.
    public static let mostListed = 500
    public var episodes: [EpisodeReply] = []
    public var hasMore = false
    public var count = 0
    public var present = 0
    public var named: [NamedReply] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("episodes", &episodes, "The episodes as they are now, at most 500.")
        members.declare("hasMore", &hasMore, "Whether a feed or a playlist has more episodes than `limit`.")
        members.declare("count", &count, "Number of episodes, requested or on disk.")
        members.declare("present", &present, "Number of episodes that are on disk already.")
        members.declare("named", &named, "What each word of the request named.")
    }
}

public struct EpisodeNotedReply: ReplyObject {
    public var episode = EpisodeID(0)
    public var title = ""
    public var note: String?

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("episode", &episode)
        members.declare("title", &title)
        members.declare("note", &note)
    }
}

extension EpisodeDetails: WireScalar {
    public static var typeName: String { "object" }
}

extension EventReply {
    /// The episodes of an event that only updates rows; nil if it inserts or deletes rows, or lacks the content of some.
    public var updatedEpisodes: [EpisodeReply]? {
        if needsReload == true || part != .episodes { return nil }
        var episodes: [EpisodeReply] = []
        for change in changes {
            guard change.kind == .update, let row = change.row, let episode = EpisodeReply(json: row) else {
                return nil
            }
            episodes.append(episode)
        }
        return episodes
    }
}
