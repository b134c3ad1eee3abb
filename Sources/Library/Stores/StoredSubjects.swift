internal import PodcastModel
internal import SQLite

// How the library stores the subjects of changes. The triggers of `Schema+Changes` log changes of these tables.

/// Key of a row of the log.
struct ChangedSubject: Sendable {
    /// `name` of the playback of an imported episode that no refresh has found yet.
    static let waiting = "waiting"

    var kind: LibraryChange.Kind
    /// An episode, a feed or, with the name `waiting`, an imported episode; 0 for none.
    var owner: Int64 = 0
    /// `LibraryChange.Subject.name`, with feeds by id; the address of a subscription.
    var name = ""

    init(_ kind: LibraryChange.Kind, owner: Int64 = 0, name: String = "") {
        self.kind = kind
        self.owner = owner
        self.name = name
    }

    /// Nil for a kind of a later version.
    init?(row: Row) {
        guard let kind = LibraryChange.Kind(rawValue: row["kind"]) else { return nil }
        self.init(kind, owner: row["owner"], name: row["name"])
    }

    var isWaiting: Bool { name == Self.waiting && kind == .playback }
    /// The number in the name of a bookmark or an entry.
    var number: Int64 { LibraryChange.Subject(kind, name: name).number ?? 0 }
    /// The playlist of an entry; nil for an entry of the queue.
    var list: String? { LibraryChange.Subject(kind, name: name).list }
    /// SQL for the row of an entry.
    var isEntry: SQL { "episode = \(owner) AND copy = \(number) AND list IS \(list)" }
}

extension ChangeStore {
    // MARK: reading

    /// The last change of a subject, as other libraries understand it; nil if they could not identify the subject.
    func change(of key: ChangedSubject, _ row: LoggedChange?) throws -> LibraryChange? {
        var change = LibraryChange(
            .init(key.kind, name: key.name), try value(of: key), at: row?.time ?? Timestamp(milliseconds: 0),
            in: row?.device ?? "")
        change.revision = row?.revision ?? 0
        switch key.kind.form.owner {
        case .none: break
        case .episode:
            guard let episode = try episode(key) else { return nil }
            change.subject.feed = episode.feed
            change.subject.episode = episode.identity
            if key.isWaiting { change.subject.name = "" }
        case .feed where key.kind == .subscription:
            if !WebAddress.isFetchable(key.name) { return nil }
            change.subject = .init(.subscription, feed: key.name)
        case .feed, .feeds:
            change.subject.feed = try feedURL(key.owner)
            if key.owner != 0, change.subject.feed == nil { return nil }
        }
        if key.kind == .rule {
            guard var rule = try? RuleText(parsing: key.name), let urls = try urls(of: rule.condition.feeds) else {
                return nil
            }
            rule.condition = rule.condition.naming { urls[$0] ?? "" }
            change.subject.name = rule.description
        }
        if key.kind == .playlist, change.value != nil {
            guard let content = try library.playlists.playlist(named: key.name)?.content,
                let urls = try urls(of: content.filters.flatMap(\.expression.feeds))
            else { return nil }
            change.value?.text = content.map { $0.naming { urls[$0] ?? "" } }.description
        }
        return change
    }

