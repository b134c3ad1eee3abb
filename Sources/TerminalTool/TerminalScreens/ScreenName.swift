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

    /// The screens that a command line names, as `--screen NAME`.
    static let named: [(name: String, screen: ScreenName)] = [
        ("playing", .nowPlaying), ("queue", .queue), ("feeds", .feeds), ("episodes", .episodes),
        ("playlists", .playlists), ("rules", .rules), ("downloads", .downloads), ("bookmarks", .bookmarks),
        ("outputs", .outputs), ("settings", .settings), ("log", .log), ("keys", .keys),
    ]
}
