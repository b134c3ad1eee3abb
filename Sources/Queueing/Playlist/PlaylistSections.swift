public import Library
public import PodcastModel

/// A section of the list that clients show, in the order of the cases.
public enum PlaylistSection: String, CaseIterable, Sendable {
    case nowPlaying
    case upNext
    case inProgress
    /// Unplayed episodes that came after subscribing, and the newest one at that time.
    case new
    /// Episodes played to the end or marked as played.
    case played

    /// Heading for people.
    public var title: String {
        switch self {
        case .nowPlaying: "Now playing"
        case .upNext: "Up next"
        case .inProgress: "In progress"
        case .new: "New"
        case .played: "Played"
        }
    }

    public init?(named name: String) {
        guard let section = Self.allCases.first(where: { $0.rawValue == name || $0.title == name }) else { return nil }
        self = section
    }

    /// True if rows are queue entries; rows of other sections are episodes of the library.
    var isQueue: Bool { self == .nowPlaying || self == .upNext }

    /// The library filter of this section, combined with another. Nil if nothing can match, and for queue sections.
    func narrowed(_ filter: EpisodeFilter) -> EpisodeFilter? {
        let isPlayed: Bool
        let isInProgress: Bool
        switch self {
        case .nowPlaying, .upNext: return nil
        case .inProgress: (isPlayed, isInProgress) = (false, true)
        case .new: return filter.narrowedToNew()
        case .played: (isPlayed, isInProgress) = (true, false)
        }
        if filter.isPlayed ?? isPlayed != isPlayed || filter.isInProgress ?? isInProgress != isInProgress { return nil }
        var narrowed = filter
        narrowed.isPlayed = isPlayed
        narrowed.isInProgress = isInProgress
        return narrowed
    }
}

/// A row of a section: an episode, and its queue entry in the queue's sections.
public struct PlaylistRow: Equatable, Sendable {
    public var episode: Episode
    public var entry: EntryID?
    public init(episode: Episode, entry: EntryID? = nil) {
        self.episode = episode
        self.entry = entry
    }

    public var key: PlaylistKey {
        if let entry { return .entry(entry) }
        return .episode(EpisodeKey(published: episode.published, id: episode.id))
    }
}

/// Identifies a row in a section.
public enum PlaylistKey: Hashable, Sendable {
    case entry(EntryID)
    case episode(EpisodeKey)
}

/// Range of rows to return.
public enum PlaylistAnchor: Hashable, Sendable {
    case first
    case last
    case after(PlaylistKey)
    case before(PlaylistKey)
}

/// A page of rows, in the order of their section.
public struct PlaylistPage: Equatable, Sendable {
    public var rows: [PlaylistRow]
    public var hasBefore: Bool
    public var hasAfter: Bool
    /// The last row examined, if the search stopped before the page was full.
    public var resumption: PlaylistKey?
    public init(
        rows: [PlaylistRow] = [], hasBefore: Bool = false, hasAfter: Bool = false, resumption: PlaylistKey? = nil
    ) {
        self.rows = rows
        self.hasBefore = hasBefore
        self.hasAfter = hasAfter
        self.resumption = resumption
    }
}

/// What sections ask of the library; see `EpisodeStore`.
public protocol SectionEpisodes {
    func episodes(_ ids: [EpisodeID]) throws(LibraryError) -> [Episode]
    func page(
        _ filter: EpisodeFilter, order: EpisodeOrder, at anchor: PageAnchor, limit: Int
    ) throws(LibraryError) -> EpisodePage
    func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount
    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID]
}

extension EpisodeStore: SectionEpisodes {}

/// The queue and the library as one filtered list with sections.
///
/// Holds no rows: every call queries the store and the shared queue. A queued episode appears in the library's sections
/// too, so that sections are complete and counts exact. Use on the store's thread.
public struct PlaylistSections {
    private let episodes: any SectionEpisodes
    private let queue: QueueModel
    private let filter: EpisodeFilter

    public init(episodes: any SectionEpisodes, queue: QueueModel, filter: EpisodeFilter = EpisodeFilter()) {
        self.episodes = episodes
        self.queue = queue
        self.filter = filter
    }

    /// Number of rows of a section, counted up to a limit where the store has no counter.
    public func count(_ section: PlaylistSection, upTo bound: Int) throws(LibraryError) -> RowCount {
        if section.isQueue { return .exactly(try entries(of: section).count) }
        guard let narrowed = section.narrowed(filter) else { return .exactly(0) }
        return try episodes.count(narrowed, upTo: bound)
    }

    /// A page of a section; `limit` is 1 to 1000. In the queue's sections, an unknown key gives an empty page.
    public func page(
        _ section: PlaylistSection, order: EpisodeOrder = .newestFirst, at anchor: PlaylistAnchor, limit: Int
    ) throws(LibraryError) -> PlaylistPage {
        if section.isQueue { return try queuePage(section, at: anchor, limit: limit) }
        guard let narrowed = section.narrowed(filter), let place = PageAnchor(anchor) else { return PlaylistPage() }
        let page = try episodes.page(narrowed, order: order, at: place, limit: limit)
        return PlaylistPage(
            rows: page.episodes.map { PlaylistRow(episode: $0) }, hasBefore: page.hasBefore, hasAfter: page.hasAfter,
            resumption: page.resumption.map(PlaylistKey.episode))
    }

    private func queuePage(
        _ section: PlaylistSection, at anchor: PlaylistAnchor, limit: Int
    ) throws(LibraryError) -> PlaylistPage {
        let entries = try entries(of: section)
        let limit = min(max(limit, 1), 1000)
        let range: Range<Int>
        switch anchor {
        case .first: range = 0..<min(limit, entries.count)
        case .last: range = max(0, entries.count - limit)..<entries.count
        case .after(let key):
            guard let index = entries.firstIndex(where: { .entry($0.id) == key }) else { return PlaylistPage() }
            range = (index + 1)..<min(index + 1 + limit, entries.count)
        case .before(let key):
            guard let index = entries.firstIndex(where: { .entry($0.id) == key }) else { return PlaylistPage() }
            range = max(0, index - limit)..<index
        }
        let shown = entries[range]
        let found = try episodes.episodes(shown.map(\.episode))
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        let rows = shown.compactMap { entry in
            byID[entry.episode].map { PlaylistRow(episode: $0, entry: entry.id) }
        }
        return PlaylistPage(rows: rows, hasBefore: range.lowerBound > 0, hasAfter: range.upperBound < entries.count)
    }

    private func entries(of section: PlaylistSection) throws(LibraryError) -> [QueueEntry] {
        let all: [QueueEntry]
        switch section {
        case .nowPlaying: all = queue.currentEntry.map { [$0] } ?? []
        case .upNext: all = Array(queue.entries[queue.nextIndex...])
        case .inProgress, .new, .played: all = []
        }
        if filter == EpisodeFilter() || all.isEmpty { return all }
        let fitting = Set(try episodes.matching(filter, among: all.map(\.episode)))
        return all.filter { fitting.contains($0.episode) }
    }
}

extension PageAnchor {
    /// Nil for a queue entry, which has no place in the library.
    fileprivate init?(_ anchor: PlaylistAnchor) {
        switch anchor {
        case .first: self = .first
        case .last: self = .last
        case .after(.episode(let key)): self = .after(key)
        case .before(.episode(let key)): self = .before(key)
        case .after(.entry), .before(.entry): return nil
        }
    }
}
