internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import Playback
internal import PodcastModel

extension DaemonParts {
    var bookmarkAnswers: [AnsweredCommand] { decisions.answers(add, list, play, edit, remove) }

    private func add(_ request: AddBookmark) async throws -> Bookmark {
        let status = player.status
        let playing = status.entry ?? queue.currentEntry()
        if request.episode == nil, playing == nil {
            throw ControlError(
                .conflict, "nothing is playing", hint: "name an episode: podcastctl bookmark --episode EPISODE")
        }
        let time = now()
        let bookmark = try await library.perform { store in
            let episode =
                try request.episode.map { try store.episodes.resolveEpisode($0) }
                ?? store.episodes.episode(playing?.episode ?? EpisodeID(0))
            // While an episode is loading, the player does not know its position yet.
            let isHeard = status.entry?.episode == episode.id && status.title != nil
            let position = try Self.place(
                request.at, from: isHeard ? status.position : episode.state.position, in: episode)
            var bookmark = try store.bookmarks.addBookmark(
                PortableBookmark(
                    position: position, skipEnd: try Self.end(request.skipTo, after: position, in: episode),
                    text: request.text, created: time),
                to: episode.id)
            bookmark.note = Self.warning(about: [request.at, request.skipTo], in: episode)
            return bookmark
        }
        await changed([bookmark.episode])
        return bookmark
    }

    private func list(_ request: ListBookmarks) async throws -> BookmarkListReply {
        try await library.read { store in
            if let name = request.episode {
                let episode = try store.episodes.resolveEpisode(name).id
                return BookmarkListReply(try store.bookmarks.bookmarks(of: episode))
            }
            let found = try store.bookmarks.bookmarks(
                after: request.after.map { BookmarkID($0) }, limit: request.limit + 1)
            return BookmarkListReply(Array(found.prefix(request.limit)), hasAfter: found.count > request.limit)
        }
    }

    private func play(_ request: PlayBookmark) async throws -> PlayerStateReply {
        let bookmark = try await library.read { store in
            let bookmark = try store.bookmarks.bookmark(request.bookmark)
            // When the bookmark was added, the duration may have been unknown.
            let end = try store.episodes.episode(bookmark.episode).measuredDuration
            if let end, bookmark.position > end { throw PlayerError.beyondEnd(duration: end) }
            return bookmark
        }
        let choice = try await chooser.choice(for: bookmark.episode.label)
        contexts.use(nil, for: choice.entry.id)
        var reply = try await reached { try await play(choice.entry, at: bookmark.position, isNew: false) }
        reply.chosen = bookmark.episode
        return reply
    }

    private func edit(_ request: EditBookmark) async throws -> Bookmark {
        if request.text == nil, request.at == nil, request.skipTo == nil {
            throw ControlError(.invalidParameters, "a new text or a new place is needed")
        }
        let bookmark = try await library.perform { store in
            let before = try store.bookmarks.bookmark(request.bookmark)
            let episode = try store.episodes.episode(before.episode)
            let position = try request.at.map { try Self.place($0, from: before.position, in: episode) }
            var bookmark = try store.bookmarks.changeBookmark(
                request.bookmark, text: request.text, position: position,
                skipEnd: try Self.end(request.skipTo, after: position ?? before.position, in: episode))
            bookmark.note = Self.warning(about: [request.at, request.skipTo], in: episode)
            return bookmark
        }
        await changed([bookmark.episode])
        return bookmark
    }

    private func remove(_ request: RemoveBookmarks) async throws -> BookmarksRemovedReply {
        if request.bookmarks.isEmpty {
            throw ControlError(.invalidArgument, "no bookmark is named", hint: "see 'podcastctl bookmarks'")
        }
        let episodes = try await library.perform { store in
            let episodes = try request.bookmarks.map { try store.bookmarks.bookmark($0).episode }
            try store.bookmarks.removeBookmarks(request.bookmarks)
            return episodes
        }
        await changed(episodes)
        return BookmarksRemovedReply { $0.bookmarks = request.bookmarks }
    }

    /// Notifies clients, and the player of parts that it skips.
    private func changed(_ episodes: [EpisodeID]) async {
        changes.episodesChanged(episodes, .mark)
        await refreshSound()
    }

    /// The end of a part that is skipped; nil if none is given.
    private static func end(
        _ argument: TimeArgument?, after position: MediaTime, in episode: Episode
    ) throws -> MediaTime? {
        guard let argument else { return nil }
        let end = try place(argument, from: position, in: episode)
        guard end > position else {
            throw ControlError(
                .invalidArgument, "the part to skip ends at \(end), not after its beginning at \(position)",
                hint: "a later time, or one relative to the beginning such as +90")
        }
        return end
    }

    /// What the user should know about places that could not be checked, because neither the feed nor the file has shown the
    /// duration yet. Such a place is accepted, because the user may know the episode.
    private static func warning(about places: [TimeArgument?], in episode: Episode) -> String? {
        guard episode.duration == nil, places.contains(where: { $0 != nil }) else { return nil }
        return "the duration of this episode is not known yet; the place may be after its end"
    }

    /// - Throws: `PlayerError`: `beyondEnd` after the known end; `durationUnknown` for a share of an unknown duration.
    static func place(_ argument: TimeArgument?, from position: MediaTime, in episode: Episode) throws -> MediaTime {
        func part(_ share: Double) throws(PlayerError) -> MediaTime {
            guard let duration = episode.duration else { throw .durationUnknown }
            return MediaTime(seconds: duration.seconds * share)
        }
        let place: MediaTime =
            switch argument {
            case .absolute(let time)?: time
            case .relative(let distance)?: max(.zero, position + distance)
            case .share(let share)?: try part(share)
            case .relativeShare(let share)?: max(.zero, position + (try part(share)))
            case nil: position
            }
        if let end = episode.end(notBefore: position), place > end { throw PlayerError.beyondEnd(duration: end) }
        return place
    }
}

extension Episode {
    /// The duration as far as it is known: an announced one before `position` is wrong.
    func end(notBefore position: MediaTime) -> MediaTime? { measuredDuration ?? duration.map { max($0, position) } }
}
