internal import EpisodeRules
public import PodcastModel
internal import SQLite

/// What the listener has set, as rows that another podcastd understands: feeds and episodes by their addresses.
public struct SharedStateStore: LibraryPart {
    let library: LibraryStore

    /// A row with the id of what it describes: a feed, a rule, a bookmark, an entry of the queue, else the episode; negative for an
    /// episode that no refresh has brought yet.
    private typealias Stored = (row: SharedRow, id: Int64)

    // MARK: reading

    /// The rows of rules and of the queue are in their order; feeds and episodes with passwords in their addresses are not named.
    public func rows() throws(LibraryError) -> [SharedRow] { try stored().map(\.row) }

    private func stored() throws(LibraryError) -> [Stored] {
        var (result, urls): ([Stored], [FeedID: String]) = ([], [:])
        let names = FeedSetting.shared.map(\.rawValue)
        let settings = try read {
            Dictionary(
                grouping: try connection.all("SELECT feed, name, value FROM feed_setting ORDER BY feed, name") {
                    (feed: $0["feed"] as FeedID, name: $0["name"] as String, value: $0["value"] as String)
                }.filter { names.contains($0.name) }, by: \.feed)
        }
        for feed in try library.feeds.feeds() where !feed.isSingleFiles && WebAddress.isFetchable(feed.url) {
            let (id, url) = (feed.id.rawValue, feed.url)
            urls[feed.id] = url
            result.append((SharedRow(.feed, feed: url), id))
            result += feed.tags.map { (SharedRow(.tag, feed: url, $0), id) }
            for setting in settings[feed.id] ?? [] {
                result.append((SharedRow(.feedSetting, feed: url, setting.name, setting.value), id))
            }
        }
        let policies = try library.imports.exportedPolicies { $0 }
        for (rule, stored) in zip(policies.rules, try library.rules.rules(for: nil)) {
            result.append((SharedRow(.rule, feed: rule.feed, rule.text), stored.id.rawValue))
        }
        result += policies.retention.map { (SharedRow(.retention, feed: $0.feed, "", $0.keep), 0) }
        result += policies.playlists.map {
            (SharedRow(.playlist, $0.name, ($0.isOldestFirst ? "oldest " : "newest ") + $0.filter), 0)
        }
        return result + (try episodes(urls))
    }

    private func episodes(_ urls: [FeedID: String]) throws(LibraryError) -> [Stored] {
        var (result, waiting): ([Stored], [Stored]) = ([], [])
        var queued: [EpisodeID: SharedRow] = [:]
        for key in try library.imports.exportedKeys(isDecided: true) where key.feed == nil || urls[key.feed!] != nil {
            guard let episode = try library.imports.exportedEpisodes([key]).first?.episode,
                WebAddress.isFetchable(episode.identity.url)
            else { continue }
            let id = key.isWaiting ? -key.row : key.row
            var base = SharedRow(.queue, feed: key.feed.flatMap { urls[$0] })
            (base.guid, base.url, base.title) = (episode.identity.guid, episode.identity.url, episode.identity.title)
            func add(_ kind: SharedRow.Kind, _ id: Int64, _ name: String = "", _ value: String = "") {
                var row = base
                (row.kind, row.name, row.value) = (kind, name, value)
                result.append((row, id))
            }
            if episode.isStarred { add(.star, id) }
            if let note = episode.note { add(.note, id, "", note) }
            let ids = key.isWaiting ? [] : try library.bookmarks.bookmarks(of: EpisodeID(id)).map(\.id.rawValue)
            for (index, bookmark) in episode.bookmarks.enumerated() {
                let end = bookmark.skipEnd.map { "\($0.milliseconds)" } ?? ""
                let name = "\(bookmark.position.milliseconds)-\(end) \(bookmark.text)"
                add(.bookmark, ids.isEmpty ? id : ids[index], name, "\(bookmark.created.milliseconds)")
            }
            if key.queueIndex != nil {
                if key.isWaiting { waiting.append((base, id)) } else { queued[EpisodeID(id)] = base }
            }
        }
        var counts: [EpisodeID: Int] = [:]
        for entry in try library.queue.queue().entries {
            guard var row = queued[entry.episode] else { continue }
            counts[entry.episode, default: 0] += 1
            if let count = counts[entry.episode], count > 1 { row.name = "\(count)" }
            result.append((row, entry.id.rawValue))
        }
        return result + waiting
    }

    // MARK: changing

