internal import PodcastModel

enum ScreenName: Hashable {
    case nowPlaying, queue, feeds, episodes
    case feedEpisodes(FeedID)
    case playlists
    case playlist(String)
    case rules, downloads, bookmarks, outputs, settings
    case feedSettings(FeedID)
    case subscribe
    /// Shows that directories found for some words.
    case found(String)
    case newRule, newPlaylist, newBookmark, newOutput
    /// A form with the values of its parameters.
    case rule(RuleID, values: [String: String])
    case playlistFilter(String, values: [String: String])
    case bookmark(BookmarkID, values: [String: String])
    case outputSettings(String)
    case episode(EpisodeID)
    case log, keys
    /// What a command line printed, or a message in full.
    case answer

    /// The screens that a command line names, as `--screen NAME`, with their keys.
    static let named: [(name: String, screen: ScreenName, keys: String, help: String)] = [
        ("playing", .nowPlaying, "1", "Now playing"), ("queue", .queue, "2", "Queue"), ("feeds", .feeds, "3", "Feeds"),
        ("episodes", .episodes, "4", "Episodes of all feeds"), ("playlists", .playlists, "5", "Playlists"),
        ("rules", .rules, "8", "Rules"), ("downloads", .downloads, "6", "Downloads"),
        ("outputs", .outputs, "9", "Outputs"), ("settings", .settings, "0", "Settings"),
        ("bookmarks", .bookmarks, "7", "Bookmarks"), ("log", .log, "L", "Messages since the start"),
        ("keys", .keys, "? f1", "This list of keys"),
    ]
}
