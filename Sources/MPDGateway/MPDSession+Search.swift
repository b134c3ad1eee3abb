internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDCommand {
    static let search: [MPDCommand] = [
        MPDCommand("find", 1...most, .read) { try $0.list(MPDSelection($1, isSearch: false)) },
        MPDCommand("search", 1...most, .read) { try $0.list(MPDSelection($1, isSearch: true)) },
        MPDCommand("findadd", 1...most) { try $0.add(MPDSelection($1, isSearch: false)) },
        MPDCommand("searchadd", 1...most) { try $0.add(MPDSelection($1, isSearch: true)) },
        MPDCommand("count", 1...most, .read) { session, words in try session.count(words) },
        MPDCommand("list", 1...most, .read) { session, words in try session.listTag(words) },
    ]
}

extension MPDSession {
    static let pageSize = 1_000
    static let mostSongs = 200_000

    /// Reads the episodes of a feed, or of all feeds, the newest first, until `page` returns false for a page.
    func scan(
        _ feed: FeedID?, isStarred: Bool = false, page: @escaping (MPDSession, [Episode]) throws -> Bool,
        end: @escaping (MPDSession) throws -> Void
    ) {
        let query = ListEpisodes {
            $0.feed = feed?.label
            $0.isStarred = isStarred
        }
        scan(query, { $0 }, page: page, end: end)
    }

    /// Reads the pages of a list of episodes until `page` returns false for one.
    func scan<Paged: PagedCommand>(
        _ command: Paged, _ list: @escaping (Paged.Reply) -> EpisodeListReply,
        page: @escaping (MPDSession, [Episode]) throws -> Bool, end: @escaping (MPDSession) throws -> Void
    ) {
        var command = command
        command.page.limit = Self.pageSize
        ask(command) { [command] session, reply in
            let reply = list(reply)
            let wantsMore = try page(session, reply.episodes.map(\.episode))
            guard wantsMore, let next = reply.next, reply.hasAfter else { return try end(session) }
            var following = command
            following.page.after = next
            // The client reads this page before the daemon is asked for the next page.
            session.nextPage { [following] in $0.scan(following, list, page: page, end: end) }
        }
    }

    /// Collects at least the first `count` songs that a filter selects, or all.
    private func collect(
        _ filter: MPDFilter, foldsCase: Bool, upTo count: Int? = nil, done: @escaping (MPDSession, [MPDSong]) -> Void
    ) {
        let feed = filter.show.flatMap { service.library.feed(of: $0) }
        if case .folder? = filter.show, feed == nil { return done(self, []) }
        var songs: [MPDSong] = []
        scan(feed) { session, page in
            songs += page.map(session.service.library.song).filter { filter.matches($0, foldsCase: foldsCase) }
            if songs.count > Self.mostSongs { throw MPDError(.system, "more than \(Self.mostSongs) songs match") }
            return count.map { songs.count < $0 } ?? true
        } end: {
            done($0, songs)
        }
    }

    fileprivate func select(_ selection: MPDSelection, done: @escaping (MPDSession, ArraySlice<MPDSong>) -> Void) {
        let count = selection.sort == nil ? selection.window.end : nil
        collect(selection.filter, foldsCase: selection.foldsCase, upTo: count) { session, songs in
            done(session, selection.ordered(songs))
        }
    }

    fileprivate func list(_ selection: MPDSelection) { select(selection) { $0.write($1, $0.tagLines) } }

    fileprivate func add(_ selection: MPDSelection) throws(MPDError) {
        let index = try selection.position.flatMap(index(of:))
        select(selection) { $0.add($1, at: index) }
    }

    fileprivate func count(_ arguments: [String]) throws(MPDError) {
        var arguments = arguments
        let grouping = try MPDGrouping(takingFrom: &arguments)
        let filter = try MPDFilter(parsing: arguments, pairs: .equal)
        collect(filter, foldsCase: false) { session, songs in
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
            session.finish(answer)
        }
    }

    // MARK: list

    /// `list TAG [FILTER] [group TAG]…`; also the old `list album ARTIST`.
    fileprivate func listTag(_ arguments: [String]) throws(MPDError) {
        var rest = Array(arguments.dropFirst())
        let grouping = try MPDGrouping(takingFrom: &rest)
        let name = arguments[0]
        let tag = MPDTag(name: name)
        if tag == nil, !["file", "filename"].contains(name.lowercased()) {
            if MPDTag.isAbsent(name) { return finish() }
            throw .argument("Unknown tag type: \(name)")
        }
        if rest.count == 1, !rest[0].hasPrefix("(") {
            if tag != .album { throw .argument("should be \"Album\" for 3 arguments") }
            rest = ["artist", rest[0]]
        }
        let filter = try MPDFilter(parsing: rest, pairs: .equal)
        if filter == .all([]), let tag, tag.isOfShow, grouping.tags.allSatisfy(\.isOfShow) {
            return writeValues(shows, tag, grouping)
        }
        collect(filter, foldsCase: false) { $0.writeValues($1, tag, grouping) }
    }

    /// One song for each show: enough for tags that have the same value in all episodes of a show.
    private var shows: [MPDSong] {
        service.library.feeds.filter { $0.episodeCount > 0 }.map { feed in
            MPDSong(
                uri: "", title: "", show: SafeText.title(feed.title) ?? feed.id.label,
                author: SongLibrary.artist(of: feed), published: feed.subscribed)
        }
    }

    /// - Parameter tag: nil for URIs.
    private func writeValues(_ songs: [MPDSong], _ tag: MPDTag?, _ grouping: MPDGrouping) {
        let rows = songs.lazy.map { song in
            grouping.key(of: song) + [tag.map { song.value(of: $0) ?? "" } ?? song.uri]
        }
        let sorted = Set(rows).sorted { $0.lexicographicallyPrecedes($1) }
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
