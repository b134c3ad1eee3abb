internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel
internal import SerialThreads

/// Answers `playlists`: the sections of the list that all clients share, and filters that were saved with a name.
struct PlaylistsHandler {
    let decisions: DecisionThread
    let now: @Sendable () -> Timestamp
    let library: LibraryService
    let queue: QueueService
    let changes: ChangeBoard

    var answers: [AnsweredCommand] { decisions.answers(list, show, remove) }

    private func list(_ request: ListPlaylists) async throws -> PlaylistListReply {
        try await library.read { [queue, now] store in
            let sections = PlaylistSections(episodes: store.episodes, queue: queue.snapshot)
            let shared = try PlaylistSection.allCases.map { section in
                PlaylistReply(
                    name: section.rawValue, title: section.title,
                    count: try sections.count(section, upTo: countingBound))
            }
            return PlaylistListReply(
                try shared + store.playlists.all().map { try PlaylistReply($0, in: store, at: now()) })
        }
    }

    private func show(_ request: ShowPlaylist) async throws -> PlaylistPageReply {
        let name = request.name
        let search = request.search
        let expression = try EpisodeExpression(parsing: request.filter ?? "")
        let filter = { @Sendable [now] (base: EpisodeExpression, store: LibraryStore) throws in
            let found = try base.and(expression.lookingUp { try store.feeds.resolveFeed($0).id })
            var filter = EpisodeFilter(found, at: now())
            // The saved words of a playlist are not looked for in titles of feeds.
            filter.searchesFeedTitles = request.searchesFeedTitles && filter.text == nil
            if let search { filter.text = filter.text.map { "\($0) \(search)" } ?? search }
            return filter
        }
        return try await library.read { [queue, now] store in
            if let section = PlaylistSection(named: name) {
                let filter = try filter(EpisodeExpression(), store)
                let sections = PlaylistSections(episodes: store.episodes, queue: queue.snapshot, filter: filter)
                var list = EpisodeListReply()
                if section.isQueue {
                    if request.order != nil { throw ControlError(.invalidArgument, "the queue has its own order") }
                    list = try EpisodeListReply(try sections.entries(of: section), request.page, in: store)
                } else if let narrowed = section.narrowed(filter) {
                    let order: EpisodeOrder = narrowed.text == nil ? section.order : .newestFirst
                    list = try EpisodeListReply(narrowed, request.order ?? order, request.page, in: store)
                }
                return PlaylistPageReply {
                    $0.name = section.rawValue
                    $0.title = section.title
                    $0.list = list
                }
            }
            let playlist = try Playlist(named: name, in: store)
            var reply = PlaylistPageReply {
                $0.name = playlist.name
                $0.title = playlist.name
            }
            reply.isByHand = playlist.content.isByHand
            if let entries = try store.playlists.entries(of: playlist, at: now()) {
                if request.order != nil { throw ControlError(.invalidArgument, "'\(playlist.name)' has its own order") }
                let isWhole = search == nil && request.filter == nil
                let fitting =
                    try isWhole
                    ? [] : Set(store.episodes.matching(filter(.init(), store), among: entries.map(\.episode)))
                let shown = entries.filter { isWhole || fitting.contains($0.episode) }
                reply.list = try EpisodeListReply(shown, request.page, in: store)
            } else {
                for saved in playlist.content.filters {
                    reply.list = try EpisodeListReply(
                        try filter(saved.expression, store), request.order ?? saved.order, request.page, in: store)
                }
            }
            reply.missingFeeds = try store.playlists.missingFeeds(in: playlist.content)
            return reply
        }
    }

    private func remove(_ request: RemovePlaylist) async throws -> EmptyReply {
        try await library.perform { store in
            if PlaylistSection(named: request.name) != nil {
                throw ControlError(keeping: request.name, "it cannot be removed")
            }
            try store.playlists.removePlaylist(named: request.name)
        }
        changes.changed(.playlists, [RowChange(.delete, named: request.name)])
        return EmptyReply()
    }
}

extension Playlist {
    /// A filter, or several in turns, that is not saved.
    init(filter text: String, in store: LibraryStore) throws {
        let content = try PlaylistContent(parsing: text).map { try $0.lookingUp { try store.feeds.resolveFeed($0).id } }
        self.init(name: "filter:\(text)", content)
    }

    /// - Parameter name: also `filter:CONDITIONS`.
    /// - Throws: `ControlError` if there is none.
    init(named name: String, in store: LibraryStore) throws {
        if case .filter(let text) = Name(name, number: .episode) {
            try self.init(filter: text, in: store)
            return
        }
        guard let playlist = try store.playlists.playlist(named: name) else {
            let names = PlaylistSection.words + (try store.playlists.all().map(\.name))
            throw ControlError(
                .notFound, "no playlist matches '\(name)'",
                hint: "playlists: \(names.prefix(20).joined(separator: ", "))")
        }
        self = playlist
    }
}

extension PlaylistReply {
    init(_ playlist: Playlist, in store: LibraryStore, at now: Timestamp) throws {
        let filters = playlist.content.filters
        let only = filters.count == 1 ? filters[0] : nil
        let count =
            try store.playlists.entries(of: playlist, at: now).map { RowCount.exactly($0.count) }
            ?? filters.first.map {
                try store.episodes.count(EpisodeFilter($0.expression, at: now), upTo: countingBound)
            }
        self.init(
            name: playlist.name, title: playlist.name,
            filter: only?.expression.description ?? playlist.content.description, count: count ?? .exactly(0))
        order = only?.order
        isByHand = playlist.content.isByHand
    }
}

extension ControlError {
    /// A name that a section of the shared list has.
    init(keeping name: String, _ hint: String = "choose another name") {
        self.init(.invalidArgument, "'\(name)' is a built-in playlist", hint: hint)
    }
}
