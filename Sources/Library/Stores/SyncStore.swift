public import PodcastModel
internal import SQLite

/// The place of a row among the changes.
public struct ChangeKey: Equatable, Sendable {
    var revision: Int64
    var isWaiting: Bool
    var row: Int64

    init(revision: Int64, isWaiting: Bool, row: Int64) {
        (self.revision, self.isWaiting, self.row) = (revision, isWaiting, row)
    }

    /// Parses what `LibraryChanges.after` has.
    public init?(parsing text: String) {
        let numbers = text.split(separator: ":").compactMap { Int64($0) }
        guard numbers.count == 3 else { return nil }
        self.init(revision: numbers[0], isWaiting: numbers[1] != 0, row: numbers[2])
    }

    var text: String { "\(revision):\(isWaiting ? 1 : 0):\(row)" }
}

/// Synchronization with other devices of the listener.
public struct SyncStore: LibraryPart {
    let library: LibraryStore

    /// In seconds. Another process may commit a change this long after its revision, so the last changes are reported twice.
    private static let overlap: Int64 = 10

    /// When the listener brought an episode `e` into its state; 0 if that is not known. For `playback p` and `undone_state u`.
    static let stateTime: SQL = "max(\(lastAct), coalesce(u.time, 0))"
    /// Whether that was by an undo.
    static let isUndone: SQL = "coalesce(u.time, 0) > \(lastAct)"
    private static let lastAct: SQL = "max(coalesce(p.last_played, 0), coalesce(p.marked, 0))"

    // MARK: What has changed

    /// Episodes that have changed after a revision; a revision of 0 is the beginning. Episodes that no refresh has brought yet are
    /// listed, too.
    /// - Parameters:
    ///   - key: of the last row of the page before; nil for a first page.
    ///   - limit: maximum number of episodes. Fewer mean that there are no more.
    public func changes(
        since: Int64, after key: ChangeKey?, limit: Int, at now: Timestamp
    ) throws(LibraryError) -> LibraryChanges {
        let key = key ?? ChangeKey(revision: since, isWaiting: true, row: .max)
        func isAfter(_ revision: String, _ row: String, isWaiting: Bool) -> SQL {
            """
            \(raw: revision) >= \(key.revision)
              AND (\(raw: revision), \(isWaiting), \(raw: row)) > (\(key.revision), \(key.isWaiting), \(key.row))
            """
        }
        return try read {
            var changes = LibraryChanges()
            changes.revision = now.seconds - Self.overlap
            changes.latest = try latest()
            changes.episodes = try connection.all(
                """
                SELECT * FROM (
                  SELECT c.revision AS revision, 0 AS is_waiting, e.id AS row, iif(f.kind = \(literal: FeedKind.subscribed), f.url, NULL) AS feed_url,
                    e.guid, e.url, e.title, coalesce(e.measured_duration, e.duration) AS duration,
                    e.section = \(literal: Section.played) AS played, coalesce(p.position, 0) AS position,
                    \(Self.stateTime) AS time, \(Self.isUndone) AS undone
                  FROM state_change c JOIN episode e ON e.id = c.episode
                    JOIN feed f ON f.id = e.feed AND f.kind <> \(literal: FeedKind.hidden) AND e.id <= f.last_episode
                    LEFT JOIN playback p ON p.episode = e.id LEFT JOIN undone_state u ON u.episode = e.id
                  WHERE \(isAfter("c.revision", "c.episode", isWaiting: false)) ORDER BY c.revision, c.episode LIMIT \(limit))
                UNION ALL
                SELECT * FROM (
                  SELECT i.revision AS revision, 1 AS is_waiting, i.id AS row, f.url AS feed_url, i.guid, i.url, coalesce(i.title, i.url) AS title,
                    i.duration, i.played, i.position,
                    max(coalesce(i.last_played, 0), coalesce(i.marked, 0)) AS time, 0 AS undone
                  FROM imported_episode i JOIN feed f ON f.id = i.feed AND f.kind = \(literal: FeedKind.subscribed)
                  WHERE \(isAfter("i.revision", "i.id", isWaiting: true)) ORDER BY i.revision, i.id LIMIT \(limit))
                ORDER BY revision, is_waiting, row LIMIT \(limit)
                """
            ) { row in
                var change = EpisodeChange()
                let key = ChangeKey(revision: row["revision"], isWaiting: row["is_waiting"], row: row["row"])
                change.id = key.isWaiting ? nil : EpisodeID(key.row)
                (change.feed, change.guid) = (row["feed_url"], row["guid"])
                (change.url, change.title, change.duration) = (row["url"], row["title"], row["duration"])
                (change.position, change.isPlayed) = (row["position"], row["played"])
                (change.revision, change.key) = (key.revision, key.text)
                (change.time, change.isUndone) = (row["time"], row["undone"])
                // Of what was undone before the time of an undo was kept, only the revision says when.
                if change.time.milliseconds == 0 { change.time = Timestamp(seconds: key.revision) }
                return change
            }
            changes.hasAfter = changes.episodes.count == limit
            return changes
        }
    }

