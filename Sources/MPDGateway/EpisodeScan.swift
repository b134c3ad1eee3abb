internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

extension MPDSession {
    private static let pageSize = 1_000

    /// Reads the episodes of a feed, or of all feeds, page by page, the newest first.
    ///
    /// - Parameters:
    ///   - feed: nil for all.
    ///   - page: gets each page; returns false when it needs no more.
    ///   - end: called after the last page.
    func scan(
        _ feed: FeedID?, after: String? = nil, page: @escaping ([MPDSong]) throws(MPDError) -> Bool,
        end: @escaping () -> Void
    ) {
        ask(
            ListEpisodes {
                $0.feed = feed?.label
                $0.page.limit = Self.pageSize
                $0.page.after = after
            }
        ) { [weak self] (reply) throws(MPDError) in
            guard let self else { return }
            let wantsMore = try page(reply.episodes.map { service.library.song($0.episode) })
            guard wantsMore, let next = reply.next, reply.hasAfter else { return end() }
            // Before the next page the client reads this one.
            nextPage { [weak self] in self?.scan(feed, after: next, page: page, end: end) }
        }
    }

    /// Collects the songs that a filter selects, and calls `done` with them.
    ///
    /// - Parameter isEnough: whether no more are needed.
    func collect(
        _ filter: MPDFilter, foldsCase: Bool, isEnough: @escaping (Int) -> Bool = { _ in false },
        done: @escaping ([MPDSong]) throws(MPDError) -> Void
    ) {
        let show = filter.show
        let feed = show.flatMap { service.library.feed(of: $0) }
        if case .folder? = show, feed == nil { return finishing { () throws(MPDError) in try done([]) } }
        var songs: [MPDSong] = []
        scan(feed) { (page) throws(MPDError) in
            songs += page.filter { filter.matches($0, foldsCase: foldsCase) }
            if songs.count > Self.mostSongs { throw MPDError(.system, "more than \(Self.mostSongs) songs match") }
            return !isEnough(songs.count)
        } end: { [weak self] in
            self?.finishing { () throws(MPDError) in try done(songs) }
        }
    }

    private static let mostSongs = 200_000

    private func finishing(_ body: () throws(MPDError) -> Void) {
        do throws(MPDError) {
            try body()
        } catch {
            finish(.failure(error))
        }
    }

    func write(_ songs: ArraySlice<MPDSong>) {
        let tags = tags
        write(songs) { song, answer in song.write(tags, to: &answer) }
    }
}
