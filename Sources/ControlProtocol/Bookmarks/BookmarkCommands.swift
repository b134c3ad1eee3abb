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
    fileprivate static let id = "The bookmark's number, see 'podcastctl bookmarks'."
}

public struct AddBookmark: Command {
    public var text = ""
    public var episode: String?
    public var at: TimeArgument?
    public var skipTo: TimeArgument?

    public static let form = CommandForm<Self, Bookmark>(
        Self(), "bookmarks.add", "Mark the place that is heard, with a text.", .control, verb: "bookmark",
        details: [
            "'podcastctl bookmarks' lists all; 'bookmarks play N' plays from one. Bookmarks are shown by 'show', exported with the "
                + "state, and stay until they are removed, also if the episode was played or its file deleted.",
            "With --skip-to the bookmark marks a part that is left out whenever the episode plays, unless a seek leads into it: "
                + "'bookmark --episode e12 --at 10:00 --skip-to 11:30 advertisement', or '--skip-to +90'.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "text", &text, .text(maximumBytes: BookmarksSection.maximumBytes), help: "What it is about.")
        parameters.declare(
            "episode", &episode, .episode, spelling: .option,
            help: "An episode: its id, index in the queue such as #3, URL or words of its title (default: the current "
                + "episode).")
        parameters.declare(
            "at", &at, spelling: .option, placeholder: "TIME",
            help: "Another place: SECONDS, M:SS, H:MM:SS or 1h2m3s; with + or - relative to the position.")
        parameters.declare(
            "skipTo", &skipTo, spelling: .option,
            help: "Skip the part from the place to this time; with + relative to the place.")
    }
}

public struct ListBookmarks: Command {
    public var episode: String?
    public var limit = 100
    public var after: Int64?

    public static let form = CommandForm<Self, BookmarkListReply>(
        Self(), "bookmarks.list", "List bookmarks: of EPISODE by position, or all, newest first.", .read,
        verb: "bookmarks",
        details: [
            "Further verbs: bookmarks play, bookmarks edit, bookmarks remove; 'help bookmarks play' describes one."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "episode", &episode, .episode,
            help: "An episode: its id, index in the queue such as #3, URL or words of its title.")
        parameters.declareLimit(&limit)
        parameters.declare(
            "after", &after, .integer(1...Int64.max), spelling: .wireOnly, help: "Id of the bookmark before the page.")
    }
}

public struct PlayBookmark: Command {
    public var bookmark = BookmarkID(0)

    public static let form = CommandForm<Self, PlayerStateReply>(
        Self(), "bookmarks.play", "Play from a bookmark.", .control, verb: "bookmarks play")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("bookmark", &bookmark, BookmarkID.kind.offering(.bookmark), help: BookmarksSection.id)
    }
}

public struct EditBookmark: Command {
    public var bookmark = BookmarkID(0)
    public var text: String?
    public var at: TimeArgument?
    public var skipTo: TimeArgument?

    public static let form = CommandForm<Self, Bookmark>(
        Self(), "bookmarks.edit", "Change the text or the place of a bookmark, or the part that it skips.", .control,
        verb: "bookmarks edit")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("bookmark", &bookmark, BookmarkID.kind.offering(.bookmark), help: BookmarksSection.id)
        parameters.declare(
            "text", &text, .text(maximumBytes: BookmarksSection.maximumBytes),
            help: "Its new text (default: the old one).")
        parameters.declare(
            "at", &at, spelling: .option, placeholder: "TIME",
            help: "Its new place; with + or - relative to the old one.")
        parameters.declare(
            "skipTo", &skipTo, spelling: .option,
            help: "Skip the part from its place to this time; with + relative to the place.")
    }
}

public struct RemoveBookmarks: Command {
    public var bookmarks: [BookmarkID] = []

    public static let form = CommandForm<Self, BookmarksRemovedReply>(
        Self(), "bookmarks.remove", "Remove bookmarks; 'undo' brings them back.", .control, isDestructive: true,
        verb: "bookmarks remove")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require(
            "bookmarks", &bookmarks, .list(BookmarkID.kind.offering(.bookmark)),
            help: "Their numbers, see 'podcastctl bookmarks'.")
    }
}

extension Bookmark: RowReply {
    public static let objectName = "Bookmark"
    public static let rowsMember = "bookmarks"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &id, "Its number.")
        members.require("episode", &episode, "The episode's id.")
        members.declare("title", &title, "The episode's title.")
        members.declare("feedTitle", &feedTitle, "The title of its feed.")
        members.declare("position", &position, "The place in the episode.")
        members.declareIfAny(
            "skipTo", &skipTo, "Playback skips the part from `position` to this place; left out for a place alone.")
        members.declare("text", &text, "The user's text; may be empty.")
        members.declare("created", &created, "When it was added.")
        members.declareIfAny(
            "note", &note,
            "In answers to `bookmarks.add` and `bookmarks.edit`: why the place could not be checked.")
    }
}

public typealias BookmarkListReply = PageReply<Bookmark>

public struct BookmarksRemovedReply: ReplyObject {
    public var bookmarks: [BookmarkID] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("bookmarks", &bookmarks) }
}
