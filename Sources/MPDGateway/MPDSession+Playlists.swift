internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDCommand {
    static let playlists: [MPDCommand] = [
        MPDCommand("listplaylists", 0...0, .read) { session, _ in session.writePlaylists() },
        MPDCommand("listplaylist", 1...2, .read) { session, words in
            try session.withPlaylist(words) { session, songs in
                session.write(songs) { song, answer in answer.add("file", song.uri) }
            }
        },
        MPDCommand("listplaylistinfo", 1...2, .read) { session, words in
            try session.withPlaylist(words) { $0.write($1) }
        },
        MPDCommand("load", 1...3, .control) { session, words in
            let index = words.count > 2 ? try session.index(of: words[2]) : nil
            try session.withPlaylist(words) { $0.add($1, at: index) }
        },
        MPDCommand("rm", 1...1, .control) { session, words in
            session.change(RemovePlaylist { $0.name = words[0] })
        },
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
        collect(playlist: arguments[0], upTo: range.end) { session, songs in
            done(session, songs[range.clamped(to: songs.count)])
        }
    }

    /// Reads at least the first `count` songs of a playlist, or all songs.
    private func collect(
        playlist name: String, upTo count: Int?, after: String? = nil, _ songs: [MPDSong] = [],
        done: @escaping (MPDSession, [MPDSong]) -> Void
    ) {
        ask(ShowPlaylist { ($0.name, $0.page.limit, $0.page.after) = (name, Self.pageSize, after) }) { session, reply in
            let all = songs + reply.list.episodes.map { session.service.library.song($0.episode) }
            if all.count > Self.mostSongs { throw MPDError(.system, "more than \(Self.mostSongs) songs") }
            guard reply.list.hasAfter, let next = reply.list.next, count.map({ all.count < $0 }) ?? true else {
                return done(session, all)
            }
            session.collect(playlist: name, upTo: count, after: next, all, done: done)
        }
    }
}
