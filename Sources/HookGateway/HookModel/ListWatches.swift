internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// Which lines of the history are new.
struct HistoryWatch: Equatable, Sendable {
    /// Lines to read at a time.
    static let limit = 20
    private var known: Set<String>?
    private var newest = Timestamp(milliseconds: .min)

    /// Takes the latest lines. The first ones are only the beginning.
    ///
    /// - Returns: episodes that were played to their end since the last time, the oldest first.
    mutating func take(_ lines: [HeardReply]) -> [HeardReply] {
        defer {
            known = Set(lines.compactMap(\.key))
            newest = lines.reduce(newest) { max($0, $1.record.time) }
        }
        guard let known else { return [] }
        // Undoing removes lines, and older ones become visible again.
        return lines.filter { line in
            line.record.event == .played && line.record.time >= newest && line.key.map { !known.contains($0) } ?? false
        }.reversed()
    }
}

/// Which episodes are new.
struct NewEpisodeWatch: Equatable, Sendable {
    /// What to read after a report.
    enum Reading: Equatable, Sendable {
        case nothing
        case episodes([EpisodeID])
        /// The newest episodes, because it is not known which ones changed.
        case newest
    }

    /// The newest episodes to read at a time.
    static let limit = 200
    /// Reading the newest episodes costs less than reading more single ones.
    private static let mostSingle = 20
    /// The episodes that a feed has when it is subscribed to are stored within this time.
    private static let settling = Duration.seconds(60)

    private var feeds: [FeedID: Instant] = [:]
    private var highest: Int64?

    /// Learns the feeds after connecting. Those of the first connection were subscribed to before.
    mutating func learn(_ ids: [FeedID], at now: Instant) {
        for id in ids where feeds[id] == nil { feeds[id] = highest == nil ? .distantPast : now }
    }

    func reading(after change: EventReply) -> Reading {
        guard let highest else { return .nothing }
        if change.needsReload == true { return .newest }
        let ids = change.changes.compactMap(\.id).filter { $0 > highest }
        if ids.isEmpty { return .nothing }
        return ids.count > Self.mostSingle ? .newest : .episodes(ids.map { EpisodeID($0) })
    }

    /// Takes episodes that were read. The first ones are only the beginning.
    ///
    /// - Returns: those that are new, in the order in which they were stored.
    mutating func take(_ rows: [EpisodeReply], at now: Instant) -> [EpisodeReply] {
        let known = highest
        highest = rows.reduce(highest ?? 0) { max($0, $1.episode.id.rawValue) }
        guard let known else { return [] }
        let added = rows.filter { $0.episode.id.rawValue > known }.sorted { $0.episode.id < $1.episode.id }
        learn(added.map(\.episode.feed), at: now)
        return added.filter { row in
            let episode = row.episode
            return episode.feedTitle != Feed.singleFilesTitle && episode.state.hiddenReason == nil
                && now - (feeds[episode.feed] ?? now) > Self.settling
        }
    }
}

/// Which downloads have ended.
struct DownloadWatch: Equatable, Sendable {
    /// Rows to read at a time.
    static let limit = 1000
    private var states: [EpisodeID: DownloadReply.State]?

    /// Takes rows of the list. The first ones are only the beginning.
    ///
    /// - Parameter changed: the episodes that a report names; nil if it does not say which.
    /// - Returns: the downloads that have ended since the last time, with the event that this is.
    mutating func take(_ rows: [DownloadReply], changed: [EpisodeID]?) -> [(
        event: HookEvent, row: DownloadReply
    )] {
        let found = Dictionary(rows.map { ($0.episode, $0) }) { first, _ in first }
        guard var states else {
            states = found.mapValues(\.state)
            return []
        }
        var ended: [(HookEvent, DownloadReply)] = []
        for id in changed ?? rows.map(\.episode) {
            let row = found[id]
            if let row, states[id] != row.state {
                if row.state == .downloaded { ended.append((.downloadFinished, row)) }
                if row.state == .failed { ended.append((.downloadFailed, row)) }
            }
            states[id] = row?.state
        }
        self.states = states
        return ended
    }
}
