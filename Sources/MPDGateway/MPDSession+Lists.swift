internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

// Edits of stored playlists. Positions are those of the daemon's indexes, less one.

extension MPDCommand {
    static let listEdits: [MPDCommand] = [
        MPDCommand("save", 1...2) { try $0.save($1[0], mode: $1.count > 1 ? $1[1] : "create") },
        MPDCommand("playlistadd", 2...3) { session, words in
            let at = try words.count > 2 ? MPDArgument.integer(words[2]) + 1 : nil
            session.change(try session.addition([session.what(words[1])], to: words[0], at: at))
        },
        MPDCommand("playlistclear", 1...1) { session, words in
            session.change(ClearPlaylist { $0.name = words[0] })
        },
        MPDCommand("playlistdelete", 2...2) { session, words in
            let entries = try MPDArgument.range(words[1]).indexes
            session.change(
                DropFromPlaylist {
                    $0.name = words[0]
                    $0.what = [entries]
                })
        },
        MPDCommand("playlistmove", 3...3) { session, words in
            let entries = try MPDArgument.range(words[1]).indexes
            let index = try MPDArgument.integer(words[2]) + 1
            session.change(
                MoveInPlaylist {
                    $0.name = words[0]
                    $0.from = entries
                    $0.to = index
                })
        },
        MPDCommand("rename", 2...2) { session, words in
            session.change(
                RenamePlaylist {
                    $0.name = words[0]
                    $0.to = words[1]
                })
        },
    ]
}

extension MPDRange {
    /// The range as the daemon names entries.
    fileprivate var indexes: String { "#\(start + 1)-#\(end.map { max($0, start + 1) } ?? Int(Int32.max))" }
}

extension MPDSession {
    fileprivate func addition(_ what: [String], to name: String, at index: Int? = nil) -> AddToPlaylist {
        AddToPlaylist {
            $0.name = name
            $0.what = what
            $0.at = index
            $0.again = true
        }
    }

    /// Saves the queue as a playlist by hand.
    fileprivate func save(_ name: String, mode: String) throws(MPDError) {
        guard ["create", "append", "replace"].contains(mode) else {
            throw .argument("Unrecognized save mode: \(mode)")
        }
        ask(ListPlaylists()) { session, reply in
            let exists = reply.rows.contains { $0.name == name }
            if exists, mode == "create" { throw MPDError(.exists, "Playlist already exists") }
            if !exists, mode != "create" { throw MPDError(.noSuchObject, "No such playlist") }
            if mode == "append" { return session.append(to: name) }
            session.alter(
                SavePlaylist {
                    $0.name = name
                    $0.filter = PlaylistContent.byHand.description
                }
            ) { session, _ in
                session.alter(ClearPlaylist { $0.name = name }) { session, _ in session.append(to: name) }
            }
        }
    }

    private func append(to name: String) {
        let count = service.library.entries.count
        if count == 0 { return finish() }
        change(addition(["#1-#\(count)"], to: name))
    }
}
