internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDSession {
    func executeSearch(_ command: MPDCommand, _ arguments: [String]) throws(MPDError) {
        switch command {
        case .find, .search:
            try select(arguments, isSearch: command == .search) { [weak self] songs in self?.write(songs) }
        case .findadd, .searchadd: try addFound(arguments, isSearch: command == .searchadd)
        case .searchaddpl: throw MPDSession.playlistsAreFilters
        case .count: try count(arguments)
        default: try listTag(arguments)
        }
    }

    private func select(
        _ arguments: [String], isSearch: Bool, done: @escaping (ArraySlice<MPDSong>) -> Void
    ) throws(MPDError) {
        let selection = try MPDSelection(arguments, isSearch: isSearch)
        let end = selection.sort == nil ? selection.window.end : nil
        collect(selection.filter, foldsCase: selection.foldsCase) { found in
            end.map { found >= $0 } ?? false
        } done: { songs in
            done(selection.ordered(songs))
        }
    }

    private func addFound(_ arguments: [String], isSearch: Bool) throws(MPDError) {
        let position = try MPDSelection(arguments, isSearch: isSearch).position
        let index = try position.map { (position) throws(MPDError) -> Int in
            let count = service.library.entries.count
            guard let index = position.index(current: currentPosition, count: count) else {
                throw MPDError(.argument, "Bad song index")
            }
            return index + 1
        }
        try select(arguments, isSearch: isSearch) { [weak self] songs in
            self?.add(songs.compactMap { SongLibrary.episode(of: $0.uri)?.label }[...], at: index)
        }
    }

    /// Queues episodes, as many at once as a request may name.
    func add(_ episodes: ArraySlice<String>, at index: Int?) {
        if episodes.isEmpty { return finish() }
        let some = episodes.prefix(500)
        alter(
            AddToQueue {
                $0.what = Array(some)
                $0.at = index
                $0.again = true
            }
        ) { [weak self] _ in self?.add(episodes.dropFirst(500), at: index.map { $0 + some.count }) }
    }

    private func count(_ arguments: [String]) throws(MPDError) {
        var arguments = arguments
        let grouping = try MPDGrouping(takingFrom: &arguments)
        let filter = try MPDFilter(parsing: arguments, pairs: .equal)
        collect(filter, foldsCase: false) { [weak self] songs in
            var groups: [[String]: (songs: Int, time: Double)] = [:]
            for song in songs {
                let key = grouping.key(of: song)
                let before = groups[key] ?? (0, 0)
                groups[key] = (before.songs + 1, before.time + (song.duration?.seconds ?? 0))
            }
            if grouping.tags.isEmpty, groups.isEmpty { groups[[]] = (0, 0) }
            var answer = MPDAnswer()
            for (key, group) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                for (tag, value) in zip(grouping.tags, key) { answer.add(tag.rawValue, value) }
                answer.add("songs", group.songs)
                answer.add("playtime", Int(group.time))
            }
            self?.finish(answer)
        }
    }

    // MARK: list

    /// `list TAG [FILTER] [group TAG]…`; also the old `list album ARTIST`.
    private func listTag(_ arguments: [String]) throws(MPDError) {
        var rest = Array(arguments.dropFirst())
        let grouping = try MPDGrouping(takingFrom: &rest)
        let name = arguments[0]
        let isFile = ["file", "filename"].contains(name.lowercased())
        let tag = MPDTag(name: name)
        if tag == nil, !isFile {
            if MPDTag.isAbsent(name) { return finish() }
            throw MPDError(.argument, "Unknown tag type: \(name)")
        }
        if rest.count == 1, !rest[0].hasPrefix("(") {
            if tag != .album { throw MPDError(.argument, "should be \"Album\" for 3 arguments") }
            rest = ["artist", rest[0]]
        }
        let filter = try MPDFilter(parsing: rest, pairs: .equal)
        if filter == .all([]), let tag, tag.isOfShow, grouping.tags.allSatisfy(\.isOfShow) {
            return writeValues(shows, tag, grouping)
        }
        collect(filter, foldsCase: false) { [weak self] songs in self?.writeValues(songs, tag, grouping) }
    }

    /// One song for each show: enough for tags that all episodes of a show have alike.
    private var shows: [MPDSong] {
        service.library.feeds.filter { $0.episodeCount > 0 }.map { feed in
            MPDSong(
                uri: "", title: "", show: SafeText.title(feed.title) ?? feed.id.label,
                author: SongLibrary.artist(of: feed), published: feed.subscribed)
        }
    }

    /// - Parameter tag: nil for URIs.
    private func writeValues(_ songs: [MPDSong], _ tag: MPDTag?, _ grouping: MPDGrouping) {
        var rows: Set<[String]> = []
        for song in songs { rows.insert(grouping.key(of: song) + [tag.map { song.value(of: $0) ?? "" } ?? song.uri]) }
        let sorted = rows.sorted { $0.lexicographicallyPrecedes($1) }
        var last: ArraySlice<String>?
        write(sorted[...]) { row, answer in
            if !grouping.tags.isEmpty, row.dropLast() != last {
                for (tag, value) in zip(grouping.tags, row) { answer.add(tag.rawValue, value) }
                last = row.dropLast()
            }
            answer.add(tag?.rawValue ?? "file", row[row.count - 1])
        }
    }
}
