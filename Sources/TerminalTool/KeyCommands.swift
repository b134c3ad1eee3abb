extension TerminalAction {
    /// The command that does the same in line mode; nil for what only moves a cursor or needs a row.
    var command: [String]? {
        switch self {
        case .togglePlayback: ["toggle"]
        case .stop: ["stop"]
        case .next: ["next"]
        case .previous: ["previous"]
        case .seekForward: ["seek", "+15"]
        case .seekBack: ["seek", "-15"]
        case .seekForwardFar: ["seek", "+60"]
        case .seekBackFar: ["seek", "-60"]
        case .nextChapter: ["chapter", "next"]
        case .previousChapter: ["chapter", "previous"]
        case .faster: ["speed", "+0.05"]
        case .slower: ["speed", "-0.05"]
        case .louder: ["volume", "+5"]
        case .quieter: ["volume", "-5"]
        case .sleep: ["sleep"]
        case .bookmark: ["bookmark"]
        case .details: ["show", "current"]
        case .nowPlaying: ["status"]
        case .queue: ["queue"]
        case .feeds: ["feeds"]
        case .episodes: ["episodes"]
        case .playlists: ["playlists"]
        case .rules: ["rules"]
        case .downloads: ["downloads"]
        case .activities: ["activities"]
        case .outputs: ["outputs"]
        case .settings: ["settings"]
        case .bookmarks: ["bookmarks"]
        case .refreshAll: ["refresh"]
        case .undo: ["undo"]
        case .redo: ["redo"]
        case .open, .play, .add, .insertNext, .star, .markPlayed, .download, .note, .refresh, .feedSettings,
            .up,
            .down, .pageUp, .pageDown, .first, .last, .search, .edit, .delete, .insertRow, .carry, .back, .log, .keys,
            .subscribe, .findShows, .importDocument, .commandLine, .redraw, .suspend, .quit:
            nil
        }
    }
}
