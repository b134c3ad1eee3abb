internal import SQLite
public import PodcastModel

/// A page of the log of changes.
public struct LibraryChangePage: Equatable, Sendable {
    /// In ascending order of their revisions.
    public var changes: [LibraryChange] = []
    /// The `since` of the next page.
    public var revision: Int64 = 0
    /// The last revision. It decreases only if an older library replaces this one.
    public var latest: Int64 = 0
    public var hasMore = false

    public init() {}
}

/// Key of a row of the log.
struct ChangedSubject: Sendable {
    /// `name` of the playback of an imported episode that no refresh has found yet.
    static let waiting = "waiting"

    var kind: LibraryChange.Kind
    /// An episode, a feed or, with the name `waiting`, an imported episode; 0 for none.
    var owner: Int64 = 0
    /// The feed's address, tag, setting, playlist or text of the rule; the creation time of a bookmark in milliseconds; the copy of a
    /// queue entry.
    var name = ""
}

/// The log of the user's changes, for the user's other podcastds and devices.
public struct ChangeStore: LibraryPart {
    let library: LibraryStore

    /// A page ends after this many bytes of text.
    private static let pageBytes = 300_000

    /// Returns the last change of each subject that changed after a revision.
    /// - Parameters:
    ///   - last: the last revision to include.
    ///   - kinds: the kinds of changes to include; nil for all.
    ///   - limit: maximum number of changes.
    public func page(
        since: Int64, through last: Int64 = .max, kinds: [LibraryChange.Kind]? = nil, limit: Int
    ) throws(LibraryError) -> LibraryChangePage {
        try read {
            var page = LibraryChangePage()
            page.latest = try revision()
            page.revision = min(last, page.latest)
            let names = kinds.map { " \($0.map(\.rawValue).joined(separator: " ")) " }
            let rows = try connection.all(
                """
                SELECT * FROM library_change WHERE revision > \(since) AND revision <= \(last)
                  AND (\(names) IS NULL OR instr(\(names), ' ' || kind || ' ')) ORDER BY revision LIMIT \(limit + 1)
                """
            ) { row in
                (
                    subject: LibraryChange.Kind(rawValue: row["kind"]).map {
                        ChangedSubject(kind: $0, owner: row["owner"], name: row["name"])
                    },
                    revision: row["revision"] as Int64, time: row["time"] as Timestamp, device: row["device"] as String
                )
            }
            var bytes = 0
            for (index, row) in rows.enumerated() {
                if index == limit || bytes > Self.pageBytes {
                    page.revision = rows[index - 1].revision
                    page.hasMore = true
                    break
                }
                guard let subject = row.subject, let content = try content(of: subject) else { continue }
                var change = LibraryChange(content, at: row.time, in: row.device)
                bytes += change.textBytes
                change.revision = row.revision
                page.changes.append(change)
            }
            return page
        }
    }

    /// Maximum number of readers. The reader with the lowest revision is removed first.
    private static let mostReaders = 100

    /// Records the last revision that another library has received.
    /// - Returns: false if `since` is beyond the recorded revision, because this library was restored from a backup.
    public func recordReader(
        _ reader: String, since: Int64, through revision: Int64
    ) throws(LibraryError) -> Bool {
        let told = try read {
            try connection.value("SELECT revision FROM change_reader WHERE name = \(reader)") as Int64?
        }
        if since > told ?? 0 { return false }
        if let told, told >= revision { return true }
        try write(.relaxed) {
            try run(
                """
                INSERT INTO change_reader VALUES (\(reader), \(revision))
                ON CONFLICT DO UPDATE SET revision = max(revision, excluded.revision)
                """)
            try run(
                """
                DELETE FROM change_reader WHERE name IN (SELECT name FROM change_reader
                  ORDER BY revision DESC LIMIT -1 OFFSET \(Self.mostReaders))
                """)
        }
        return true
    }

    func revision() throws -> Int64 { try connection.value("SELECT revision FROM change_log") ?? 0 }

    /// The present value of a subject; nil if another library could not identify the subject.
    func content(of subject: ChangedSubject) throws -> LibraryChange.Content? {
        let (owner, name) = (subject.owner, subject.name)
        switch subject.kind {
        case .subscription:
            if !WebAddress.isFetchable(name) { return nil }
            return .subscription(feed: name, isSet: try library.feeds.subscribed(url: name) != nil)
        case .playback where name == ChangedSubject.waiting: return try waitingPlayback(owner)
        case .playback, .star, .note, .bookmark, .queueEntry:
            guard let episode = try episodeName(owner) else { return nil }
            return try content(of: subject, episode)
        case .tag:
            let isSet = try connection.exists("SELECT 1 FROM feed_tag WHERE feed = \(owner) AND tag = \(name)")
            return try feedURL(owner).map { .tag(name, feed: $0, isSet: isSet) }
        case .feedSetting:
            guard let setting = FeedSetting(rawValue: name), let feed = try feedURL(owner) else { return nil }
            let sql: SQL = "SELECT value FROM feed_setting WHERE feed = \(owner) AND name = \(name)"
            return .feedSetting(setting, feed: feed, try connection.value(sql))
        case .retention:
            let feed = try feedURL(owner)
            if owner != 0, feed == nil { return nil }
            let sql: SQL = "SELECT policy FROM retention WHERE feed IS nullif(\(owner), 0)"
            return .retention(feed: feed, try connection.value(sql))
        case .rule:
            let feed = try feedURL(owner)
            guard owner == 0 || feed != nil, let text = try? RuleText(parsing: name) else { return nil }
            var rule = text
            guard let condition = try named(text.condition) else { return nil }
            rule.condition = condition
            let sql: SQL = "SELECT place FROM rule WHERE feed IS nullif(\(owner), 0) AND text = \(name) LIMIT 1"
            return .rule(rule.description, feed: feed, place: try connection.value(sql))
        case .playlist:
            guard let playlist = try library.playlists.stored(named: name) else {
                return .playlist(name, filter: nil, isOldestFirst: false)
            }
            return try named(playlist.filter).map {
                .playlist(playlist.name, filter: $0.description, isOldestFirst: playlist.order == .oldestFirst)
            }
        case .speed:
            return .speed(try connection.value("SELECT value FROM client_setting WHERE name = 'playback.speed'"))
        }
    }

