public import ControlLanguage

/// A playlist as `playlists.list` lists it.
public struct PlaylistReply: ReplyObject {
    /// By what commands name it.
    public var name = ""
    /// Its heading for people.
    public var title = ""
    /// Its filter; nil for a part of the list that all clients share.
    public var filter: String?
    /// How many episodes it has.
    public var count = CountReply()

    public init() {}

    public init(name: String, title: String, filter: String? = nil, count: CountReply) {
        self.filter = filter
        self.name = name
        self.title = title
        self.count = count
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true)
        members.declare("title", &title)
        members.declare("filter", &filter)
        count.declareMembers(&members)
    }
}

/// What `playlists.list` answers.
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
    }

    public static let rowsMember = EpisodeListReply.rowsMember
    public var rowCount: Int { list.rowCount }
    public var isBackward: Bool { list.isBackward }
    public mutating func keepRows(_ range: Range<Int>) { list.keepRows(range) }
}
