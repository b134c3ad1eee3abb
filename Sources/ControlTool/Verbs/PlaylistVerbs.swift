internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension ShowPlaylist: EpisodePageVerb {
    static let playlist = ArgumentDeclaration(
        "NAME", .string.offering(.playlist),
        help: "Name of the playlist, see 'podcastctl playlists'.")
    static let act = ArgumentDeclaration(
        "ACT", .choice(["save", "remove"]), count: .optional, help: "save or remove; without it the playlist is shown.")
    static let filter = ArgumentDeclaration(
        "FILTER", count: .any, help: "Conditions and words to save, see podcastd-rules(7).")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.arguments = [playlist, act, filter]
    }

    static func members(_ view: View) -> [ObjectMember]? {
        view.parsed.text(act) == nil ? Reply.members : PlaylistReply.members
    }

    /// Shows, saves or removes: `playlist NAME [save FILTER… | remove]`.
    static func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let name = view.parsed.text(playlist) ?? ""
        let words = Array(view.parsed.texts(filter))
        switch view.parsed.text(act) {
        case "remove":
            if !words.isEmpty { throw ToolFailure(.usage, "'remove' takes nothing after it") }
            return try RemovePlaylist.run(RemovePlaylist { $0.name = name }, view)
        case "save":
            if words.isEmpty {
                throw ToolFailure(.usage, "'save' needs a FILTER: conditions such as is:unplayed longer:30m")
            }
            var command = try SavePlaylist.read(view)
            command.name = name
            command.filter = FilterWords.joined(words)
            return try SavePlaylist.run(command, view)
        default: return try run(read(view), view)
        }
    }

    static var list: WritableKeyPath<PlaylistPageReply, EpisodeListReply> { \.list }

    static var columns: [ColumnLayout.Column] { ListEpisodes.columns }

    static func show(_ reply: PlaylistPageReply, _ view: View) throws(ToolFailure) {
        for feed in reply.missingFeeds {
            let name = feed.title.map { "\"\($0)\"" } ?? feed.id.label
            try view.aside(
                "no such feed \(name): the filter of '\(reply.name)' names it; save the playlist with another filter")
        }
        try ListEpisodes.show(reply.list, view)
    }
}

extension SavePlaylist: CommandVerb {
    static func text(_ saved: PlaylistReply) -> String? { FeedText.saved(saved) }
}

extension RemovePlaylist: CommandVerb {
    static func text(_ reply: EmptyReply) -> String? { "playlist removed" }
}

extension ListPlaylists: TableVerb {
    static let none = "no playlists"

    static let table: [TableColumn<PlaylistReply>] = [
        .init("NAME", minimum: 12) { $0.name }, .init("TITLE", minimum: 8, dropRank: 2) { $0.title },
        .init("COUNT", .right, says: "{} matching") { $0.count.text },
        .init("FILTER", minimum: 8, dropRank: 1, says: "filter {}") { $0.filter ?? "" },
    ]
}