    private func content(
        of subject: ChangedSubject, _ episode: LibraryChange.EpisodeName
    ) throws -> LibraryChange.Content? {
        let owner = subject.owner
        switch subject.kind {
        case .playback:
            return try connection.first(
                """
                SELECT coalesce(p.position, 0) AS position, e.section = \(literal: Section.played) AS played
                FROM episode e LEFT JOIN playback p ON p.episode = e.id WHERE e.id = \(owner)
                """
            ) { .playback(episode, LibraryChange.Playback(position: $0["position"], isPlayed: $0["played"])) }
        case .star:
            return .star(episode, try connection.exists("SELECT 1 FROM episode WHERE id = \(owner) AND starred = 1"))
        case .note: return .note(episode, try connection.value("SELECT text FROM note WHERE episode = \(owner)"))
        case .bookmark:
            guard let created = Int64(subject.name) else { return nil }
            let part = try connection.first(
                "SELECT position, skip_end, text FROM bookmark WHERE episode = \(owner) AND created = \(created)"
            ) { LibraryChange.MarkedPart(position: $0["position"], skipTo: $0["skip_end"], text: $0["text"]) }
            return .bookmark(episode, created: Timestamp(milliseconds: created), part)
        case .queueEntry:
            guard let copy = Int64(subject.name) else { return nil }
            let sql: SQL = "SELECT place FROM queue_entry WHERE episode = \(owner) AND copy = \(copy)"
            return .queueEntry(episode, copy: copy, place: try connection.value(sql))
        case .subscription, .tag, .feedSetting, .retention, .rule, .playlist, .speed: return nil
        }
    }

    private func waitingPlayback(_ row: Int64) throws -> LibraryChange.Content? {
        try connection.first(
            """
            SELECT i.*, f.url AS feed_url FROM imported_episode i
            JOIN feed f ON f.id = i.feed AND f.kind = \(literal: FeedKind.subscribed) WHERE i.id = \(row)
            """
        ) { row in
            let episode = PortableEpisode(row: row)
            let playback = LibraryChange.Playback(position: episode.position, isPlayed: episode.isPlayed)
            return .playback(LibraryChange.EpisodeName(feed: row["feed_url"], episode.identity), playback)
        }
    }

    private func episodeName(_ id: Int64) throws -> LibraryChange.EpisodeName? {
        try connection.first(
            """
            SELECT iif(f.kind = \(literal: FeedKind.subscribed), f.url, NULL) AS feed, e.guid, e.url, e.title,
              iif(e.dated, e.published, NULL) AS published,
              coalesce(e.duration, e.measured_duration) AS duration
            FROM episode e JOIN feed f ON f.id = e.feed AND f.kind <> \(literal: FeedKind.hidden) AND e.id <= f.last_episode
            WHERE e.id = \(id)
            """
        ) { row in
            let identity = EpisodeIdentity(
                guid: row["guid"], url: row["url"], title: row["title"], published: row["published"],
                duration: row["duration"])
            let feed: String? = row["feed"]
            guard WebAddress.isFetchable(identity.url), feed.map(WebAddress.isFetchable) ?? true else { return nil }
            return LibraryChange.EpisodeName(feed: feed, identity)
        }
    }

    private func feedURL(_ id: Int64) throws -> String? {
        let url: String? = try connection.value(
            "SELECT url FROM feed WHERE id = \(id) AND kind = \(literal: FeedKind.subscribed)")
        return url.flatMap { WebAddress.isFetchable($0) ? $0 : nil }
    }

    /// The condition with addresses instead of feed ids; nil if a feed is no longer subscribed.
    private func named(_ condition: EpisodeExpression) throws -> EpisodeExpression? {
        var urls: [FeedID: String] = [:]
        for feed in condition.feeds { urls[feed] = try feedURL(feed.rawValue) }
        if urls.count < Set(condition.feeds).count { return nil }
        return condition.naming { urls[$0] ?? "" }
    }
}

extension FeedSetting {
    /// All settings except those for fetching the feed, which each machine has for itself.
    static let shared: [FeedSetting] = [
        .title, .refresh, .volume, .speed, .silence, .loudness, .voiceBoost, .mono, .skipStart, .skipEnd, .skipChapters,
    ]
}
