internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDCommand {
    static let database: [MPDCommand] = [
        MPDCommand("lsinfo", 0...1, .read) { session, words in
            switch try session.location(words) {
            case .song(let episode): session.write(episode, session.tagLines)
            case .root: session.writeRoot()
            case .folder(let feed): session.write(feed, session.tagLines) { $0.finish() }
            }
        },
        MPDCommand("listall", 0...1, .read) { try $0.writeTree($1, $0.fileLine) },
        MPDCommand("listallinfo", 0...1, .read) { try $0.writeTree($1, $0.tagLines) },
        MPDCommand("readcomments", 1...1, .read) { session, words in
            guard let episode = SongLibrary.episode(of: words[0]) else { throw MPDError.noSuchSong }
            session.writeComments(of: episode)
        },
        MPDCommand("update", 0...1) { try $0.update($1, isForced: false) },
        MPDCommand("rescan", 0...1) { try $0.update($1, isForced: true) },
        MPDCommand("readpicture", 2...2, .read) { try $0.readPicture($1, withType: true) { $0.finish() } },
        MPDCommand("albumart", 2...2, .read) { session, words in
            try session.readPicture(words, withType: false) { _ in throw MPDError(.noSuchObject, "No file exists") }
        },
    ]
}

extension MPDSession {
    /// What a path names.
    fileprivate enum Location {
        case root
        case folder(FeedID)
        case song(EpisodeID)
    }

    fileprivate func location(_ arguments: [String]) throws(MPDError) -> Location {
        if let episode = SongLibrary.episode(of: arguments.first ?? "") { return .song(episode) }
        return try feed(inFolder: arguments.first ?? "").map { .folder($0) } ?? .root
    }

    /// The feed of a folder; nil for the root. Slashes at the ends of the path are ignored.
    func feed(inFolder path: String) throws(MPDError) -> FeedID? {
        var folder = path.drop { $0 == "/" }
        if folder.last == "/" { folder.removeLast() }
        if folder.isEmpty { return nil }
        guard let feed = service.library.feed(inFolder: String(folder)) else { throw .noSuchDirectory }
        return feed
    }

    // MARK: browsing

    fileprivate func write(_ episode: EpisodeID, _ lines: @escaping SongLines) {
        withEpisode(episode) { session, episode in
            var answer = MPDAnswer()
            lines(session.service.library.song(episode), &answer)
            session.finish(answer)
        }
    }

    fileprivate func writeRoot() {
        var answer = MPDAnswer()
        for feed in service.library.feeds { writeFolder(feed, to: &answer) }
        ask(ListPlaylists()) { session, reply in
            for playlist in reply.rows { answer.add("playlist", playlist.name) }
            session.finish(answer)
        }
    }

    private func writeFolder(_ feed: Feed, to answer: inout MPDAnswer) {
        answer.add("directory", service.library.folder(of: feed.id))
        if let changed = feed.health.lastSuccess { answer.add("Last-Modified", changed) }
    }

    /// A song, or the folder of a show with its songs, or all folders with their songs.
    fileprivate func writeTree(_ arguments: [String], _ lines: @escaping SongLines) throws(MPDError) {
        switch try location(arguments) {
        case .song(let episode): write(episode, lines)
        case .root: write(service.library.feeds[...], lines)
        case .folder(let feed): write(service.library.feeds.filter { $0.id == feed }[...], lines)
        }
    }

    private func write(_ feeds: ArraySlice<Feed>, _ lines: @escaping SongLines) {
        guard let feed = feeds.first else { return finish() }
        var answer = MPDAnswer()
        writeFolder(feed, to: &answer)
        send(answer)
        write(feed.id, lines) { $0.write(feeds.dropFirst(), lines) }
    }

    fileprivate func write(_ feed: FeedID, _ lines: @escaping SongLines, end: @escaping (MPDSession) -> Void) {
        scan(
            feed,
            page: { session, episodes in
                var part = MPDAnswer()
                for episode in episodes { lines(session.service.library.song(episode), &part) }
                session.send(part)
                return true
            }, end: end)
    }

