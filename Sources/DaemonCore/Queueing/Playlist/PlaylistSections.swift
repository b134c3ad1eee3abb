import Library
import PodcastModel

/// A section of the list that clients show, in the order of the cases.
enum PlaylistSection: String, CaseIterable, Sendable {
    case nowPlaying, upNext, inProgress
    /// Unplayed episodes that came after subscribing, and the newest one at that time.
    case new
    /// Episodes played to the end or marked as played.
    case played

    /// Heading for people.
    var title: String {
        switch self {
        case .nowPlaying: "Now playing"
        case .upNext: "Up next"
        case .inProgress: "In progress"
        case .new: "New"
        case .played: "Played"
        }
    }

    init?(named name: String) {
        guard let section = Self.allCases.first(where: { $0.rawValue == name || $0.title == name }) else { return nil }
        self = section
    }

    /// True if rows are queue entries; rows of other sections are episodes of the library.
    var isQueue: Bool { self == .nowPlaying || self == .upNext }

    /// The order of a section that is not of the queue.
    var order: EpisodeOrder { self == .inProgress ? .lastHeardFirst : .newestFirst }

    /// The library filter of this section, combined with another. Nil if nothing can match, and for queue sections.
    func narrowed(_ filter: EpisodeFilter) -> EpisodeFilter? {
        let isPlayed: Bool
        let isInProgress: Bool
        switch self {
        case .nowPlaying, .upNext: return nil
        case .inProgress:
            isPlayed = false
            isInProgress = true
        case .new: return filter.narrowedToNew()
        case .played:
            isPlayed = true
            isInProgress = false
        }
        if filter.isPlayed ?? isPlayed != isPlayed || filter.isInProgress ?? isInProgress != isInProgress { return nil }
        var narrowed = filter
        narrowed.isPlayed = isPlayed
        narrowed.isInProgress = isInProgress
        return narrowed
    }
}

/// What sections ask of the library; see `EpisodeStore`.
protocol SectionEpisodes {
    func count(_ filter: EpisodeFilter, upTo bound: Int) throws(LibraryError) -> RowCount
    func matching(_ filter: EpisodeFilter, among ids: [EpisodeID]) throws(LibraryError) -> [EpisodeID]
}

extension EpisodeStore: SectionEpisodes {}

/// The queue and the library as one filtered list with sections.
///
/// Holds no rows: every call queries the store and the shared queue. A queued episode appears in the library's sections
/// too, so that sections are complete and counts exact. Use on the store's thread.
struct PlaylistSections {
    let episodes: any SectionEpisodes
    let queue: QueueModel
    var filter = EpisodeFilter()

    /// Number of rows of a section, counted up to a limit where the store has no counter.
    func count(_ section: PlaylistSection, upTo bound: Int) throws(LibraryError) -> RowCount {
        if section.isQueue { return .exactly(try entries(of: section).count) }
        guard let narrowed = section.narrowed(filter) else { return .exactly(0) }
        return try episodes.count(narrowed, upTo: bound)
    }

    func entries(of section: PlaylistSection) throws(LibraryError) -> [QueueEntry] {
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
