public import ControlLanguage
public import PodcastModel

/// A place in an episode, with the user's text.
public struct BookmarkReply: ReplyObject {
    public var id = BookmarkID(0)
    public var episode = EpisodeID(0)
    public var title = ""
    public var feedTitle = ""
    public var position = MediaTime.zero
    public var skipTo: MediaTime?
    public var text = ""
    public var created = Timestamp(milliseconds: 0)
    public var note: String?

    public init() {}

    public init(
        id: BookmarkID, episode: EpisodeID, title: String, feedTitle: String, position: MediaTime,
        skipTo: MediaTime? = nil, text: String, created: Timestamp
    ) {
        (self.id, self.episode, self.title, self.feedTitle) = (id, episode, title, feedTitle)
        (self.position, self.skipTo, self.text, self.created) = (position, skipTo, text, created)
    }

    public static let objectName = "Bookmark"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true, "Its number.")
        members.declare("episode", &episode, isRequired: true, "The episode's id.")
        members.declare("title", &title, "The episode's title.")
        members.declare("feedTitle", &feedTitle, "The title of its feed.")
        members.declare("position", &position, "The place in the episode.")
        members.declareIfAny(
            "skipTo", &skipTo, "Playback skips the part from `position` to this place; left out for a place alone.")
        members.declare("text", &text, "The user's text; may be empty.")
        members.declare("created", &created, "When it was added.")
        members.declareIfAny(
            "note", &note,
            "In answers to `bookmarks.add` and `bookmarks.edit`: why the place could not be checked.")
    }
}

public struct BookmarkListReply: ReplyObject {
    public var bookmarks: [BookmarkReply] = []
    public var hasAfter = false

    public init() {}
    public init(_ bookmarks: [BookmarkReply], hasAfter: Bool = false) {
        (self.bookmarks, self.hasAfter) = (bookmarks, hasAfter)
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("bookmarks", &bookmarks)
        members.declare("hasAfter", &hasAfter)
    }
}

public struct BookmarksRemovedReply: ReplyObject {
    public var bookmarks: [BookmarkID] = []

    public init() {}
    public init(_ bookmarks: [BookmarkID]) { self.bookmarks = bookmarks }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("bookmarks", &bookmarks)
    }
}