    /// Feeds that were added or removed after a revision, by their addresses; a revision of 0 lists the subscribed ones.
    /// - Parameter url: the address of the last row of the page before.
    public func subscriptions(
        since: Int64, after url: String?, limit: Int
    ) throws(LibraryError) -> [SubscriptionChange] {
        try read {
            try connection.all(
                """
                SELECT url, is_subscribed, revision FROM subscription_change
                WHERE revision > \(since) AND (is_subscribed OR \(since) > 0) AND url > \(url ?? "") ORDER BY url LIMIT \(limit)
                """
            ) { row in
                var change = SubscriptionChange()
                (change.url, change.isSubscribed, change.revision) = (row["url"], row["is_subscribed"], row["revision"])
                return change
            }
        }
    }

    /// Never falls unless the library is replaced by an older one: changes of feeds outlive their episodes.
    private func latest() throws -> Int64 {
        let last: Int64? = try connection.value(
            """
            SELECT max((SELECT max(time) FROM last_act), coalesce((SELECT max(revision) FROM subscription_change), 0), coalesce((
              SELECT c.revision FROM state_change c JOIN episode e ON e.id = c.episode
                JOIN feed f ON f.id = e.feed AND f.kind = \(literal: FeedKind.subscribed)
              ORDER BY c.revision DESC LIMIT 1), 0))
            """)
        return max(1, (last ?? 0) - Self.overlap)
    }

    // MARK: What devices did

    /// Applies what a device did to the episodes of subscribed feeds. Of an episode's states the later one stays, and the history has
    /// the replaced one. What a device reports again and again is one step of undo.
    /// - Parameters:
    ///   - busy: an episode that plays here, which stays as it is.
    ///   - isTrial: whether to count only.
    /// - Returns: numbers of episodes, the number of acts on feeds that are not subscribed, and of a trial a line for each of the
    ///   first episodes that would change.
    public func record(
        _ acts: [DeviceAct], of device: String, except busy: EpisodeID? = nil, isTrial: Bool = false, at now: Timestamp
    ) throws(LibraryError) -> (counts: EpisodeImportCounts, unknown: Int, details: [String]) {
        var (counts, unknown, details) = (EpisodeImportCounts(), 0, [String]())
        let feeds = Dictionary(grouping: acts, by: \.feed)
        let apply = { () throws(LibraryError) in
            for (url, acts) in feeds.sorted(by: { $0.key < $1.key }) {
                guard let feed = try feed(url, of: acts) else {
                    unknown += acts.count
                    continue
                }
                let episodes = Self.latest(acts, at: now)
                let take = { () throws(LibraryError) in
                    try library.imports.importEpisodes(episodes, of: feed, queueStart: 0, except: busy)
                }
                counts += try isTrial ? library.trying { try changed(of: feed, by: take, &details) } : take()
            }
        }
        if isTrial {
            try apply()
        } else {
            let step = try write(.relaxed) { try library.history.report(of: device, on: nil, at: now) }
            try library.history.act(.synced, title: device, at: now, continuing: step, apply)
        }
        return (counts, unknown, details)
    }

