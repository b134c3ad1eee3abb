internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

struct HistoryWatch: Equatable {
    /// Lines to read at a time.
    static let limit = 20
    private var known: Set<String>?
    private var newest = Timestamp(milliseconds: .min)

    /// Returns the episodes that were played to their end since the last call, the oldest first; none for the first call.
    mutating func update(_ lines: [HeardReply]) -> [HeardReply] {
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

struct NewEpisodeWatch: Equatable {
    /// What to read after a report.
    enum Reading: Equatable {
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

    /// Returns which of the episodes are new, in the order in which they were stored; none for the first call.
    mutating func update(_ rows: [EpisodeReply], at now: Instant) -> [EpisodeReply] {
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

struct DownloadWatch: Equatable {
    /// Rows to read at a time.
    static let limit = 1000
    typealias Ended = (event: HookEvent, row: DownloadReply)

    private var states: [EpisodeID: DownloadReply.State]?

    /// Returns the downloads that have ended since the last call; none for the first call.
    ///
    /// - Parameter changed: the episodes that a report names; nil if the report names none.
    mutating func update(_ rows: [DownloadReply], changed: [EpisodeID]?) -> [Ended] {
        let found = Dictionary(rows.map { ($0.episode, $0) }) { first, _ in first }
        guard var states else {
            states = found.mapValues(\.state)
            return []
        }
        var ended: [Ended] = []
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

struct OutputWatch: Equatable {
    private struct Usability: Equatable {
        var isEnabled: Bool
        var hasFailed: Bool
    }

    private var known: [String: Usability] = [:]

    /// Returns the outputs that have become usable or unusable since the last call, or were unusable when first seen.
    mutating func update(_ outputs: [OutputReply]) -> [OutputReply] {
        let now = outputs.map { ($0.name, Usability(isEnabled: $0.isEnabled, hasFailed: $0.phase == .failed)) }
        defer { known = Dictionary(now) { first, _ in first } }
        return zip(outputs, now).filter { output, now in
            known[output.name] ?? Usability(isEnabled: output.isEnabled, hasFailed: false) != now.1
        }.map(\.0)
    }
}

/// Which events the states of the player mean. States that come and go between two reports are missed.
struct PlayerWatch: Equatable {
    private var last: PlayerReply?
    /// The last report's episode.
    var episode: PlayerReply.PlayingEpisode? { last?.episode }
    /// The entry that was heard since playback began.
    private var heard: EntryID?
    private var isPaused = false

    /// Whether the last report has left an entry, so that the history may have a new line.
    private(set) var hasLeftEntry = false

    /// Handles a report. The first report only sets the state. Ignores announcements, and the player while it looks for its next
    /// episode: until then the previous episode remains the current one.
    mutating func update(_ player: PlayerReply) -> [HookEvent] {
        hasLeftEntry = false
        guard player.announcement == nil, player.state == .stopped || player.episode != nil else { return [] }
        defer { last = player }
        let entry = player.episode?.entry
        guard let last else {
            heard = player.state == .stopped ? nil : entry
            isPaused = player.state == .paused
            return []
        }
        hasLeftEntry = last.state != .stopped && (player.state == .stopped || last.episode?.entry != entry)
        var events: [HookEvent] = []
        if last.sleep != nil && player.sleep == nil && player.state == .paused && last.state != .paused {
            events.append(.sleepTimerEnded)
        }
        switch player.state {
        case .playing:
            if heard != entry { events.append(.episodeStarted) } else if isPaused { events.append(.resumed) }
            heard = entry
            isPaused = false
        case .paused:
            if !isPaused && heard != nil { events.append(.paused) }
            isPaused = true
        case .stopped:
            if last.state != .stopped { events.append(.stopped) }
            heard = nil
            isPaused = false
        case .loading, .buffering: break
        }
        return events
    }
}