    /// Merges another device's change into the shared state, as one undo step.
    ///
    /// If a part was also changed here, both changes are merged with `SharedState.merged`. Rows that are unusable here are left out.
    /// - Parameters:
    ///   - from: the rows as the device knew them here. Other keys than those in `from` and `to` stay.
    ///   - to: the rows after the change.
    ///   - busy: an episode that plays here, whose entry stays in the queue.
    public func apply(
        from: [SharedRow], to: [SharedRow], of device: String, except busy: EpisodeID?, at now: Timestamp
    ) throws(LibraryError) {
        let (kinds, keys) = (Set((from + to).map(\.kind)), Set((from + to).map(\.key)))
        let before = try stored().filter {
            keys.contains($0.row.key) || $0.row.kind.isOrdered && kinds.contains($0.row.kind)
        }
        let merged = SharedState.merged(base: from, ours: before.map(\.row), theirs: to)
        let old = Dictionary(before.map { ($0.row.key, $0) }, uniquingKeysWith: { first, _ in first })
        let wanted = merged.byKey
        try library.history.act(.synced, title: device) { () throws(LibraryError) in
            for (row, id) in before where wanted[row.key]?.value != row.value {
                try useful { () throws(LibraryError) in try remove(row, id, isReplaced: wanted[row.key] != nil, busy) }
            }
            var added: [SharedRow] = []
            for row in merged where old[row.key]?.row.value != row.value {
                if row.url.isEmpty {
                    try useful { () throws(LibraryError) in try set(row) }
                } else {
                    added.append(row)
                }
            }
            try add(added, at: now)
            try addAgain(merged.filter { $0.kind == .queue })
            if kinds.contains(where: \.isOrdered) { try order(merged.map(\.key)) }
        }
    }

    /// Leaves out what this library refuses, such as a rule of a newer version.
    private func useful(_ change: () throws(LibraryError) -> Void) throws(LibraryError) {
        do throws(LibraryError) { try change() } catch {
            switch error {
            case .notFound, .refused: break
            default: throw error
            }
        }
    }

    private func remove(_ row: SharedRow, _ id: Int64, isReplaced: Bool, _ busy: EpisodeID?) throws(LibraryError) {
        if id < 0 { return try forget(row.kind, of: -id) }
        switch row.kind {
        case .feed, .setting: break
        case .tag: try setTags(FeedID(id)) { $0.removeAll { $0 == row.name } }
        case .rule: try library.rules.removeRule(RuleID(id))
        case .star: try library.episodes.setStarred(false, [EpisodeID(id)])
        case .bookmark: try library.bookmarks.removeBookmarks([BookmarkID(id)])
        case .queue:
            let entry = try library.queue.queue().entries.first { $0.id.rawValue == id }
            if entry?.episode != busy { try library.queue.removeEntries([EntryID(id)]) }
        case .feedSetting where !isReplaced: try set(row.name, to: nil, of: FeedID(id))
        case .retention where !isReplaced: try library.retention.setRetention(nil, of: try feed(row))
        case .playlist where !isReplaced: try library.playlists.removePlaylist(named: row.name)
        case .note: try library.episodes.setNote(nil, of: EpisodeID(id))
        case .feedSetting, .retention, .playlist: break
        }
    }

    private func forget(_ kind: SharedRow.Kind, of id: Int64) throws(LibraryError) {
        let change: SQL? =
            switch kind {
            case .star: "starred = 0"
            case .note: "note = NULL"
            case .bookmark: "bookmarks = NULL"
            case .queue: "queue_place = NULL"
            default: nil
            }
        guard let change else { return }
        try write(.relaxed) {
            try library.history.recordingPart { try run("UPDATE imported_episode SET \(change) WHERE id = \(id)") }
        }
    }

    private func set(_ row: SharedRow) throws(LibraryError) {
        let feed = try feed(row)
        switch row.kind {
        case .tag: if let feed { try setTags(feed) { $0.append(row.name) } }
        case .feedSetting:
            guard let feed, let setting = FeedSetting(rawValue: row.name), FeedSetting.shared.contains(setting),
                setting.objection(to: row.value) == nil
            else { return }
            try set(row.name, to: row.value, of: feed)
        case .rule:
            let rule = PortablePolicies.Rule(text: row.name, feed: row.feed.isEmpty ? nil : row.feed)
            _ = try library.imports.importPolicies(PortablePolicies(rules: [rule]))
        case .playlist:
            let playlist = PortablePolicies.Playlist(
                name: row.name, filter: String(row.value.dropFirst(7)), isOldestFirst: row.value.hasPrefix("oldest "))
            try useful { () throws(LibraryError) in try library.playlists.removePlaylist(named: row.name) }
            _ = try library.imports.importPolicies(PortablePolicies(playlists: [playlist]))
        case .retention:
            guard let policy = try? RetentionPolicy(parsing: row.value) else { return }
            try library.retention.setRetention(policy, of: feed)
        case .feed, .setting, .star, .note, .bookmark, .queue: break
        }
    }