    /// - Parameter details: receives a line for each episode that another state replaces.
    private func changed(
        of feed: FeedID, by take: () throws(LibraryError) -> EpisodeImportCounts, _ details: inout [String]
    ) throws -> EpisodeImportCounts {
        let states = { () throws in
            try connection.all(
                """
                SELECT e.id, e.title, iif(e.section = \(literal: Section.played), NULL, coalesce(p.position, 0)) AS position
                FROM episode e LEFT JOIN playback p ON p.episode = e.id WHERE e.feed = \(feed) ORDER BY e.id
                """
            ) { ($0["id"] as Int64, $0["title"] as String, ($0["position"] as MediaTime?)?.description ?? "played") }
        }
        if details.count >= SyncAccount.mostDetails { return try take() }
        let before = try states()
        let counts = try take()
        for (old, new) in zip(before, try states()) where old.2 != new.2 && details.count < SyncAccount.mostDetails {
            details.append("\(new.1): \(old.2) becomes \(new.2)")
        }
        return counts
    }

    /// Sets where one episode was heard to, unless it was heard or marked later. What a device reports of an episode again and again
    /// is one step of undo, and the history has the position before the first report.
    /// - Parameters:
    ///   - isPlayed: whether the episode was heard to its end.
    ///   - device: nil for what was set here.
    ///   - time: when it was heard.
    /// - Returns: whether the episode was changed.
    public func setPosition(
        _ position: MediaTime, isPlayed: Bool, of id: EpisodeID, device: String?, heard time: Timestamp,
        at now: Timestamp
    ) throws(LibraryError) -> Bool {
        var state = PortableEpisode(EpisodeIdentity(url: ""))
        state.lastPlayed = min(time, now)
        (state.isPlayed, state.marked) = (isPlayed, isPlayed ? state.lastPlayed : nil)
        state.position = isPlayed ? .zero : position
        return try write(device == nil ? .synced : .relaxed) {
            let step = try device.flatMap { try library.history.report(of: $0, on: id, at: now) }
            return try library.history.recording(
                device == nil ? .seek : .synced, title: device, at: now, continuing: step
            ) {
                try library.imports.apply(state, to: id).found > 0
            }
        }
    }

    /// The feed with this URL, or else the feed of the first episode that is known by its URL.
    func feed(_ url: String, of acts: [DeviceAct] = []) throws(LibraryError) -> FeedID? {
        try read {
            if let known = try library.feeds.id(url: url) { return known }
            for act in acts.prefix(10) {
                if let episode = try library.episodes.stored(url: act.url, limit: 1).first { return episode.feed }
            }
            return nil
        }
    }

    /// The state of each episode after its last act.
    private static func latest(_ acts: [DeviceAct], at now: Timestamp) -> [PortableEpisode] {
        var states: [String: (time: Timestamp, state: PortableEpisode)] = [:]
        for act in acts {
            guard let state = state(after: act, at: now) else { continue }
            let key = act.guid ?? act.url
            if let known = states[key], known.time > act.time { continue }
            states[key] = (act.time, state)
        }
        return states.values.sorted { $0.time < $1.time }.map(\.state)
    }

    /// Nil for an act that changes no state.
    private static func state(after act: DeviceAct, at now: Timestamp) -> PortableEpisode? {
        var state = PortableEpisode(
            EpisodeIdentity(guid: act.guid, url: act.url, title: act.title, duration: act.total))
        // A clock that is ahead must not win over everything that is done here later.
        let time = min(act.time, now)
        switch act.kind {
        case .download, .delete: return nil
        case .new: state.marked = time
        case .play:
            guard let position = act.position else { return nil }
            (state.lastPlayed, state.isPlayed) = (time, act.isPlayed ?? act.isEnd)
            if act.isEnd { state.marked = time } else { state.position = max(.zero, position) }
        }
        return state
    }
}
