public import ControlLanguage
internal import PodcastModel

// Edits of a playlist by hand.

public struct AddToPlaylist: Command {
    public var name = ""
    public var what: [String] = []
    public var at: Int?
    /// Limit for the episodes of a feed or playlist; nil for none.
    public var limit: Int?
    public var again = false

    public static let form = CommandForm<Self, QueueAdditionReply>(
        Self(), "playlists.add", "Add episodes to a playlist by hand, which is created if it is missing.", .control,
        isLong: true)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("name", &name, help: PlaylistsSection.name)
        parameters.requireWhat(&what, QueueSection.episodes)
        parameters.declare(
            "at", &at, .integer(1...1_000_000), spelling: .option, placeholder: "N",
            help: "The index of the first new entry (default: the end).")
        parameters.declareQueueLimit(&limit)
        parameters.declare(
            "again", &again, help: "Add named episodes again if the playlist has them already.")
    }
}

public struct DropFromPlaylist: Command {
    public var name = ""
    public var what: [String] = []

    public static let form = CommandForm<Self, QueueEditReply>(
        Self(), "playlists.drop", "Remove entries from a playlist by hand.", .control, isDestructive: true)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requirePlaylist(&name)
        parameters.requireWhat(&what, "Entries: \(QueueSection.entries); or heard for all that are played.")
    }
}

public struct MoveInPlaylist: Command {
    public var name = ""
    public var from = ""
    public var to = 1

    public static let form = CommandForm<Self, QueueEditReply>(
        Self(), "playlists.move", "Move entries of a playlist by hand to another index.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requirePlaylist(&name)
        parameters.require("from", &from, .title, help: "An entry: \(QueueSection.entries).")
        parameters.require(
            "to", &to, .integer(1...1_000_000),
            help: "The new index of the first of them, from 1 to the length of the playlist.")
    }
}

public struct ClearPlaylist: Command {
    public var name = ""

    public static let form = CommandForm<Self, QueueLengthReply>(
        Self(), "playlists.clear", "Remove all entries from a playlist by hand.", .control, isDestructive: true)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requirePlaylist(&name)
    }
}

public struct RenamePlaylist: Command {
    public var name = ""
    public var to = ""

    public static let form = CommandForm<Self, PlaylistReply>(
        Self(), "playlists.rename", "Rename a playlist.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requirePlaylist(&name)
        parameters.require("to", &to, help: "The new name.")
    }
}
