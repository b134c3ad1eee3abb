internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel
internal import SerialThreads

/// Answers `playlists`: the sections of the list that all clients share, and filters that were saved with a name.
struct PlaylistsHandler: SectionHandler {
    let decisions: DecisionThread
    let now: @Sendable () -> Timestamp
    let library: LibraryService
    let queue: QueueService
    let changes: ChangeBoard

    var answers: [AnsweredCommand] { decisions.answers(list, show, save, remove) }

    private func list(_ request: ListPlaylists) async throws -> PlaylistListReply {
        try await library.read { [queue, now] store in
            let sections = PlaylistSections(episodes: store.episodes, queue: queue.snapshot)
            let shared = try PlaylistSection.allCases.map { section in
                PlaylistReply(
                    name: section.rawValue, title: section.title,
                    count: try sections.count(section, upTo: countingBound))
            }
            return PlaylistListReply(
                try shared + store.playlists.smartPlaylists().map { try PlaylistReply($0, in: store, at: now()) })
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
        return try await library.read { [queue] store in
            if let section = PlaylistSection(named: name) {
                let filter = try filter(EpisodeExpression(), store)
                let sections = PlaylistSections(episodes: store.episodes, queue: queue.snapshot, filter: filter)
                var list = EpisodeListReply()
                if section.isQueue {
                    if request.order != nil { throw ControlError(.invalidArgument, "the queue has its own order") }
                    list = try EpisodeListReply(try sections.entries(of: section), request.page, in: store)
                } else if let narrowed = section.narrowed(filter) {
                    let order: EpisodeOrder = narrowed.text == nil ? section.order : .newestFirst
                    list = try EpisodeListReply(narrowed, request.order?.ofEpisodes ?? order, request.page, in: store)
                }
                return PlaylistPageReply {
                    $0.name = section.rawValue
                    $0.title = section.title
                    $0.list = list
                }
            }
            guard let playlist = try store.playlists.smartPlaylist(named: name) else {
                let names =
                    PlaylistSection.words + (try store.playlists.smartPlaylists().map(\.name))
                throw ControlError(
                    .notFound, "no playlist matches '\(name)'",
                    hint: "playlists: \(names.prefix(20).joined(separator: ", "))")
            }
            var reply = PlaylistPageReply {
                $0.name = playlist.name
                $0.title = playlist.name
            }
            reply.list = try EpisodeListReply(
                try filter(playlist.filter, store), request.order?.ofEpisodes ?? playlist.order, request.page, in: store
            )
            reply.missingFeeds = try store.playlists.missingFeeds(in: playlist.filter)
            return reply
        }
    }

    private func save(_ request: SavePlaylist) async throws -> PlaylistReply {
        let name = request.name
        let order = request.order.ofEpisodes
        if PlaylistSection(named: name) != nil { throw ControlError(keeping: name) }
        guard SmartPlaylist.isName(name) else {
            throw ControlError(
                .invalidArgument, "invalid playlist name",
                hint: "use at most \(SmartPlaylist.maximumNameLength) bytes on one line")
        }
        if request.filter.allSatisfy(\.isWhitespace) {
            throw ControlError(.invalidArgument, "the filter has no conditions", hint: "such as is:unplayed")
        }
        let expression = try EpisodeExpression(parsing: request.filter)
        if expression.words.contains(where: { "ef#".contains($0.prefix(1)) && Int($0.dropFirst()) != nil }) {
            throw ControlError(
                .invalidArgument, "a playlist is a filter, not a list of episodes",
                hint: "star the episodes and save 'is:starred', or queue them: podcastctl add \(request.filter)")
        }
        let reply = try await library.perform { [now] store in
            let filter = try expression.lookingUp { try store.feeds.resolveFeed($0).id }
            let playlist = SmartPlaylist(name: name, filter: filter, order: order)
            let isReplacing = try store.playlists.smartPlaylist(named: name) != nil
            try store.playlists.savePlaylist(playlist)
            var reply = try PlaylistReply(playlist, in: store, at: now())
            reply.isReplacing = isReplacing ? true : nil
            return reply
        }
        changes.changed(.playlists, [RowChange(.update, named: name)])
        return reply
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

extension SavePlaylist.Order {
    fileprivate var ofEpisodes: EpisodeOrder { self == .oldest ? .oldestFirst : .newestFirst }
}

extension PlaylistReply {
    fileprivate init(_ playlist: SmartPlaylist, in store: LibraryStore, at now: Timestamp) throws {
        let count = try store.episodes.count(EpisodeFilter(playlist.filter, at: now), upTo: countingBound)
        self.init(name: playlist.name, title: playlist.name, filter: playlist.filter.description, count: count)
        order = playlist.order == .oldestFirst ? .oldest : .newest
    }
}

extension ControlError {
    /// A name that a section of the shared list has.
    fileprivate init(keeping name: String, _ hint: String = "choose another name") {
        self.init(.invalidArgument, "'\(name)' is a built-in playlist", hint: hint)
    }
}
