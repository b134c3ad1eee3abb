public import TableUI

/// What keys can do, by the name that a configuration uses.
public enum TerminalAction: String, KeyAction {
    // Playback.
    case togglePlayback = "toggle"
    case stop
    case next
    case previous
    case seekForward = "seek-forward"
    case seekBack = "seek-back"
    case seekForwardFar = "seek-forward-far"
    case seekBackFar = "seek-back-far"
    case nextChapter = "next-chapter"
    case previousChapter = "previous-chapter"
    case faster
    case slower
    case louder
    case quieter
    case sleep
    // The row under the cursor.
    case open
    case play
    case add
    case insertNext = "insert"
    case star
    case markPlayed = "mark-played"
    case download
    case note
    case bookmark
    case details
    case refresh
    case feedSettings = "feed-settings"
    // Lists.
    case up
    case down
    case pageUp = "page-up"
    case pageDown = "page-down"
    case first
    case last
    case search
    case edit
    case delete
    case insertRow = "new"
    case carry
    // Screens.
    case back
    case nowPlaying = "screen-playing"
    case queue = "screen-queue"
    case feeds = "screen-feeds"
    case episodes = "screen-episodes"
    case playlists = "screen-playlists"
    case rules = "screen-rules"
    case downloads = "screen-downloads"
    case activities = "screen-activities"
    case outputs = "screen-outputs"
    case settings = "screen-settings"
    case bookmarks = "screen-bookmarks"
    case log = "screen-log"
    case keys
    case subscribe
    case findShows = "find"
    case importDocument = "import"
    case refreshAll = "refresh-all"
    case undo
    case redo
    case commandLine = "command"
    case redraw
    case suspend
    case quit

    public var defaultKeys: [String] {
        switch self {
        case .togglePlayback: ["space", "p"]
        case .stop: ["s"]
        case .next: ["n", ">"]
        case .previous: ["N", "<"]
        case .seekForward: ["right", "f"]
        case .seekBack: ["left", "b"]
        case .seekForwardFar: ["alt-right", "F"]
        case .seekBackFar: ["alt-left", "B"]
        case .nextChapter: ["}"]
        case .previousChapter: ["{"]
        case .faster: ["]"]
        case .slower: ["["]
        case .louder: ["=", "+"]
        case .quieter: ["-"]
        case .sleep: ["z"]
        case .open: ["enter", "l"]
        case .play: ["P"]
        case .add: ["a"]
        case .insertNext: ["A"]
        case .star: ["*"]
        case .markPlayed: ["x"]
        case .download: ["D"]
        case .note: ["t"]
        case .bookmark: ["'"]
        case .details: ["v"]
        case .refresh: ["r"]
        case .feedSettings: ["o"]
        case .up: ["up", "k", "back-tab"]
        case .down: ["down", "j", "tab"]
        case .pageUp: ["page-up", "^B"]
        case .pageDown: ["page-down", "^F"]
        case .first: ["home", "g"]
        case .last: ["end", "G"]
        case .search: ["/"]
        case .edit: ["e"]
        case .delete: ["d", "delete"]
        case .insertRow: ["i", "insert"]
        case .carry: ["m"]
        case .back: ["escape", "h", "backspace"]
        case .nowPlaying: ["1"]
        case .queue: ["2"]
        case .feeds: ["3"]
        case .episodes: ["4"]
        case .playlists: ["5"]
        case .downloads: ["6"]
        case .bookmarks: ["7"]
        case .rules: ["8"]
        case .outputs: ["9"]
        case .settings: ["0"]
        case .activities: ["w"]
        case .log: ["L"]
        case .keys: ["?", "f1"]
        case .subscribe: ["S"]
        case .findShows: ["W"]
        case .importDocument: ["I"]
        case .refreshAll: ["R"]
        case .undo: ["u"]
        case .redo: ["U", "^R"]
        case .commandLine: [":"]
        case .redraw: ["^L"]
        case .suspend: ["^Z"]
        case .quit: ["q", "^C"]
        }
    }

    public var help: String {
        switch self {
        case .togglePlayback: "Play or pause"
        case .stop: "Stop; the position is kept"
        case .next: "Play the next entry of the queue"
        case .previous: "Restart the episode, or play the previous one"
        case .seekForward: "15 seconds forward"
        case .seekBack: "15 seconds back"
        case .seekForwardFar: "One minute forward"
        case .seekBackFar: "One minute back"
        case .nextChapter: "Next chapter"
        case .previousChapter: "Beginning of the chapter, or the one before"
        case .faster: "Faster by 0.05"
        case .slower: "Slower by 0.05"
        case .louder: "Louder by 5 %"
        case .quieter: "Quieter by 5 %"
        case .sleep: "Set the sleep timer"
        case .open: "Open or play the row"
        case .play: "Play the row, also a whole feed or playlist"
        case .add: "Append to the queue"
        case .insertNext: "Queue as the next entry"
        case .star: "Star, or take the star away"
        case .markPlayed: "Mark as played, or as unplayed"
        case .download: "Download"
        case .note: "Write a note about the episode"
        case .bookmark: "Bookmark the place that is heard"
        case .details: "Show everything about the episode"
        case .refresh: "Refresh the feed"
        case .feedSettings: "Settings of the feed"
        case .up: "Up"
        case .down: "Down"
        case .pageUp: "A page up"
        case .pageDown: "A page down"
        case .first: "First row"
        case .last: "Last row"
        case .search: "Search in the list as you type"
        case .edit: "Begin or end edit mode"
        case .delete: "Delete the row; 'undo' brings it back"
        case .insertRow: "Make a new row"
        case .carry: "Pick the row up or put it down"
        case .back: "Back"
        case .nowPlaying: "Now playing"
        case .queue: "Queue"
        case .feeds: "Feeds"
        case .episodes: "Episodes of all feeds"
        case .playlists: "Playlists"
        case .rules: "Rules"
        case .downloads: "Downloads"
        case .activities: "What is going on"
        case .outputs: "Outputs"
        case .settings: "Settings"
        case .bookmarks: "Bookmarks"
        case .log: "Messages since the start"
        case .keys: "This list of keys"
        case .subscribe: "Subscribe to a feed"
        case .findShows: "Search podcast directories"
        case .importDocument: "Import subscriptions from OPML or another player's file"
        case .refreshAll: "Refresh all feeds that are due"
        case .undo: "Undo the last change"
        case .redo: "Take the last undo back"
        case .commandLine: "Run any command of podcastctl"
        case .redraw: "Draw the screen again"
        case .suspend: "Suspend the program"
        case .quit: "Quit; playback goes on"
        }
    }

    /// The table event that it is in a list.
    var tableEvent: TableEvent? {
        switch self {
        case .up: .up
        case .down: .down
        case .pageUp: .pageUp
        case .pageDown: .pageDown
        case .first: .first
        case .last: .last
        case .open: .select
        case .edit: .toggleEditing
        case .delete: .delete
        case .insertRow: .insert
        case .carry: .carry
        default: nil
        }
    }

    /// The screen that it shows.
    var screen: ScreenName? {
        switch self {
        case .nowPlaying: .nowPlaying
        case .queue: .queue
        case .feeds: .feeds
        case .episodes: .episodes
        case .playlists: .playlists
        case .rules: .rules
        case .downloads: .downloads
        case .activities: .activities
        case .outputs: .outputs
        case .settings: .settings
        case .bookmarks: .bookmarks
        case .log: .log
        case .keys: .keys
        case .subscribe: .subscribe
        default: nil
        }
    }
}
