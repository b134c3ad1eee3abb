public import ControlLanguage
public import PodcastModel

/// A playlist as `playlists.list` lists it.
public struct PlaylistReply: ReplyObject {
    /// By what commands name it.
    public var name = ""
    /// Its heading for people.
    public var title = ""
    /// Its filter; nil for a part of the list that all clients share.
    public var filter: String?
    /// The order of the episodes; nil in the list of playlists that all clients share.
    public var order: SavePlaylist.Order?
    /// How many episodes it has.
    public var count = RowCount()
    /// Whether it was saved in place of one with the same name.
    public var isReplacing: Bool?

    public init() {}

    public init(name: String, title: String, filter: String? = nil, count: RowCount) {
        self.filter = filter
        self.name = name
        self.title = title
        self.count = count
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true)
        members.declare("title", &title)
        members.declare("filter", &filter)
        members.declare("order", &order)
        count.declareMembers(&members)
        members.declareIfAny("replaced", &isReplacing)
    }
}

extension SavePlaylist.Order: WireScalar {}

public struct PlaylistListReply: ReplyObject {
    public var playlists: [PlaylistReply] = []

    public init() {}
    public init(_ playlists: [PlaylistReply]) { self.playlists = playlists }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("playlists", &playlists) }
}

/// What `playlists.show` answers: a page of one playlist.
public struct PlaylistPageReply: PagedReply {
    /// By what commands name it.
    public var name = ""
    /// Its heading for people.
    public var title = ""
    public var list = EpisodeListReply()
    /// Feeds that its filter names and that are not subscribed to any more.
    public var missingFeeds: [MissingFeedReply] = []

    public init() {}

    public init(name: String, title: String, list: EpisodeListReply) {
        self.name = name
        self.title = title
        self.list = list
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name)
        members.declare("title", &title)
        list.declareMembers(&members)
        members.declare("missingFeeds", &missingFeeds)
    }

    public static let rowsMember = EpisodeListReply.rowsMember
    public var rowCount: Int { list.rowCount }
    public var isBackward: Bool { list.isBackward }
    public mutating func keepRows(_ range: Range<Int>) { list.keepRows(range) }
}

/// A feed that a filter names and that is gone.
public struct MissingFeedReply: ReplyObject {
    public var id = FeedID(0)
    /// Its last title; nil if it is not known any more.
    public var title: String?

    public init() {}

    public init(id: FeedID, title: String?) { (self.id, self.title) = (id, title) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true)
        members.declare("title", &title)
    }
}
