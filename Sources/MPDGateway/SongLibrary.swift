internal import ControlProtocol
internal import PodcastModel

/// The daemon's feeds and queue as MPD's clients see them. A value without I/O.
struct SongLibrary {
    /// A place in the queue.
    struct Entry: Equatable {
        var id: Int64
        /// Nil for an entry whose episode is gone or not known yet.
        var song: MPDSong?
        var episode: EpisodeID?
    }

    private var shows: [FeedID: (folder: String, artist: String)] = [:]
    /// Feeds in the daemon's order.
    private(set) var feeds: [Feed] = []
    private(set) var entries: [Entry] = []
    /// The version of the queue at which each position got what it has.
    private var changed: [UInt32] = []
    /// Rises with each change of the queue; never 0.
    private(set) var version: UInt32 = 1

    // MARK: feeds

    /// - Returns: whether the shows or their numbers of episodes are others than before.
    @discardableResult
    mutating func update(feeds rows: [FeedReply]) -> Bool {
        let before = exchange(&feeds, with: rows.map(\.feed))
        shows = [:]
        let names = feeds.map { Self.folder(titled: $0.title) ?? $0.id.label }
        let counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for (feed, name) in zip(feeds, names) {
            let folder = counts[name] == 1 ? name : "\(name) (\(feed.id.label))"
            shows[feed.id] = (folder, Self.artist(of: feed))
        }
        return !before.elementsEqual(feeds) {
            $0.id == $1.id && $0.title == $1.title && $0.author == $1.author && $0.episodeCount == $1.episodeCount
        }
    }

    private static func folder(titled title: String) -> String? {
        guard var name = SafeText.title(title) else { return nil }
        name = String(name.map { $0 == "/" ? "-" : $0 })
        return name == "." || name == ".." ? nil : name
    }

    func feed(inFolder folder: String) -> FeedID? { feeds.first { shows[$0.id]?.folder == folder }?.id }
    func folder(of feed: FeedID) -> String { shows[feed]?.folder ?? feed.label }

    /// The feed that all songs of a filter are of; nil if there may be several.
    func feed(of show: MPDFilter.Show) -> FeedID? {
        switch show {
        case .folder(let folder): feed(inFolder: folder)
        case .titled(let title): only { $0.title == title }
        case .by(let author): only { Self.artist(of: $0) == author }
        }
    }

    private func only(_ isWanted: (Feed) -> Bool) -> FeedID? {
        let found = feeds.lazy.filter(isWanted).prefix(2)
        return found.count == 1 ? found.first?.id : nil
    }

    static func artist(of feed: Feed) -> String {
        feed.author.flatMap { SafeText.title($0) } ?? SafeText.title(feed.title) ?? feed.id.label
    }

    // MARK: songs

    func song(_ episode: Episode) -> MPDSong {
        let folder = shows[episode.feed]?.folder ?? Self.folder(titled: episode.feedTitle) ?? episode.feed.label
        return MPDSong(
            // Clients choose icons by the ending.
            uri: "\(folder)/\(episode.id.label).\(MediaName.ending(ofURL: episode.enclosure.url) ?? "mp3")",
            title: episode.title, show: SafeText.title(episode.feedTitle) ?? folder,
            author: shows[episode.feed]?.artist, number: episode.number, published: episode.published,
            note: episode.state.note, duration: episode.duration)
    }

    /// The episode of a song's URI: its id is in the last part, so that a show may change its title.
    static func episode(of uri: String) -> EpisodeID? {
        guard let slash = uri.lastIndex(of: "/") else { return nil }
        let name = uri[uri.index(after: slash)...].prefix { $0 != "." }
        guard name.first == "e", let number = Int64(name.dropFirst()), number > 0 else { return nil }
        return EpisodeID(number)
    }

    // MARK: queue

    /// - Returns: whether anything changed.
    @discardableResult
    mutating func update(entries rows: [EntryReply]) -> Bool {
        let new = rows.map { row in
            Entry(id: row.id.rawValue, song: row.episode.map { song($0.episode) }, episode: row.episode?.episode.id)
        }
        if new == entries { return false }
        version = version == .max ? 1 : version + 1
        changed = new.indices.map { index in
            index < entries.count && entries[index] == new[index] ? changed[index] : version
        }
        entries = new
        return true
    }

    /// Positions that changed after a version of the queue; all if that version is unknown.
    func positions(changedAfter known: UInt32) -> [Int] {
        known > version ? Array(entries.indices) : entries.indices.filter { changed[$0] > known }
    }

    func position(ofEntry id: Int) -> Int? { entries.firstIndex { $0.id == Int64(id) } }

    /// Writes the lines of a song in the queue.
    func write(_ position: Int, _ tags: MPDTagSet, to answer: inout MPDAnswer) {
        let entry = entries[position]
        if let song = entry.song { song.write(tags, to: &answer) } else { answer.add("file", "unknown/e0") }
        answer.add("Pos", position)
        answer.add("Id", entry.id)
    }
}