    /// The present value of a subject; nil if the library does not have it.
    func value(of key: ChangedSubject) throws -> LibraryChange.Value? {
        let owner = key.owner
        // Text, position, end, place and whether the episode was played.
        let row: SQL =
            switch key.kind {
            case .playback where key.isWaiting:
                """
                NULL, position, NULL, NULL, played FROM imported_episode
                WHERE id = \(owner) AND coalesce(last_played, marked) IS NOT NULL
                """
            case .playback:
                """
                NULL, coalesce(p.position, 0), NULL, NULL, e.section = \(literal: Section.played)
                FROM episode e LEFT JOIN playback p ON p.episode = e.id WHERE e.id = \(owner)
                """
            case .subscription:
                "NULL, NULL, NULL, NULL, 0 FROM feed WHERE id = \(try library.feeds.subscribed(url: key.name))"
            case .star: "NULL, NULL, NULL, NULL, 0 FROM episode WHERE id = \(owner) AND starred = 1"
            case .note: "text, NULL, NULL, NULL, 0 FROM note WHERE episode = \(owner)"
            case .bookmark:
                "text, position, skip_end, NULL, 0 FROM bookmark WHERE episode = \(owner) AND created = \(key.number)"
            case .queueEntry, .listEntry: "NULL, NULL, NULL, place, 0 FROM queue_entry WHERE \(key.isEntry)"
            case .tag: "NULL, NULL, NULL, NULL, 0 FROM feed_tag WHERE feed = \(owner) AND tag = \(key.name)"
            case .feedSetting:
                "value, NULL, NULL, NULL, 0 FROM feed_setting WHERE feed = \(owner) AND name = \(key.name)"
            case .retention: "policy, NULL, NULL, NULL, 0 FROM retention WHERE feed IS nullif(\(owner), 0)"
            case .rule:
                "NULL, NULL, NULL, place, 0 FROM rule WHERE feed IS nullif(\(owner), 0) AND text = \(key.name) LIMIT 1"
            case .playlist: "filter, NULL, NULL, NULL, 0 FROM smart_playlist WHERE name = \(key.name) COLLATE BINARY"
            case .speed: "value, NULL, NULL, NULL, 0 FROM client_setting WHERE name = 'playback.speed'"
            }
        return try connection.first(
            """
            SELECT NULL AS text, NULL AS position, NULL AS skip_to, NULL AS place, NULL AS played WHERE 0
            UNION ALL SELECT \(row)
            """
        ) { row in
            LibraryChange.Value(
                text: row["text"], position: row["position"], skipTo: row["skip_to"], place: row["place"],
                isPlayed: row["played"])
        }
    }

    private func episode(_ key: ChangedSubject) throws -> (feed: String?, identity: EpisodeIdentity)? {
        let sql: SQL =
            key.isWaiting
            ? """
            SELECT f.url AS feed_url, i.* FROM imported_episode i
            JOIN feed f ON f.id = i.feed AND f.kind = \(literal: FeedKind.subscribed) WHERE i.id = \(key.owner)
            """
            : """
            SELECT iif(f.kind = \(literal: FeedKind.subscribed), f.url, NULL) AS feed_url, e.guid, e.url, e.title,
              iif(e.dated, e.published, NULL) AS published,
              coalesce(e.duration, e.measured_duration) AS duration
            FROM episode e JOIN feed f ON f.id = e.feed AND f.kind <> \(literal: FeedKind.hidden) AND e.id <= f.last_episode
            WHERE e.id = \(key.owner)
            """
        return try connection.first(sql) { row in
            let (feed, identity): (String?, _) = (row["feed_url"], EpisodeIdentity(row: row))
            guard WebAddress.isFetchable(identity.url), feed.map(WebAddress.isFetchable) ?? true else { return nil }
            return (feed, identity)
        }
    }

    private func feedURL(_ id: Int64) throws -> String? {
        let url: String? = try connection.value(
            "SELECT url FROM feed WHERE id = \(id) AND kind = \(literal: FeedKind.subscribed)")
        return url.flatMap { WebAddress.isFetchable($0) ? $0 : nil }
    }

    /// The addresses of feeds; nil if one of them is no longer subscribed.
    private func urls(of feeds: [FeedID]) throws -> [FeedID: String]? {
        var urls: [FeedID: String] = [:]
        for feed in feeds {
            guard let url = try feedURL(feed.rawValue) else { return nil }
            urls[feed] = url
        }
        return urls
    }
}

extension ChangeMerge {
    // MARK: writing

