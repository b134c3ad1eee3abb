internal import ControlLanguage
internal import ControlProtocol
internal import LineServing
internal import PodcastModel

extension MPDSession {
    func executeDatabase(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        let path = Self.path(arguments.first ?? "")
        switch command {
        case .lsinfo, .listfiles, .listall, .listallinfo: try browse(command, path)
        case .readcomments:
            guard let episode = SongLibrary.episode(of: path) else { throw .noSuchSong }
            ask(ShowEpisode { $0.episode = episode.label }) { [weak self] reply in
                self?.finish(
                    Self.lines(
                        [
                            ("title", reply.episode.episode.title), ("show", reply.episode.episode.feedTitle),
                            ("description", reply.content ?? reply.summary ?? ""),
                            ("link", reply.episode.episode.link ?? ""),
                            ("comment", reply.episode.episode.state.note ?? ""),
                        ].filter { !$0.1.isEmpty }))
            }
        default: try update(path, isForced: command == .rescan)
        }
    }

    /// A path without slashes at its ends: `/` is the root.
    private static func path(_ argument: String) -> String {
        let path = argument.drop { $0 == "/" }
        return String(path.last == "/" ? path.dropLast() : path)
    }

    // MARK: browsing

    private func browse(_ command: MPDCommand, _ path: String) throws(MPDError) {
        if SongLibrary.episode(of: path) != nil {
            if command == .listfiles { throw .noSuchDirectory }
            return try writeSong(path, withTags: command != .listall)
        }
        if path.isEmpty {
            return command == .lsinfo || command == .listfiles
                ? writeRoot(withPlaylists: command == .lsinfo) : writeAll(service.library.feeds[...], command)
        }
        guard let feed = service.library.feed(inFolder: path) else { throw .noSuchDirectory }
        if command == .listall || command == .listallinfo {
            return writeAll(service.library.feeds.filter { $0.id == feed }[...], command)
        }
        writeSongs(of: feed, command) { [weak self] in self?.finish() }
    }

    private func writeSong(_ path: String, withTags: Bool) throws(MPDError) {
        guard let episode = SongLibrary.episode(of: path) else { throw .noSuchSong }
        ask(GetEpisodes { $0.ids = [episode] }) { [weak self] (reply) throws(MPDError) in
            guard let self else { return }
            guard let row = reply.episodes.first else { throw .noSuchSong }
            let song = service.library.song(row.episode)
            if withTags { write([song]) } else { finish(Self.lines([("file", song.uri)])) }
        }
    }

    private func writeRoot(withPlaylists: Bool) {
        var answer = MPDAnswer()
        for feed in service.library.feeds { writeFolder(feed, to: &answer) }
        guard withPlaylists else { return finish(answer) }
        ask(ListPlaylists()) { [weak self] reply in
            for playlist in reply.playlists { answer.add("playlist", playlist.name) }
            self?.finish(answer)
        }
    }

    private func writeFolder(_ feed: Feed, to answer: inout MPDAnswer) {
        answer.add("directory", service.library.folder(of: feed.id))
        if let changed = feed.health.lastSuccess { answer.add("Last-Modified", changed) }
    }

    /// Each show's folder with its songs.
    private func writeAll(_ feeds: ArraySlice<Feed>, _ command: MPDCommand) {
        guard let feed = feeds.first else { return finish() }
        var answer = MPDAnswer()
        writeFolder(feed, to: &answer)
        connection.write { $0 += answer.bytes }
        writeSongs(of: feed.id, command) { [weak self] in self?.writeAll(feeds.dropFirst(), command) }
    }

    private func writeSongs(of feed: FeedID, _ command: MPDCommand, end: @escaping () -> Void) {
        let tags = tags
        scan(
            feed,
            page: { [weak self] songs in
                var part = MPDAnswer()
                for song in songs {
                    switch command {
                    case .listall: part.add("file", song.uri)
                    case .listfiles:
                        part.add(
                            "file",
                            String(
                                song.uri[song.uri.index(after: song.uri.lastIndex(of: "/") ?? song.uri.startIndex)...]))
                        part.add("Last-Modified", song.published)
                    default: song.write(tags, to: &part)
                    }
                }
                self?.connection.write { $0 += part.bytes }
                return true
            }, end: end)
    }

    // MARK: refreshing

    private func update(_ path: String, isForced: Bool) throws(MPDError) {
        var feed: FeedID?
        if !path.isEmpty {
            let folder = String(path.prefix { $0 != "/" })
            feed = service.library.feed(inFolder: folder)
            if feed == nil { throw .noSuchDirectory }
        }
        let command = RefreshFeeds {
            $0.feeds = feed.map { [$0.label] }
            $0.isForced = isForced && feed == nil
        }
        let number = service.refresh(command, as: permission ?? .read)
        finish(Self.lines([("updating_db", "\(number)")]))
    }

    // MARK: pictures

    /// `readpicture URI OFFSET` and `albumart URI OFFSET`.
    func readPicture(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        guard let episode = SongLibrary.episode(of: arguments[0]) else { throw .noSuchSong }
        let offset = try MPDArgument.integer(arguments[1])
        if let bytes = service.pictures.picture(of: episode) {
            return try writePicture(bytes, command, offset)
        }
        service.call(GetPicture { $0.what = episode.label }, as: permission ?? .read) { [weak self] outcome in
            guard let self else { return }
            do throws(MPDError) {
                var bytes: [UInt8] = []
                switch outcome {
                case .success(let reply): bytes = Base64.bytes(of: reply.data) ?? []
                // An episode without a cover.
                case .failure(let error): if error.code != .noSuchObject { throw error }
                }
                service.pictures.keep(bytes, of: episode)
                try writePicture(bytes, command, offset)
            } catch {
                finish(.failure(error))
            }
        }
    }

    private func writePicture(_ bytes: [UInt8], _ command: MPDCommand, _ offset: Int) throws(MPDError) {
        if bytes.isEmpty {
            if command == .albumart { throw MPDError(.noSuchObject, "No file exists") }
            return finish()
        }
        if offset > bytes.count { throw MPDError(.argument, "Offset too large") }
        var answer = MPDAnswer()
        answer.add("size", bytes.count)
        if command == .readpicture { answer.add("type", "image/jpeg") }
        answer.add(binary: bytes[offset...].prefix(binaryLimit))
        finish(answer)
    }
}
