internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel

// Playlists that users save, and the entries of those by hand.

extension DaemonParts {
    var listAnswers: [AnsweredCommand] {
        decisions.answers(savePlaylist, addEntries, dropEntries, moveEntries, clearEntries, renamePlaylist)
    }

    private func savePlaylist(_ request: SavePlaylist) async throws -> PlaylistReply {
        let name = request.name
        try Self.check(newName: name)
        if request.filter.allSatisfy(\.isWhitespace) {
            throw ControlError(
                .invalidArgument, "the filter has no conditions",
                hint: "such as is:unplayed, or by:hand to add episodes")
        }
        var content = try PlaylistContent(parsing: request.filter)
        let ids = content.filters.flatMap(\.expression.words).filter { word in
            if case .text = Name(word, number: .episode) { return false }
            return "ef#".contains(word.prefix(1))
        }
        var first: [EpisodeID]?
        if !ids.isEmpty {
            guard request.filter.split(whereSeparator: \.isWhitespace).count == ids.count else {
                throw ControlError(
                    .invalidArgument, "a playlist is either a filter or a list of episodes",
                    hint: "save the episodes alone: playlist NAME save \(ids.joined(separator: " "))")
            }
            content = .byHand
            first = try await chooser.chosen(ids, .unplayedOldestFirst).flatMap(\.episodes)
        }
        if let order = request.order {
            guard content.filters.count == 1 else {
                throw ControlError(
                    .invalidArgument, "the order of '\(name)' is part of its filters or entries",
                    hint: "leave out --order")
            }
            content = .filters([.init(content.filters[0].expression, order)])
        }
        let reply = try await library.perform { [now, content, first] store in
            let content = try content.map { try $0.lookingUp { try store.feeds.resolveFeed($0).id } }
            let isReplacing = try store.playlists.playlist(named: name) != nil
            let playlist = Playlist(name: name, content)
            try store.history.act(.playlist, title: name) {
                try store.playlists.savePlaylist(playlist)
                if let first {
                    try store.playlists.list(name).clearEntries()
                    _ = try store.playlists.list(name).insertEntries(first, at: 0)
                }
            }
            var reply = try PlaylistReply(playlist, in: store, at: now())
            reply.isReplacing = isReplacing ? true : nil
            return reply
        }
        changed(name)
        return reply
    }

    private func addEntries(_ request: AddToPlaylist) async throws -> QueueAdditionReply {
        let name = request.name
        let known = try await library.read { try $0.playlists.playlist(named: name) }
        if known == nil { try Self.check(newName: name) }
        let reply = try await addition(
            request.what, false, limit: request.limit, again: request.again,
            to: { [library] in
                try await library.read {
                    try known == nil && $0.playlists.playlist(named: name) == nil ? [] : Self.entries(name, $0)
                }
            }
        ) { episodes in
            try await library.perform { store in
                try store.history.act(.playlist, title: name) {
                    if try store.playlists.playlist(named: name) == nil {
                        try store.playlists.savePlaylist(Playlist(name: name, .byHand))
                    }
                    return try Self.list(name, in: store).insertEntries(episodes, at: request.at.map { $0 - 1 } ?? .max)
                }
            }
        }
        changed(name)
        return reply
    }

    private func dropEntries(_ request: DropFromPlaylist) async throws -> QueueEditReply {
        let name = request.name
        let entries = try await library.read { try Self.entries(name, $0) }
        var (reply, removed) = try await removal(request.what, from: entries)
        reply.length = try await edit(name) { [removed] in try $0.removeEntries(removed) }
        return reply
    }

    private func moveEntries(_ request: MoveInPlaylist) async throws -> QueueEditReply {
        let name = request.name
        let entries = try await library.read { try Self.entries(name, $0) }
        var (reply, moved) = try await move(request.from, to: request.to, among: entries)
        guard request.to - 1 + moved.count <= entries.count else {
            throw ControlError(.notFound, "'\(name)' has no entry \(request.to)")
        }
        reply.length = try await edit(name) { [moved] in try $0.moveEntries(moved, to: request.to - 1) }
        return reply
    }

    private func clearEntries(_ request: ClearPlaylist) async throws -> QueueLengthReply {
        QueueLengthReply(length: try await edit(request.name) { try $0.clearEntries() })
    }

    private func renamePlaylist(_ request: RenamePlaylist) async throws -> PlaylistReply {
        try Self.check(newName: request.to)
        if PlaylistSection(named: request.name) != nil {
            throw ControlError(keeping: request.name, "it cannot be renamed")
        }
        let reply = try await library.perform { [now] store in
            try store.playlists.rename(request.name, to: request.to)
            return try PlaylistReply(Playlist(named: request.to, in: store), in: store, at: now())
        }
        changes.changed(.playlists)
        return reply
    }

    /// - Returns: the number of entries afterwards.
    private func edit(_ name: String, _ change: @escaping @Sendable (QueueStore) throws -> Void) async throws -> Int {
        let count = try await library.perform { store in
            let list = try Self.list(name, in: store)
            try change(list)
            return try list.queue().entries.count
        }
        changed(name)
        return count
    }

    private func changed(_ name: String) { changes.changed(.playlists, [RowChange(.update, named: name)]) }

    private static func entries(_ name: String, _ store: LibraryStore) throws -> [QueueEntry] {
        try list(name, in: store).queue().entries
    }

    private static func list(_ name: String, in store: LibraryStore) throws -> QueueStore {
        if PlaylistSection(named: name) != nil { throw ControlError(keeping: name, "it cannot be edited") }
        let playlist = try Playlist(named: name, in: store)
        guard playlist.content.isByHand else {
            throw ControlError(
                .conflict, "'\(playlist.name)' is a filter, whose episodes cannot be edited",
                hint: "add its episodes to a playlist by hand: playlist NAME add 'playlist:\(playlist.name)'")
        }
        return store.playlists.list(playlist.name)
    }

    private static func check(newName name: String) throws(ControlError) {
        if PlaylistSection(named: name) != nil { throw ControlError(keeping: name) }
        guard Playlist.isName(name) else {
            throw ControlError(
                .invalidArgument, "invalid playlist name",
                hint: "use at most \(Playlist.maximumNameLength) bytes on one line")
        }
    }
}