    fileprivate func writeComments(of episode: EpisodeID) {
        ask(ShowEpisode { $0.episode = episode.label }) { session, reply in
            let shown = reply.episode.episode
            session.finish(
                [
                    ("title", shown.title), ("show", shown.feedTitle),
                    ("description", reply.content ?? reply.summary ?? ""), ("link", shown.link ?? ""),
                    ("comment", shown.state.note ?? ""),
                ].filter { !$0.1.isEmpty })
        }
    }

    // MARK: refreshing

    /// Refreshes the feed of a path, or all feeds that are due; `isForced` for all feeds.
    fileprivate func update(_ arguments: [String], isForced: Bool) throws(MPDError) {
        let path = (arguments.first ?? "").drop { $0 == "/" }
        let feed = try feed(inFolder: String(path.prefix { $0 != "/" }))
        let command = RefreshFeeds {
            $0.feeds = feed.map { [$0.label] }
            $0.isForced = isForced && feed == nil
        }
        let number = service.refresh(command, as: permission ?? .read)
        finish([("updating_db", "\(number)")])
    }

    // MARK: pictures

    /// Writes a piece of a cover: arguments `URI OFFSET`. `withoutPicture` ends the command for an episode without a cover.
    fileprivate func readPicture(
        _ arguments: [String], withType: Bool, withoutPicture: @escaping (MPDSession) throws -> Void
    ) throws {
        guard let episode = SongLibrary.episode(of: arguments[0]) else { throw MPDError.noSuchSong }
        let offset = try MPDArgument.integer(arguments[1])
        let write = { (session: MPDSession, bytes: [UInt8]) throws in
            if bytes.isEmpty { return try withoutPicture(session) }
            if offset > bytes.count { throw MPDError.argument("Offset too large") }
            var answer = MPDAnswer()
            answer.add("size", bytes.count)
            if withType { answer.add("type", "image/jpeg") }
            answer.add(binary: bytes[offset...].prefix(session.binaryLimit))
            session.finish(answer)
        }
        if let bytes = service.pictures[episode] { return try write(self, bytes) }
        askForOutcome(of: GetPicture { $0.what = episode.label }) { session, outcome in
            var bytes: [UInt8] = []
            switch outcome {
            case .success(let reply): bytes = Base64.bytes(of: reply.data) ?? []
            // An episode without a cover.
            case .failure(let error): if error.code != .noSuchObject { throw error }
            }
            session.service.keep(bytes, of: episode)
            try write(session, bytes)
        }
    }
}

extension MPDCommand {
    static let playlists: [MPDCommand] = [
        MPDCommand("listplaylists", .read) { $0.writePlaylists() },
        MPDCommand("listplaylist", 1...2, .read) { try $0.withPlaylist($1) { $0.write($1, $0.fileLine) } },
        MPDCommand("listplaylistinfo", 1...2, .read) { try $0.withPlaylist($1) { $0.write($1, $0.tagLines) } },
        MPDCommand("load", 1...3) { session, words in
            let index = words.count > 2 ? try session.index(of: words[2]) : nil
            try session.withPlaylist(words) { $0.add($1, at: index) }
        },
        MPDCommand("rm", 1...1) { session, words in session.change(RemovePlaylist { $0.name = words[0] }) },
    ]
}

extension MPDSession {
    fileprivate func writePlaylists() {
        ask(ListPlaylists()) { session, reply in
            let changed = session.service.library.feeds.compactMap(\.health.lastSuccess).max()
            var answer = MPDAnswer()
            for playlist in reply.rows {
                answer.add("playlist", playlist.name)
                answer.add("Last-Modified", changed ?? Timestamp(seconds: 0))
            }
            session.finish(answer)
        }
    }

    /// Reads the songs of the playlist of the first argument, or those of the range of the second argument.
    fileprivate func withPlaylist(
        _ arguments: [String], done: @escaping (MPDSession, ArraySlice<MPDSong>) -> Void
    ) throws(MPDError) {
        let range = try arguments.dropFirst().first.map(MPDArgument.range) ?? .all
        var songs: [MPDSong] = []
        scan(ShowPlaylist { $0.name = arguments[0] }, \.list) { session, page in
            songs += page.map(session.service.library.song)
            if songs.count > Self.mostSongs { throw MPDError(.system, "more than \(Self.mostSongs) songs") }
            return range.end.map { songs.count < $0 } ?? true
        } end: {
            done($0, songs[range.clamped(to: songs.count)])
        }
    }
}
