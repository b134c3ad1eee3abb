internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// What podcastd stores about an episode, as stickers.
enum Sticker: String, CaseIterable {
    /// Seconds.
    case position
    /// 0 or 1.
    case played, starred
    case note
    /// Names that other clients use: 1 if played, seconds since 1970, seconds, and 2 for starred.
    case playCount, lastPlayed, elapsed, like

    static let names = words.joinedText(", ")

    init(named name: String) throws(MPDError) {
        guard let sticker = Sticker(rawValue: name) else {
            throw .argument("podcastd keeps only the stickers \(Self.names)")
        }
        self = sticker
    }

    /// Nil if the episode has none.
    func value(of episode: Episode) -> String? {
        let state = episode.state
        switch self {
        case .position, .elapsed: return state.position > .zero ? "\(Double(state.position.milliseconds) / 1000)" : nil
        case .played, .playCount: return state.isPlayed ? "1" : nil
        case .starred: return state.isStarred ? "1" : nil
        case .like: return state.isStarred ? "2" : nil
        case .note: return state.note.flatMap { $0.isEmpty ? nil : SafeText.line($0) }
        case .lastPlayed: return state.lastPlayed.map { "\($0.seconds)" }
        }
    }
}

extension MPDCommand {
    static let stickers = [
        MPDCommand("sticker", 3...most) { try $0.executeSticker($1) }
    ]
}

extension MPDSession {
    /// `sticker get|set|delete|list|find song URI …`.
    fileprivate func executeSticker(_ arguments: [String]) throws(MPDError) {
        let verb = arguments[0]
        let uri = arguments[2]
        if arguments[1] != "song" { throw .argument("unknown sticker domain") }
        switch (verb, arguments.count) {
        case ("find", 4), ("find", 6): return try findSticker(uri, arguments)
        case ("get", 4), ("set", 5), ("delete", 3...4), ("list", 3): break
        default: throw .argument("bad request")
        }
        guard let episode = SongLibrary.episode(of: uri) else { throw .noSuchSong }
        switch verb {
        case "get":
            let sticker = Sticker(rawValue: arguments[3])
            withEpisode(episode) { session, episode in
                guard let value = sticker?.value(of: episode) else { throw MPDError(.noSuchObject, "no such sticker") }
                session.finish([("sticker", "\(arguments[3])=\(value)")])
            }
        case "list":
            withEpisode(episode) { session, episode in
                let stickers = Sticker.allCases.map { ($0.rawValue, $0.value(of: episode)) }
                session.finish(stickers.compactMap { name, value in value.map { ("sticker", "\(name)=\($0)") } })
            }
        case "delete" where arguments.count == 3: throw .argument("name the sticker: \(Sticker.names)")
        default: try set(Sticker(named: arguments[3]), arguments.count > 4 ? arguments[4] : "", episode)
        }
    }

    /// Calls `done` with an episode of the library.
    func withEpisode(_ id: EpisodeID, _ done: @escaping (MPDSession, Episode) throws -> Void) {
        ask(GetEpisodes { $0.ids = [id] }) { session, reply in
            guard let row = reply.rows.first else { throw MPDError.noSuchSong }
            try done(session, row.episode)
        }
    }

    /// - Parameter value: empty to delete.
    private func set(_ sticker: Sticker, _ value: String, _ episode: EpisodeID) throws(MPDError) {
        let what = [episode.label]
        switch sticker {
        case .played, .playCount:
            change(
                MarkEpisodes {
                    $0.mark = value.isEmpty || value == "0" ? .unplayed : .played
                    $0.what = what
                })
        case .starred where !value.isEmpty && value != "0", .like where value == "2":
            change(StarEpisodes { $0.what = what })
        case .starred, .like: change(UnstarEpisodes { $0.what = what })
        case .note:
            change(
                NoteEpisode {
                    $0.episode = episode.label
                    $0.text = value
                })
        case .position, .elapsed:
            guard service.model.player.episode?.id == episode, !value.isEmpty else {
                throw MPDError(.permission, "the position follows what is heard")
            }
            let time = try MPDArgument.time(value)
            change(Seek { $0.time = .absolute(time) })
        case .lastPlayed: throw MPDError(.permission, "it follows what is heard")
        }
    }

    /// `sticker find song URI NAME [= VALUE]`, also with `<` and `>`.
    private func findSticker(_ uri: String, _ arguments: [String]) throws(MPDError) {
        let sticker = try Sticker(named: arguments[3])
        var matches: (String) -> Bool = { _ in true }
        if arguments.count == 6 {
            let wanted = arguments[5]
            switch arguments[4] {
            case "=": matches = { $0 == wanted }
            case "<": matches = { Self.isLess($0, wanted) }
            case ">": matches = { Self.isLess(wanted, $0) }
            default: throw .argument("bad operator")
            }
        }
        scan(try feed(inFolder: uri), isStarred: sticker == .starred || sticker == .like) { session, episodes in
            var part = MPDAnswer()
            for episode in episodes {
                guard let value = sticker.value(of: episode), matches(value) else { continue }
                part.add("file", session.service.library.song(episode).uri)
                part.add("sticker", "\(sticker.rawValue)=\(value)")
            }
            session.send(part)
            return true
        } end: {
            $0.finish()
        }
    }

    private static func isLess(_ one: String, _ other: String) -> Bool {
        if let one = Double(one), let other = Double(other) { return one < other }
        return one < other
    }
}
