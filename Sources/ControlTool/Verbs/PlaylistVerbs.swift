internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension ShowPlaylist: EpisodePageVerb {
    private enum Act: String, CaseIterable {
        case save, add, insert, move, remove, clear, rename, delete, export
        case `import`

        /// The words that may follow, and how the help calls them.
        var words: (count: ClosedRange<Int>, names: String) {
            switch self {
            case .save: (1...1_000, "a FILTER, such as is:unplayed longer:30m, or ids of episodes")
            case .add: (1...1_000, "WHAT")
            case .insert: (2...1_000, "N WHAT")
            case .move: (2...2, "FROM N")
            case .remove: (0...1_000, "WHAT")
            case .clear, .delete: (0...0, "nothing after it")
            case .rename: (1...1, "one NAME; quote a name of several words")
            case .export, .import: (1...1, "one FILE, or - for standard output and input")
            }
        }
    }

    static let playlist = ArgumentDeclaration(
        "NAME", .string.offering(.playlist),
        help: "Name of the playlist, see 'podcastctl playlists', or filter:CONDITIONS to see what would be saved.")
    private static let act = ArgumentDeclaration(
        "ACT", .choice(Act.words), count: .optional,
        help: "The action; without one, podcastctl shows the playlist.")
    private static let words = ArgumentDeclaration(
        "WORD", count: .any, help: "Conditions to save, see podcastd-rules(7), or WHAT, N, NAME or FILE.")
    private static let again = OptionDeclaration(
        flag: "again",
        help: "With add and insert: add named episodes again if the playlist has them already.")

    static let options = [again]

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [playlist, act, words] }

    static func members(_ view: View) -> [ObjectMember]? {
        switch view.parsed.text(act).flatMap(Act.init(rawValue:)) {
        case nil: Reply.members
        case .save, .rename: PlaylistReply.members
        case .add, .insert, .import: QueueAdditionReply.members
        case .move, .remove: QueueEditReply.members
        case .clear: QueueLengthReply.members
        case .delete, .export: []
        }
    }

    static func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        let name = view.parsed.text(playlist) ?? ""
        let words = Array(view.parsed.texts(words))
        guard let act = view.parsed.text(act).flatMap(Act.init(rawValue:)) else { return try run(read(view), view) }
        if !act.words.count.contains(words.count) {
            throw ToolFailure(.usage, "'playlist NAME \(act.rawValue)' takes \(act.words.names)")
        }
        switch act {
        case .save:
            var command = try SavePlaylist.read(view)
            command.name = name
            command.filter = FilterWords.joined(words)
            return try SavePlaylist.run(command, view)
        case .add: return try add(words, to: name, view)
        case .insert: return try add(Array(words.dropFirst()), to: name, at: index(words[0]), view)
        case .move:
            let target = try index(words[1])
            return try MoveInPlaylist.run(
                MoveInPlaylist {
                    $0.name = name
                    $0.from = words[0]
                    $0.to = target
                }, view)
        case .remove where !words.isEmpty:
            return try DropFromPlaylist.run(
                DropFromPlaylist {
                    $0.name = name
                    $0.what = words
                }, view)
        case .remove, .delete: return try RemovePlaylist.run(RemovePlaylist { $0.name = name }, view)
        case .clear: return try ClearPlaylist.run(ClearPlaylist { $0.name = name }, view)
        case .rename:
            return try RenamePlaylist.run(
                RenamePlaylist {
                    $0.name = name
                    $0.to = words[0]
                }, view)
        case .export:
            let whole = try whole(ShowPlaylist { $0.name = name }, view)
            try M3UFile.write(whole.list.episodes.map(\.episode), of: whole.title, to: words[0], view)
            return .success
        case .import:
            var rest = try M3UFile.addresses(in: words[0])[...]
            var reply = QueueAdditionReply()
            while !rest.isEmpty {
                let part = try view.call(addition(Array(rest.prefix(500)), to: name, at: nil, view))
                reply.entries += part.entries
                reply.skipped += part.skipped
                reply.length = part.length
                rest = rest.dropFirst(500)
            }
            return try AddToPlaylist.finish(reply, view)
        }
    }

    private static func index(_ word: String) throws(ToolFailure) -> Int {
        guard let index = Int(word.first == "#" ? word.dropFirst() : word[...]), index > 0 else {
            throw ToolFailure(.usage, "'\(word)' is not an index in the playlist, from 1")
        }
        return index
    }

    private static func addition(_ what: [String], to name: String, at index: Int?, _ view: View) -> AddToPlaylist {
        AddToPlaylist {
            $0.name = name
            $0.what = what
            $0.at = index
            $0.limit = view.parsed.text(VerbSpelling.limit).flatMap { Int($0) }
            $0.again = view.isSet(again)
        }
    }

    private static func add(
        _ what: [String], to name: String, at index: Int? = nil, _ view: View
    ) throws(ToolFailure) -> ExitStatus { try AddToPlaylist.run(addition(what, to: name, at: index, view), view) }

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

