internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension ShowPlaylist: EpisodePageVerb {
    static let playlist = ArgumentDeclaration(
        "NAME", .name(of: CompleteVerb.Kind.playlist.rawValue),
        help: "Name of the playlist, see 'podcastctl playlists'.")
    static let act = ArgumentDeclaration(
        "ACT", .choice(["save", "remove"]), count: .optional,
        help: "save or remove; without it the playlist is shown.")
    static let filter = ArgumentDeclaration(
        "FILTER", .name(of: CompleteVerb.Kind.filter.rawValue), count: .any,
        help: "Conditions and words to save, see podcastd-rules(7).")

    static func adjust(_ subcommand: inout SubcommandDeclaration) {
        subcommand.arguments = [playlist, act, filter]
        subcommand.options += VerbSpelling.options(of: SavePlaylist.declaration) + [after]
    }

    /// Shows, saves or removes: `playlist NAME [save FILTER… | remove]`.
    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        let name = line.parsed.text(playlist) ?? ""
        let words = Array(line.parsed.texts(filter))
        switch line.parsed.text(act) {
        case "remove":
            if !words.isEmpty { throw ToolFailure(.usage, "'remove' takes nothing after it") }
            return try RemovePlaylist.answer(RemovePlaylist { $0.name = name }, line.connect())
        case "save":
            if words.isEmpty {
                throw ToolFailure(.usage, "'save' needs a FILTER: conditions such as is:unplayed longer:30m")
            }
            var command = try SavePlaylist(given: VerbSpelling.optionValues(of: SavePlaylist.declaration, line.parsed))
            (command.name, command.filter) = (name, FilterWords.joined(words))
            return try SavePlaylist.answer(command, line.connect())
        default:
            var command = try ShowPlaylist(given: VerbSpelling.optionValues(of: declaration, line.parsed))
            command.name = name
            let view = try line.connect()
            return try finish(filled(command, view), view)
        }
    }

    static func list(
        _ reply: inout PlaylistPageReply, _ change: (inout EpisodeListReply) throws(ToolFailure) -> Void
    ) throws(ToolFailure) { try change(&reply.list) }

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
    static func show(_ saved: PlaylistReply, _ view: View) throws(ToolFailure) {
        try view.line(FeedText.saved(saved))
    }
}

extension RemovePlaylist: CommandVerb {
    static func show(_ reply: EmptyReply, _ view: View) throws(ToolFailure) { try view.line("playlist removed") }
}

extension ListPlaylists: TableVerb {
    static let none = "no playlists"

    static let table: [TableColumn<PlaylistReply>] = [
        .init("NAME", minimum: 12, cell: \.name), .init("TITLE", minimum: 8, dropRank: 2, cell: \.title),
        .init("COUNT", .right, says: "{} matching", cell: \.count.text),
        .init("FILTER", minimum: 8, dropRank: 1, says: "filter {}") { row, _ in row.filter ?? "" },
    ]

    static func rows(of reply: PlaylistListReply) -> [PlaylistReply] { reply.playlists }
}
