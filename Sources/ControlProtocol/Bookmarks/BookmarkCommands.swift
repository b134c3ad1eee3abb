public import ControlLanguage
public import PodcastModel

extension CommandSection {
    /// Places in episodes that the user has marked.
    public static let bookmarks = CommandSection(
        "bookmarks", [AddBookmark.self, ListBookmarks.self, PlayBookmark.self, EditBookmark.self, RemoveBookmarks.self])
}

enum BookmarksSection {
    /// The longest text in UTF-8, in bytes.
    static let maximumBytes = 4096
    fileprivate static let group = "Episodes"
    fileprivate static let id = "The bookmark's number, see 'podcastctl bookmarks'."
}

/// Marks a place in an episode.
public struct AddBookmark: Command {
    public var text = ""
    public var episode: String?
    public var at: TimeArgument?
    public var skipTo: TimeArgument?

    public static let form = CommandForm<BookmarkReply>(
        "bookmarks.add", "Mark the place that is heard, with a text.", result: "a `Bookmark` object", .control,
        commandLine: CommandLineForm(
            ["bookmark"], group: BookmarksSection.group,
            details: [
                "'podcastctl bookmarks' lists all; 'bookmarks play N' plays from one. Bookmarks are shown by 'show', exported with the "
                    + "state, and stay until they are removed, also if the episode was played or its file deleted.",
                "With --skip-to the bookmark marks a part that is left out whenever the episode plays, unless a seek leads into it: "
                    + "'bookmark --episode e12 --at 10:00 --skip-to 11:30 advertisement', or '--skip-to +90'.",
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "text", &text, .text(maximumBytes: BookmarksSection.maximumBytes), help: "What it is about.")
        parameters.declare(
            "episode", &episode, .what, spelling: .option,
            help: "An episode: its id, index in the queue such as #3, URL or words of its title (default: what plays).")
        parameters.declare(
            "at", &at, spelling: .option,
            help: "Another place: SECONDS, M:SS, H:MM:SS or 1h2m3s; with + or - relative to the position.")
        parameters.declare(
            "skipTo", &skipTo, spelling: .option,
            help: "Skip the part from the place to this time; with + relative to the place.")
    }
}

/// Lists bookmarks, of one episode in their order, of all the newest first.
public struct ListBookmarks: Command {
    public var episode: String?
    public var limit = 100
    public var after: Int64?

    public static let form = CommandForm<BookmarkListReply>(
        "bookmarks.list", "List bookmarks: of EPISODE by position, or all, newest first.",
        result: "`bookmarks`: `Bookmark` objects; `hasAfter`", .read,
        commandLine: CommandLineForm(
            ["bookmarks"], group: BookmarksSection.group,
            details: [
                "Further verbs: bookmarks play, bookmarks edit, bookmarks remove; 'help bookmarks play' describes one."
            ]))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "episode", &episode, .what,
            help: "An episode: its id, index in the queue such as #3, URL or words of its title.")
        parameters.declareLimit(&limit)
        parameters.declare(
            "after", &after, 1...Int64.max, spelling: .wireOnly, help: "Id of the bookmark before the page.")
    }
}

/// Plays an episode from a bookmark on.
public struct PlayBookmark: Command {
    public var bookmark = BookmarkID(0)

    public static let form = CommandForm<PlayerStateReply>(
        "bookmarks.play", "Play from a bookmark.",
        result: "`state`: the player state that this led to; `episode`, `feed`, `position` and `duration` as in a "
            + "`Player`", .control,
        commandLine: CommandLineForm(["bookmarks", "play"], group: BookmarksSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("bookmark", &bookmark, help: BookmarksSection.id)
    }
}

/// Changes what is given.
public struct EditBookmark: Command {
    public var bookmark = BookmarkID(0)
    public var text: String?
    public var at: TimeArgument?
    public var skipTo: TimeArgument?

    public static let form = CommandForm<BookmarkReply>(
        "bookmarks.edit", "Change the text or the place of a bookmark, or the part that it skips.",
        result: "a `Bookmark` object", .control,
        commandLine: CommandLineForm(["bookmarks", "edit"], group: BookmarksSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("bookmark", &bookmark, help: BookmarksSection.id)
        parameters.declare(
            "text", &text, .text(maximumBytes: BookmarksSection.maximumBytes), help: "Its new text.")
        parameters.declare(
            "at", &at, spelling: .option, help: "Its new place; with + or - relative to the old one.")
        parameters.declare(
            "skipTo", &skipTo, spelling: .option,
            help: "Skip the part from its place to this time; with + relative to the place.")
    }
}

public struct RemoveBookmarks: Command {
    public var bookmarks: [BookmarkID] = []

    public static let form = CommandForm<BookmarksRemovedReply>(
        "bookmarks.remove", "Remove bookmarks; 'undo' brings them back.", result: "`bookmarks`: ids", .control,
        isDestructive: true,
        commandLine: CommandLineForm(["bookmarks", "remove"], group: BookmarksSection.group))
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "bookmarks", &bookmarks, isRequired: true, help: "Their numbers, see 'podcastctl bookmarks'.")
    }
}