/// Lists of addresses in the format M3U, in UTF-8.
private enum M3UFile {
    private static let maximumBytes = 4 << 20
    private static let maximumAddresses = 10_000

    static func write(
        _ episodes: [Episode], of title: String, to path: String, _ view: View
    ) throws(ToolFailure) {
        var lines = ["#EXTM3U", "#PLAYLIST:\(SafeText.line(title))"]
        for episode in episodes {
            let seconds = episode.duration.map { Int($0.seconds) } ?? -1
            lines.append("#EXTINF:\(seconds),\(SafeText.line("\(episode.feedTitle) - \(episode.title)"))")
            lines.append(episode.enclosure.url)
        }
        if path == "-" { return try view.lines(lines) }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        try ToolFailure.wrapping(.cannotCreate, subject: SafeText.line(path)) {
            try StoredFile.replace(path, with: bytes, isDurable: false)
        }
        try view.aside("\(counted(episodes.count, "episode")) written to \(path)")
    }

    /// The addresses of a file, or of standard input for `-`. Other lines are left out.
    static func addresses(in path: String) throws(ToolFailure) -> [String] {
        let bytes = try ToolFailure.wrapping(.noInput, subject: SafeText.line(path)) {
            let file = try path == "-" ? FileDescriptor(duplicating: 0) : FileDescriptor.openForReading(path)
            return try file.read(upTo: maximumBytes + 1)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let addresses = lines.map { String($0.drop(while: \.isWhitespace)) }.filter(WebAddress.isFetchable)
        if addresses.isEmpty { throw ToolFailure(.badData, "\(SafeText.line(path)): no addresses of episodes") }
        if bytes.count > maximumBytes || addresses.count > maximumAddresses {
            throw ToolFailure(.badData, "\(SafeText.line(path)): more than \(maximumAddresses) episodes")
        }
        return addresses
    }
}

extension SavePlaylist: CommandVerb {
    static func text(_ saved: PlaylistReply) -> String? { FeedText.saved(saved) }
}

extension RenamePlaylist: CommandVerb {
    static func text(_ renamed: PlaylistReply) -> String? { "renamed to \(renamed.name)" }
}

extension RemovePlaylist: CommandVerb {
    static func text(_ reply: EmptyReply) -> String? { "playlist removed" }
}

extension AddToPlaylist: QueueingVerb {
    static func show(_ reply: QueueAdditionReply, _ view: View) throws(ToolFailure) {
        try reply.named.show(view)
        let skipped = reply.skipped > 0 ? ", \(reply.skipped) there already" : ""
        try view.line("added \(counted(reply.entries.count, "episode"))\(skipped) (\(reply.length) in the playlist)")
    }
}

extension DropFromPlaylist: CommandVerb {
    static func text(_ reply: QueueEditReply) -> String? {
        let title = reply.count == 1 ? reply.entries.first.map { "'\($0.title)'" } : nil
        return "removed \(title ?? counted(reply.count, "entry", "entries")) (\(reply.length) in the playlist)"
    }
}

extension MoveInPlaylist: CommandVerb {
    static func text(_ reply: QueueEditReply) -> String? { MoveInQueue.text(reply) }
}

extension ClearPlaylist: CommandVerb {
    static func text(_ reply: QueueLengthReply) -> String? { "the playlist is empty" }
}

extension ListPlaylists: TableVerb {
    static let none = "no playlists"

    static let table: [TableColumn<PlaylistReply>] = [
        .init("NAME", minimum: 12) { $0.name }, .init("TITLE", minimum: 8, dropRank: 2) { $0.title },
        .init("COUNT", .right, says: "{} matching") { $0.count.text },
        .init("FILTER", minimum: 8, dropRank: 1, says: "filter {}") { $0.filter ?? "" },
    ]
}