    /// A title and an interval are stored in further places, too.
    private func set(_ setting: String, to value: String?, of feed: FeedID) throws(LibraryError) {
        switch FeedSetting(rawValue: setting) {
        case .title: try library.feeds.renameFeed(feed, to: value)
        case .refresh: try library.feeds.setRefreshInterval(value.flatMap(RefreshInterval.init(parsing:)), of: feed)
        case _: try library.feeds.setSetting(setting, to: value, of: feed)
        }
    }

    private func setTags(_ feed: FeedID, _ change: (inout [String]) -> Void) throws(LibraryError) {
        var tags = try library.feeds.feed(feed).tags
        change(&tags)
        try library.imports.setTags(tags, of: feed)
    }

    /// Nil for all feeds.
    /// - Throws: `notFound` if the feed is not subscribed here.
    private func feed(_ row: SharedRow) throws(LibraryError) -> FeedID? {
        if row.feed.isEmpty { return nil }
        guard let id = try library.sync.feed(row.feed) else { throw LibraryError.notFound(row.feed) }
        return id
    }

    /// Adds stars, notes, bookmarks and entries to their episodes, also to those that no refresh has brought yet.
    private func add(_ rows: [SharedRow], at now: Timestamp) throws(LibraryError) {
        let end = try library.imports.queueEnd()
        let groups = Dictionary(grouping: rows.enumerated(), by: { $0.element.key.entry }).values
        for group in groups.sorted(by: { $0[0].offset < $1[0].offset }) {
            let first = group[0].element
            var episode = PortableEpisode(EpisodeIdentity(guid: first.guid, url: first.url, title: first.title))
            for (index, row) in group {
                switch row.kind {
                case .star: episode.isStarred = true
                case .note: episode.note = row.value
                case .queue: episode.queueIndex = episode.queueIndex ?? index
                default:
                    let words = row.name.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
                    let place = words[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
                    guard place.count == 2, let start = place[0], start >= 0 else { continue }
                    episode.bookmarks.append(
                        PortableBookmark(
                            position: MediaTime(milliseconds: start),
                            skipEnd: place[1].map { MediaTime(milliseconds: $0) },
                            text: String(words.dropFirst().first?.prefix(Bookmark.maximumBytes / 4) ?? ""),
                            created: Int64(row.value).map { Timestamp(milliseconds: $0) } ?? now))
                }
            }
            try useful { () throws(LibraryError) in
                if let feed = try feed(first) {
                    _ = try library.imports.importEpisodes([episode], of: feed, queueStart: end)
                } else {
                    _ = try library.imports.importLooseEpisode(episode, queueStart: end, at: now)
                }
            }
        }
    }

    /// Adds further entries of episodes that have an entry in the queue.
    private func addAgain(_ rows: [SharedRow]) throws(LibraryError) {
        let wanted = Dictionary(grouping: rows, by: \.key.entry).filter { $0.value.count > 1 }
        if wanted.isEmpty { return }
        let present = Dictionary(grouping: try stored().filter { $0.row.kind == .queue }, by: { $0.row.key.entry })
        let entries = try library.queue.queue().entries
        let again = wanted.flatMap { key, rows in
            let known = present[key] ?? []
            let episode = entries.first { $0.id.rawValue == known.first?.id }?.episode
            return episode.map { Array(repeating: $0, count: max(0, rows.count - known.count)) } ?? []
        }
        _ = try library.queue.insertEntries(again, at: .max)
    }

    /// Orders rules and entries of the queue. Entries without a key in `keys` stay at the end.
    private func order(_ keys: [SharedRow.Key]) throws(LibraryError) {
        let rows = try stored().filter { $0.row.kind.isOrdered && $0.id > 0 }
        // The other side may number the entries of an episode differently.
        var ids = Dictionary(grouping: rows) { $0.row.kind == .queue ? $0.row.key.entry : $0.row.key }
            .mapValues { $0.map { $0.id }[...] }
        let entries = keys.filter { $0.kind == .queue }.compactMap { ids[$0.entry]?.popFirst() }
        let rest = try library.queue.queue().entries.map(\.id).filter { !entries.contains($0.rawValue) }
        // A refresh may add entries meanwhile; the next synchronization orders them.
        try useful { () throws(LibraryError) in
            if !entries.isEmpty { try library.queue.reorderEntries(entries.map { EntryID($0) } + rest) }
        }
        for (index, id) in keys.filter({ $0.kind == .rule }).compactMap({ ids[$0]?.first }).enumerated()
        where try library.rules.rules(for: nil)[index].id.rawValue != id {
            try library.rules.moveRule(RuleID(id), to: index)
        }
    }
}

extension FeedSetting {
    /// Settings that do not belong to one machine's access to the feed.
    static let shared: [FeedSetting] = [
        .title, .refresh, .volume, .speed, .silence, .loudness, .voiceBoost, .mono, .skipStart, .skipEnd, .skipChapters,
    ]
}
