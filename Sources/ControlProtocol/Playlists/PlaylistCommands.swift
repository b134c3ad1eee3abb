public import ControlLanguage

extension CommandSection {
    /// Computed and saved lists.
    public static let playlists = CommandSection(
        "playlists", [ListPlaylists.self, ShowPlaylist.self, SavePlaylist.self, RemovePlaylist.self])
}

enum PlaylistsSection {
    fileprivate static let name = "Its name in the list of playlists."
}

public struct ListPlaylists: Command {
    public static let form = CommandForm<PlaylistListReply>(
        "playlists.list", "List the playlists with their lengths.",
        result: "`playlists`: a list of `name`, `title`, `filter` (null for the built-in ones), `count`, "
            + "`countIsExact`", .read, commandLine: CommandLineForm(["playlists"], group: "Playlists"))
    public init() {}
}

/// Shows the episodes of a playlist.
public struct ShowPlaylist: PagedCommand {
    public var name = ""
    /// Words, phrases and excluded words.
    public var search: String?
    /// Whether words of `search` may also occur in the feed's title.
    public var searchesFeedTitles = false
    /// Conditions of the language of rules.
    public var filter: String?
    public var page = PageRequest()

    public static let form = CommandForm<PlaylistPageReply>(
        "playlists.show", "Show, save or remove a playlist.",
        result:
            "like `episodes.list`, with `name`, `title` and `missingFeeds`: a list of `id` and `title` of feeds that the filter names and that are gone",
        .read,
        commandLine: CommandLineForm(
            ["playlist"], group: "Playlists",
            details: [
                "'playlist NAME save FILTER' saves a filter by name, such as 'is:unplayed longer:30m not "
                    + "title:\"best of\"'; see podcastd-rules(7). 'playlist NAME remove' removes it. "
                    + "Commands that take WHAT accept playlist:NAME for its episodes, and 'filter:CONDITIONS' "
                    + "for the episodes that match."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, isRequired: true, help: PlaylistsSection.name)
        parameters.declareSearch(&search, inFeedTitles: &searchesFeedTitles)
        parameters.declareFilter(&filter)
        page.declareParameters(&parameters)
    }
}

/// Saves a filter by name.
public struct SavePlaylist: Command {
    /// Which episodes come first.
    public enum Order: String, ParameterChoice {
        case newest
        case oldest
    }

    public var name = ""
    public var filter = ""
    public var order = Order.newest

    public static let form = CommandForm<PlaylistReply>(
        "playlists.save", "Save a filter by name.",
        result:
            "`name`, `title`, `filter`, `order`, `count`, `countIsExact`, `replaced`: true if another filter had the name",
        .control)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, isRequired: true, help: "What the playlist is called, such as 'Long ones'.")
        parameters.declare(
            "filter", &filter, .text(maximumBytes: 2_000), isRequired: true,
            help: "Conditions and words, such as 'is:unplayed longer:30m', see podcastd-rules(7).")
        parameters.declare("order", &order, spelling: .option, help: "Which episodes come first.")
    }
}

/// Removes a saved playlist.
public struct RemovePlaylist: Command {
    public var name = ""

    public static let form = CommandForm<EmptyReply>(
        "playlists.remove", "Remove a saved playlist.", result: "an empty object", .control, isDestructive: true)
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, isRequired: true, help: PlaylistsSection.name)
    }
}
