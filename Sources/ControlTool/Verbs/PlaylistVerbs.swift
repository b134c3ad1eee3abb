internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension ShowPlaylist: EpisodePageVerb {
    fileprivate enum Act: String, CaseIterable {
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
        "ACT", .choice(Act.words), isRequired: false,
        help: "The action; without one, podcastctl shows the playlist.")
    private static let words = ArgumentDeclaration(
        "WORD", isRequired: false, isRepeatable: true,
        help: "Conditions to save, see podcastd-rules(7), or WHAT, N, NAME or FILE.")
    private static let again = OptionDeclaration(
        flag: "again",
        help: "With add and insert: add named episodes again if the playlist has them already.")

    static let options = [again]

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [playlist, act, words] }

    static func members(_ view: View) -> [ObjectMember]? {
        view.text(act) == Act.export.rawValue ? [] : Reply.members
    }

    static func command(_ view: View) throws(ToolFailure) -> any CommandVerb {
        let name = view.text(playlist) ?? ""
        let words = view.texts(words)
        guard let act = view.text(act).flatMap(Act.init(rawValue:)) else { return try read(view) }
        if !act.words.count.contains(words.count) {
            throw .usage("'playlist NAME \(act.rawValue)' takes \(act.words.names)")
        }
        switch act {
        case .save:
            var command = try SavePlaylist.read(view)
            command.name = name
            command.filter = FilterWords.joined(words)
            return command
        case .add, .import: return addition(words, to: name, view)
        case .insert: return try addition(Array(words.dropFirst()), to: name, at: index(words[0]), view)
        case .move:
            let target = try index(words[1])
            return MoveInPlaylist {
                $0.name = name
                $0.from = words[0]
                $0.to = target
            }
        case .remove where !words.isEmpty:
            return DropFromPlaylist {
                $0.name = name
                $0.what = words
            }
        case .remove, .delete: return RemovePlaylist { $0.name = name }
        case .clear: return ClearPlaylist { $0.name = name }
        case .rename:
            return RenamePlaylist {
                $0.name = name
                $0.to = words[0]
            }
        case .export: return ShowPlaylist { $0.name = name }
        }
    }

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        guard let file = ShowPlaylist.file(.export, view) else { return try finish(pages(view), view) }
        let whole = try whole(view)
        try M3UFile.write(whole.list.episodes.map(\.episode), of: whole.title, to: file, view)
        return .success
    }

    /// The FILE of this action; nil for another action.
    fileprivate static func file(_ act: Act, _ view: View) -> String? {
        view.text(self.act) == act.rawValue ? view.texts(words).first : nil
    }

    private static func index(_ word: String) throws(ToolFailure) -> Int {
        guard let index = Int(word.first == "#" ? word.dropFirst() : word[...]), index > 0 else {
            throw .usage("'\(word)' is not an index in the playlist, from 1")
        }
        return index
    }

    private static func addition(
        _ what: [String], to name: String, at index: Int? = nil, _ view: View
    ) -> AddToPlaylist {
        AddToPlaylist {
            $0.name = name
            $0.what = what
            $0.at = index
            $0.limit = view.text(VerbSpelling.limit).flatMap { Int($0) }
            $0.again = view.isSet(again)
        }
    }

    static var list: WritableKeyPath<PlaylistPageReply, EpisodeListReply> { \.list }

    static var columns: [ColumnLayout.Column] { ListEpisodes.columns }

    static func show(_ reply: PlaylistPageReply, _ view: View) {
        for feed in reply.missingFeeds {
            let name = feed.title.map { "\"\($0)\"" } ?? feed.id.label
            view.aside(
                "no such feed \(name): the filter of '\(reply.name)' names it; save the playlist with another filter")
        }
        ListEpisodes.show(reply.list, view)
    }
}

/// Lists of addresses in the format M3U, in UTF-8.
private enum M3UFile {
    static let maximumBytes = 4 << 20
    static let maximumAddresses = 10_000

    static func write(
        _ episodes: [Episode], of title: String, to path: String, _ view: View
    ) throws(ToolFailure) {
        var lines = ["#EXTM3U", "#PLAYLIST:\(SafeText.line(title))"]
        for episode in episodes {
            let seconds = episode.duration.map { Int($0.seconds) } ?? -1
            lines.append("#EXTINF:\(seconds),\(SafeText.line("\(episode.feedTitle) - \(episode.title)"))")
            lines.append(episode.enclosure.url)
        }
        if path == "-" { return view.lines(lines) }
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        try ToolFailure.wrapping(.cannotCreate, subject: SafeText.line(path)) {
            try StoredFile.replace(path, with: bytes, isDurable: false)
        }
        view.aside("\(counted(episodes.count, "episode")) written to \(path)")
    }

    /// The addresses of a file, or of standard input for `-`. Other lines are left out.
    static func addresses(in path: String) throws(ToolFailure) -> [String] {
        let bytes = try ToolFailure.wrapping(.noInput, subject: SafeText.line(path)) {
            try FileDescriptor.input(path).read(upTo: maximumBytes + 1)
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
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        guard let file = ShowPlaylist.file(.import, view) else { return try finish(queued(view), view) }
        var rest = try M3UFile.addresses(in: file)[...]
        var reply = QueueAdditionReply()
        while !rest.isEmpty {
            var command = self
            command.what = Array(rest.prefix(500))
            let part = try view.call(command)
            reply.entries += part.entries
            reply.skipped += part.skipped
            reply.length = part.length
            rest = rest.dropFirst(500)
        }
        return try finish(reply, view)
    }

    static func show(_ reply: QueueAdditionReply, _ view: View) {
        reply.named.show(view)
        let skipped = reply.skipped > 0 ? ", \(reply.skipped) there already" : ""
        view.line("added \(counted(reply.entries.count, "episode"))\(skipped) (\(reply.length) in the playlist)")
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
