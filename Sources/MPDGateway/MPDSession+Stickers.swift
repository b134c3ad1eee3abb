internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import LineServing
internal import PodcastModel

/// What podcastd keeps of an episode, as stickers.
enum Sticker: String, CaseIterable {
    /// Seconds.
    case position
    /// 0 or 1.
    case played
    /// 0 or 1.
    case starred
    case note
    /// Names that other clients use: 1 if played, seconds since 1970, seconds, and 2 for starred.
    case playCount, lastPlayed, elapsed, like

    /// Nil if the episode has none.
    func value(of episode: Episode) -> String? {
        let state = episode.state
        switch self {
        case .position, .elapsed:
            return state.position > .zero ? "\(Double(state.position.milliseconds) / 1000)" : nil
        case .played, .playCount: return state.isPlayed ? "1" : nil
        case .starred: return state.isStarred ? "1" : nil
        case .like: return state.isStarred ? "2" : nil
        case .note: return state.note.flatMap { $0.isEmpty ? nil : SafeText.line($0) }
        case .lastPlayed: return state.lastPlayed.map { "\($0.seconds)" }
        }
    }
}

extension MPDSession {
    private static let noSuchSticker = MPDError(.noSuchObject, "no such sticker")

    /// `sticker get|set|delete|list|find song URI …`.
    func executeSticker(_ arguments: [String]) throws(MPDError) {
        let (verb, uri) = (arguments[0], arguments[2])
        if arguments[1] != "song" { throw MPDError(.argument, "unknown sticker domain") }
        switch (verb, arguments.count) {
        case ("find", 4), ("find", 6): return try findSticker(uri, arguments)
        case ("get", 4), ("set", 5), ("delete", 3...4), ("list", 3): break
        default: throw MPDError(.argument, "bad request")
        }
        guard let episode = SongLibrary.episode(of: uri) else { throw .noSuchSong }
        switch verb {
        case "get":
            let sticker = Sticker(rawValue: arguments[3])
            show(episode) { [weak self] (episode) throws(MPDError) in
                guard let value = sticker?.value(of: episode) else { throw Self.noSuchSticker }
                self?.finish(Self.lines([("sticker", "\(arguments[3])=\(value)")]))
            }
        case "list":
            show(episode) { [weak self] episode in
                let values = Sticker.allCases.compactMap { sticker in
                    sticker.value(of: episode).map { ("sticker", "\(sticker.rawValue)=\($0)") }
                }
                self?.finish(Self.lines(values))
            }
        case "set": try set(try Self.sticker(arguments[3]), arguments[4], episode)
        default:
            guard arguments.count == 4 else {
                throw MPDError(
                    .argument, "name the sticker: \(Sticker.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            try set(try Self.sticker(arguments[3]), "", episode)
        }
    }

    private static func sticker(_ name: String) throws(MPDError) -> Sticker {
        guard let sticker = Sticker(rawValue: name) else {
            let names = Sticker.allCases.map(\.rawValue).joined(separator: ", ")
            throw MPDError(.argument, "podcastd keeps only the stickers \(names)")
        }
        return sticker
    }

    private func show(_ id: EpisodeID, _ done: @escaping (Episode) throws(MPDError) -> Void) {
        ask(GetEpisodes { $0.ids = [id] }) { (reply) throws(MPDError) in
            guard let row = reply.episodes.first else { throw .noSuchSong }
            try done(row.episode)
        }
    }

    /// - Parameter value: empty to delete.
    private func set(_ sticker: Sticker, _ value: String, _ episode: EpisodeID) throws(MPDError) {
        switch sticker {
        case .played, .playCount:
            change(
                MarkEpisodes {
                    $0.mark = value.isEmpty || value == "0" ? .unplayed : .played
                    $0.what = [episode.label]
                })
        case .starred where !value.isEmpty && value != "0", .like where value == "2":
            change(StarEpisodes { $0.what = [episode.label] })
        case .starred, .like: change(UnstarEpisodes { $0.what = [episode.label] })
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
        let sticker = try Self.sticker(arguments[3])
        let matches: (String) -> Bool
        if arguments.count == 6 {
            let wanted = arguments[5]
            switch arguments[4] {
            case "=": matches = { $0 == wanted }
            case "<": matches = { Self.isLess($0, wanted) }
            case ">": matches = { Self.isLess(wanted, $0) }
            default: throw MPDError(.argument, "bad operator")
            }
        } else {
            matches = { _ in true }
        }
        let folder = uri.hasSuffix("/") ? String(uri.dropLast()) : uri
        let feed = service.library.feed(inFolder: folder)
        if feed == nil, !folder.isEmpty { throw .noSuchDirectory }
        findSticker(sticker, feed, after: nil, matches)
    }

    private static func isLess(_ one: String, _ other: String) -> Bool {
        if let one = Double(one), let other = Double(other) { return one < other }
        return one < other
    }

    private func findSticker(
        _ sticker: Sticker, _ feed: FeedID?, after: String?, _ matches: @escaping (String) -> Bool
    ) {
        ask(
            ListEpisodes {
                $0.feed = feed?.label
                $0.isStarred = sticker == .starred || sticker == .like
                $0.page.limit = 1_000
                $0.page.after = after
            }
        ) { [weak self] reply in
            guard let self else { return }
            var part = MPDAnswer()
            for row in reply.episodes {
                guard let value = sticker.value(of: row.episode), matches(value) else { continue }
                part.add("file", service.library.song(row.episode).uri)
                part.add("sticker", "\(sticker.rawValue)=\(value)")
            }
            connection.write { [part] in $0 += part.bytes }
            guard reply.hasAfter, let next = reply.next else { return finish() }
            nextPage { [weak self] in self?.findSticker(sticker, feed, after: next, matches) }
        }
    }
}