    /// - Returns: false if the value here differs from the change afterwards.
    mutating func set(_ subject: ChangedSubject, to change: LibraryChange) throws -> Bool {
        let value = change.value
        let (episode, feed) = (EpisodeID(subject.owner), FeedID(subject.owner))
        let owner = subject.owner == 0 ? nil : feed
        switch subject.kind {
        case .playback:
            let state = PortableEpisode(change, at: now)
            if !subject.isWaiting {
                try library.imports.replacePlayback(of: episode, with: state)
                break
            }
            try run(
                """
                UPDATE imported_episode SET played = \(state.isPlayed), position = \(state.position),
                  last_played = \(state.lastPlayed), marked = \(state.marked) WHERE id = \(subject.owner)
                """)
        case .subscription: try setSubscription(subject.name, to: value)
        case .star:
            try run("UPDATE episode SET starred = \(value != nil) WHERE id = \(episode)")
        case .note: try library.episodes.writeNote(value?.text, of: episode)
        case .bookmark: try library.bookmarks.replace(Timestamp(milliseconds: subject.number), with: value, of: episode)
        case .queueEntry, .listEntry: return try setEntry(subject, to: change)
        case .tag: try library.imports.setTag(subject.name, to: value != nil, of: feed)
        case .feedSetting:
            guard let setting = FeedSetting(rawValue: subject.name) else { return true }
            if let text = value?.text, let objection = setting.objection(to: text) {
                throw LibraryError.refused(objection)
            }
            try library.feeds.write(subject.name, value?.text, of: feed)
        case .retention:
            try library.retention.write(try value?.text.map(RetentionPolicy.init(parsing:)), of: owner)
        case .rule: try library.rules.write(subject.name, of: owner, at: value?.place)
        case .playlist:
            guard let content = value?.text else {
                try library.playlists.remove(subject.name)
                break
            }
            try library.playlists.write(try library.imports.playlist(named: subject.name, content))
        case .speed:
            try library.history.store(.key("playback.speed"), value?.text)
            applied.speed = change
        }
        return true
    }

    private mutating func setSubscription(_ url: String, to value: LibraryChange.Value?) throws {
        let feed = try library.feeds.subscribed(url: url)
        if let feed, value == nil {
            try library.feeds.hide(feed, at: now)
            applied.feedsRemoved.append(feed)
        } else if feed == nil, value != nil {
            let count: Int? = try connection.value(
                "SELECT count(*) FROM feed WHERE kind = \(literal: FeedKind.subscribed)")
            if count ?? 0 >= ChangeLimits.feeds {
                throw LibraryError.refused("\(ChangeLimits.feeds) feeds are subscribed")
            }
            applied.feedsAdded.append(
                try library.feeds.subscribe(url: url, title: nil, subscribed: now, at: now))
        }
    }

    /// - Returns: false if the entry stays, or gets another place.
    private func setEntry(_ subject: ChangedSubject, to change: LibraryChange) throws -> Bool {
        let episode = EpisodeID(subject.owner)
        let isQueued = try connection.exists("SELECT 1 FROM queue_entry WHERE \(subject.isEntry)")
        guard let place = change.value?.place.map(QueueStore.bounded) else {
            if isQueued, subject.list == nil, episode == busy { return false }
            try run("DELETE FROM queue_entry WHERE \(subject.isEntry)")
            return true
        }
        if isQueued {
            if isFirst { return false }
            try run("UPDATE queue_entry SET place = \(place) WHERE \(subject.isEntry)")
            return true
        }
        var store = library.queue
        if let name = subject.list {
            // The entry may come before its playlist. A playlist that was removed here later stays removed.
            let known = try library.changes.row(of: ChangedSubject(.playlist, name: name))
            if let known, known.time >= change.time, try library.playlists.playlist(named: name) == nil { return false }
            guard let list = try library.playlists.listForEntries(name, after: known), list.list == name else {
                throw LibraryError.refused("'\(name)' is a filter here, or has another spelling")
            }
            if try list.count() >= QueueStore.maximumOfList { throw LibraryError.refused("'\(name)' is full") }
            store = list
        }
        let entries: Int? = try connection.value(
            "SELECT count(*) FROM queue_entry WHERE episode = \(episode) AND list IS \(subject.list)")
        if entries ?? 0 >= ChangeLimits.copies {
            throw LibraryError.refused("an episode is in \(subject.list ?? "the queue") too often")
        }
        let end = isFirst ? try store.freePlaces(1, at: .max, without: []).first : nil
        try run(
            """
            INSERT INTO queue_entry(place, episode, copy, list)
            VALUES (\(end ?? place), \(episode), \(subject.number), \(subject.list))
            """)
        return end == nil
    }
}

extension EpisodeIdentity: Record {
    init(row: Row) {
        self.init(
            guid: row["guid"], url: row["url"], title: row["title"], published: row["published"],
            duration: row["duration"])
    }
}

extension FeedSetting {
    /// All settings except those for fetching the feed, which each machine has for itself.
    static let shared: [FeedSetting] = [
        .title, .refresh, .volume, .speed, .silence, .loudness, .voiceBoost, .mono, .skipStart, .skipEnd, .skipChapters,
    ]
}
