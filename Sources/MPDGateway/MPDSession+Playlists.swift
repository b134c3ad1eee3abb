internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDSession {
    static let playlistsAreFilters = MPDError(
        .permission, "playlists of podcastd are made from conditions: see 'podcastctl playlist save'")

    func executePlaylists(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        switch command {
        case .listplaylists:
            ask(ListPlaylists()) { [weak self] reply in
                var answer = MPDAnswer()
                let now = Timestamp(seconds: 0)
                for playlist in reply.playlists {
                    answer.add("playlist", playlist.name)
                    answer.add(
                        "Last-Modified", self?.service.library.feeds.compactMap(\.health.lastSuccess).max() ?? now)
                }
                self?.finish(answer)
            }
        case .listplaylist, .listplaylistinfo:
            let range = try arguments.count > 1 ? MPDArgument.range(arguments[1]) : .all
            let withTags = command == .listplaylistinfo
            collect(playlist: arguments[0], upTo: range.end) { [weak self] songs in
                guard let self else { return }
                let songs = songs[range.clamped(to: songs.count)]
                if withTags { return write(songs) }
                write(songs) { song, answer in answer.add("file", song.uri) }
            }
        case .load: try load(arguments)
        case .rm: change(RemovePlaylist { $0.name = arguments[0] })
        default: throw Self.playlistsAreFilters
        }
    }

    private func load(_ arguments: [String]) throws(MPDError) {
        let range = try arguments.count > 1 ? MPDArgument.range(arguments[1]) : .all
        var index: Int?
        if arguments.count > 2 {
            let count = service.library.entries.count
            guard let found = try MPDArgument.position(arguments[2]).index(current: currentPosition, count: count)
            else {
                throw MPDError(.argument, "Bad song index")
            }
            index = found + 1
        }
        collect(playlist: arguments[0], upTo: range.end) { [weak self] songs in
            let episodes = songs[range.clamped(to: songs.count)].compactMap { SongLibrary.episode(of: $0.uri)?.label }
            self?.add(episodes[...], at: index)
        }
    }

    /// Reads a playlist's songs, at most the first `count`.
    private func collect(
        playlist name: String, upTo count: Int?, after: String? = nil, _ songs: [MPDSong] = [],
        done: @escaping ([MPDSong]) -> Void
    ) {
        ask(
            ShowPlaylist {
                $0.name = name
                $0.page.limit = 1_000
                $0.page.after = after
            }
        ) { [weak self] reply in
            guard let self else { return }
            let all = songs + reply.list.episodes.map { self.service.library.song($0.episode) }
            guard reply.list.hasAfter, let next = reply.list.next, count.map({ all.count < $0 }) ?? true else {
                return done(all)
            }
            collect(playlist: name, upTo: count, after: next, all, done: done)
        }
    }
}
