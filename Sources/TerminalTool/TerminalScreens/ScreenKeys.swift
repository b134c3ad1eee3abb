/// What the line of keys names.
extension ScreenName {
    /// The keys of a screen, the most important first; none for forms.
    var keys: [(action: String, does: String)] {
        switch self {
        case .settings, .feedSettings, .subscribe, .newRule, .newPlaylist, .newBookmark, .rule, .playlistFilter,
            .bookmark:
            []
        case .nowPlaying: [("toggle", "pause"), ("next-chapter", "next chapter"), ("bookmark", "bookmark")]
        case .queue: [("open", "play"), ("carry", "move"), ("delete", "remove")]
        case .feeds: [("open", "episodes"), ("subscribe", "subscribe"), ("refresh-all", "refresh")]
        case .episodes, .feedEpisodes, .playlist: [("open", "details"), ("play", "play"), ("add", "queue")]
        case .episode: [("play", "play"), ("add", "queue"), ("star", "star")]
        case .rules: [("open", "change"), ("new", "new"), ("delete", "delete"), ("carry", "move")]
        case .playlists: [("open", "episodes"), ("new", "new"), ("edit", "edit")]
        case .bookmarks: [("open", "play"), ("new", "new"), ("edit", "edit")]
        case .downloads: [("open", "details"), ("download", "try again"), ("delete", "delete")]
        case .outputs: [("open", "switch on or off")]
        case .found: [("open", "subscribe")]
        case .log: [("open", "read in full")]
        case .activities, .message, .keys, .answer: [("command", "command")]
        }
    }
}
