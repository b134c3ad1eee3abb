internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// What a key does: a row of the table of keys.
struct TerminalAction {
    /// As tui.conf names it.
    let name: String
    let defaultKeys: [String]
    let help: String
    /// The command line that does the same in line mode; nil for what only moves a cursor or needs a row.
    let commandLine: String?
    let effect: Effect

    enum Effect {
        case program(Window.Request)
        case table(TableEvent)
        /// Ends what the screen is doing, else leaves the screen.
        case back
        case filter
        /// Reverses the order of the list.
        case reverse
        case screen(ScreenName)
        /// Lists the activities over the screen.
        case activities
        case call(@Sendable (ScreenContext) -> Void)
        /// Acts on the row under the cursor; nil if the action does not apply to the row.
        case row(@Sendable (ScreenContext, Subject) -> Void?)
        /// Like `row`, and asks for text.
        case question(@Sendable (ScreenContext, Subject) -> Void?)
    }

    /// - Parameter keys: separated by spaces.
    private init(_ name: String, _ keys: String, _ help: String, _ commandLine: String?, _ effect: Effect) {
        self.name = name
        self.help = help
        self.commandLine = commandLine
        self.effect = effect
        defaultKeys = keys.split(separator: " ").map(String.init)
    }

    private init(_ name: String, _ keys: String, _ help: String, _ effect: Effect) {
        self.init(name, keys, help, nil, effect)
    }

    static let all = playback + rows + lists + screens
    static let defaultKeys = KeyMap(all.map { ($0.name, $0.defaultKeys) })
    static func named(_ name: String) -> Self? { all.first { $0.name == name } }

    private static let playback: [Self] = [
        .init("toggle", "space p", "Play or pause", "toggle", .call { $0.run(TogglePlayback()) }),
        .init("stop", "s", "Stop; the position is kept", "stop", .call { $0.run(Stop()) }),
        .init("next", "n >", "Play the next entry of the queue", "next", .call { $0.run(PlayNext()) }),
        .init(
            "previous", "N <", "Restart the episode, or play the previous one", "previous",
            .call { $0.run(PlayPrevious()) }),
        .init("seek-forward", "right f", "15 seconds forward", "seek +15", .call { $0.seek(15) }),
        .init("seek-back", "left b", "15 seconds back", "seek -15", .call { $0.seek(-15) }),
        .init("seek-forward-far", "alt-right F", "One minute forward", "seek +60", .call { $0.seek(60) }),
        .init("seek-back-far", "alt-left B", "One minute back", "seek -60", .call { $0.seek(-60) }),
        .init(
            "next-chapter", "}", "Next chapter", "chapter next",
            .call { $0.run(GoToChapter { $0.chapter = "next" }) }),
        .init(
            "previous-chapter", "{", "Beginning of the chapter, or the one before", "chapter previous",
            .call { $0.run(GoToChapter { $0.chapter = "previous" }) }),
        .init("faster", "]", "Faster by 0.05", "speed +0.05", .call { $0.change(speed: 0.05) }),
        .init("slower", "[", "Slower by 0.05", "speed -0.05", .call { $0.change(speed: -0.05) }),
        .init("louder", "= +", "Louder by 5 %", "volume +5", .call { $0.change(volume: 5) }),
        .init("quieter", "-", "Quieter by 5 %", "volume -5", .call { $0.change(volume: -5) }),
        .init("sleep", "z", "Set the sleep timer", "sleep", .call { $0.askForSleep() }),
    ]

    private static let rows: [Self] = [
        .init("open", "enter l", "Open or play the row", .table(.select)),
        .init(
            "play", "P", "Play the row, also a whole feed or playlist, or on this output only", .row { $0.play($1) }),
        .init("add", "a", "Append to the queue", .row { $0.add($1) }),
        .init("insert", "A", "Queue as the next entry", .row { $0.insert($1) }),
        .init("add-to-playlist", "c", "Add to a playlist by hand", .question { $0.askForPlaylist($1) }),
        .init("star", "*", "Star, or take the star away", .row { $0.star($1) }),
        .init("mark-played", "x", "Mark as played, or as unplayed", .row { $0.mark($1) }),
        .init("download", "D", "Download", "download current", .row { $0.download($1) }),
        .init(
            "note", "t", "Write a note about the episode",
            .question { context, subject in subject.episode.map { context.askForNote($0) } }),
        .init("bookmark", "'", "Bookmark the place that is heard", "bookmark", .call { $0.askForBookmark() }),
        .init(
            "details", "v", "Show everything about the episode", "show current",
            .row { context, subject in subject.episodeID.map { context.open(.episode($0)) } }),
        .init("refresh", "r", "Refresh the feed", .row { $1.feedID.map($0.refresh) }),
        .init(
            "feed-settings", "o", "Settings of the feed or output",
            .row { context, subject in
                if case .output(let output) = subject { return context.open(.outputSettings(output.name)) }
                return subject.feedID.map { context.open(.feedSettings($0)) }
            }),
    ]

    private static let lists: [Self] = [
        .init("up", "up k back-tab", "Up", .table(.up)),
        .init("down", "down j tab", "Down", .table(.down)),
        .init("page-up", "page-up ^B", "A page up", .table(.pageUp)),
        .init("page-down", "page-down ^F", "A page down", .table(.pageDown)),
        .init("first", "home g", "First row", .table(.first)),
        .init("last", "end G", "Last row", .table(.last)),
        .init("search", "/", "Search in the list as you type", .filter),
        .init("order", "O", "Oldest episodes first, or newest first again", .reverse),
        .init("edit", "e", "Begin or end edit mode", .table(.toggleEditing)),
        .init("delete", "d delete", "Delete the row; 'undo' brings it back", .table(.delete)),
        .init("new", "i insert", "Make a new row", .table(.insert)),
        .init("carry", "m", "Pick the row up or put it down", .table(.carry)),
        .init("back", "escape h backspace", "Back", .back),
    ]

    /// The screens without a command of the same name.
    private static let commandLines: [String: String?] = ["playing": "status", "log": nil, "keys": nil]

    private static let screens: [Self] =
        ScreenName.named.map { name, screen, keys, help in
            Self(
                screen == .keys ? name : "screen-\(name)", keys, help, commandLines[name] ?? name, .screen(screen))
        } + others

    private static let others: [Self] = [
        .init("screen-activities", "w", "Activities in progress", "activities", .activities),
        .init("subscribe", "S", "Subscribe to a feed", .screen(.subscribe)),
        .init("find", "W", "Search podcast directories", .call { $0.askForShows() }),
        .init(
            "import", "I", "Import subscriptions from OPML or another player's file",
            .call { $0.askForCommandLine("import ") }),
        .init("refresh-all", "R", "Refresh all feeds that are due", "refresh", .call { $0.refreshDueFeeds() }),
        .init("undo", "u", "Undo the last change", "undo", .call { $0.undo() }),
        .init("redo", "U ^R", "Take the last undo back", "redo", .call { $0.redo() }),
        .init("command", ":", "Run any command of podcastctl", .call { $0.askForCommandLine() }),
        .init("redraw", "^L", "Draw the screen again", .program(.redraw)),
        .init("suspend", "^Z", "Suspend the program", .program(.suspend)),
        .init("quit", "q ^C", "Quit; playback continues", .program(.quit)),
    ]
}
