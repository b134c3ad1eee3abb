public import ControlLanguage
public import PodcastModel

extension CommandSection {
    /// Computed and saved lists.
    public static let playlists = CommandSection(
        "playlists",
        [
            ListPlaylists.self, ShowPlaylist.self, RemovePlaylist.self, SavePlaylist.self, AddToPlaylist.self,
            DropFromPlaylist.self, MoveInPlaylist.self, ClearPlaylist.self, RenamePlaylist.self,
        ])
}

enum PlaylistsSection {
    static let name = "Its name in the list of playlists."
    static let content =
        "Conditions and words, such as 'is:unplayed longer:30m', see podcastd-rules(7); with several order:ORDER the filters take "
        + "turns. by:hand makes an empty playlist to add episodes to, and so do ids of its first episodes, such as 'e1 e2'. From "
        + "'by:hand heard:leave' episodes are removed once they were heard."
}

extension ParameterExchange {
    mutating func requirePlaylist(_ name: inout String) {
        require("name", &name, .string.offering(.playlist), help: PlaylistsSection.name)
    }
}

public struct ListPlaylists: Command {
    public static let form = CommandForm<Self, PlaylistListReply>(
        Self(), "playlists.list", "List the playlists with their lengths.", .read, verb: "playlists"
    )
}

public struct ShowPlaylist: PagedCommand {
    public var name = ""
    public var search: String?
    public var searchesFeedTitles = false
    public var filter: String?
    public var order: EpisodeOrder?
    public var page = PageRequest()

    public static let form = CommandForm<Self, PlaylistPageReply>(
        Self(), "playlists.show", "Show, save, edit or remove a playlist.", .read, verb: "playlist",
        details: [
            "'playlist NAME save FILTER' saves a filter by name, such as 'is:unplayed longer:30m not "
                + "title:\"best of\"'; see podcastd-rules(7). 'playlist NAME remove' removes it. "
                + "Commands that take WHAT accept playlist:NAME for its episodes, and 'filter:CONDITIONS' "
                + "for the episodes that match.",
            "'playlist NAME add WHAT' makes a playlist by hand or appends to it, 'insert N WHAT' puts episodes at index N, 'move FROM N' "
                + "and 'remove WHAT' change its entries, which are named as those of the queue. 'clear' empties it, 'rename NEW' renames "
                + "and 'delete' deletes a playlist. 'export FILE.m3u' writes an M3U file, - for standard output, and 'import FILE.m3u' "
                + "adds the addresses in one.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requirePlaylist(&name)
        parameters.declareSearch(&search, inFeedTitles: &searchesFeedTitles)
        parameters.declareFilter(&filter)
        parameters.declare(
            "order", &order, spelling: .option, help: "Which episodes come first. Default: as saved, else the newest.")
        page.declareParameters(&parameters)
    }
}

public struct SavePlaylist: Command {
    public var name = ""
    public var filter = ""
    public var order: EpisodeOrder?

    public static let form = CommandForm<Self, PlaylistReply>(
        Self(), "playlists.save", "Save a filter by name, or make a playlist by hand.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, help: "The playlist's name, such as 'Long ones'.")
        parameters.require("filter", &filter, .text(maximumBytes: 2_000), help: PlaylistsSection.content)
        parameters.declare(
            "order", &order, spelling: .option,
            help: "Which episodes of a filter come first. Default: the order in the filter, else newest.")
    }
}

public struct RemovePlaylist: Command {
    public var name = ""

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "playlists.remove", "Remove a saved playlist.", .control, isDestructive: true)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requirePlaylist(&name)
    }
}

public struct PlaylistReply: RowReply {
    public var name = ""
    public var title = ""
    public var filter: String?
    public var order: EpisodeOrder?
    public var isByHand = false
    /// How many episodes it has.
    public var count = RowCount()
    public var isReplacing: Bool?

    public init() {}

    public init(name: String, title: String, filter: String? = nil, count: RowCount) {
        self.filter = filter
        self.name = name
        self.title = title
        self.count = count
    }

    public static let rowsMember = "playlists"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("name", &name, "The name in commands.")
        members.declare("title", &title, "The title for people.")
        members.declare(
            "filter", &filter,
            "Its content as `playlists.save` reads it, without the order; null for a part of the list that all clients share."
        )
        members.declare(
            "order", &order, "The order of the episodes of one filter; else null.")
        members.declare("byHand", &isByHand, "Whether its episodes can be added, moved and removed one by one.")
        count.declareMembers(&members)
        members.declareIfAny("replaced", &isReplacing, "Whether it was saved in place of one with the same name.")
    }
}

public typealias PlaylistListReply = ListReply<PlaylistReply>

public struct PlaylistPageReply: PagedReply {
    public var name = ""
    public var title = ""
    public var list = EpisodeListReply()
    public var isByHand = false
    public var missingFeeds: [MissingFeed] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, "The name in commands.")
        members.declare("title", &title, "The title for people.")
        list.declareMembers(&members)
        members.declare("byHand", &isByHand, "Whether its episodes can be added, moved and removed one by one.")
        members.declare(
            "missingFeeds", &missingFeeds, "Feeds in its filter that are no longer subscribed to.")
    }

    public static let rowsMember = EpisodeListReply.rowsMember
    public static var rows: WritableKeyPath<PlaylistPageReply, [EpisodeReply]> { \.list.episodes }
    public var hasAfter: Bool {
        get { list.hasAfter }
        set { list.hasAfter = newValue }
    }
    public var isBackward: Bool { list.isBackward }
    public mutating func keepRows(_ range: Range<Int>) { list.keepRows(range) }
}

extension MissingFeed: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &id)
        members.declare("title", &title, "The last title; null if it is no longer known.")
    }
}
