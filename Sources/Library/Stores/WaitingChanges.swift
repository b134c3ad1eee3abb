internal import PodcastModel
internal import SQLite

extension ChangeMerge {
    /// Stores a change until a refresh adds its episode.
    mutating func postpone(_ change: LibraryChange) throws {
        guard let row = try waitingRow(of: change) else {
            applied.unchanged += 1
            return
        }
        let value = change.value
        let content: SQL
        switch change.subject.kind {
        case .playback: return try merge(change, ChangedSubject(.playback, owner: row, name: ChangedSubject.waiting))
        case .star: content = "starred = \(value != nil)"
        case .note: content = "note = \(value?.text)"
        case .queueEntry, .listEntry:
            // There is room for one entry of an episode. A later exchange of everything brings the others.
            let list = change.subject.list
            if change.subject.number != 0 {
                let isTaken: SQL = "SELECT 1 FROM imported_episode WHERE id = \(row) AND queue_place IS NOT NULL"
                if value == nil || list != nil {
                    applied.unchanged += 1
                    return
                } else if let episode = change.subject.episode, try connection.exists(isTaken) {
                    throw LibraryError.refused(
                        "\(episode.title ?? episode.url) is in the queue more than once, and no refresh has found it yet"
                    )
                }
            }
            let place = value?.place.map(QueueStore.bounded)
            content =
                if let list {
                    replacing(
                        list, at: 0, of: "lists", with: place.flatMap { [ListPlace(name: list, place: $0)].storedText },
                        limit: ListPlace.maximumOfEpisode)
                } else { "queue_place = \(place)" }
        case .bookmark:
            let created = Timestamp(milliseconds: change.subject.number ?? 0)
            content = replacing(
                created, at: 1, of: "bookmarks",
                with: value.flatMap { [PortableBookmark($0, created: created)].storedText },
                limit: Bookmark.maximumOfEpisode)
        case .subscription, .tag, .feedSetting, .retention, .rule, .playlist, .speed: return
        }
        try run("UPDATE imported_episode SET \(content) WHERE id = \(row)")
        applied.changed += 1
    }

    /// The row of an episode that waits for a refresh, which is added for a value; nil without one.
    private mutating func waitingRow(of change: LibraryChange) throws -> Int64? {
        guard let identity = change.subject.episode, WebAddress.isFetchable(identity.url), let url = change.subject.feed
        else { return nil }
        let feed = try library.imports.subscription(url)
        func known() throws -> Int64? {
            try connection.value(
                "SELECT id FROM imported_episode WHERE feed = \(feed) AND url = \(identity.url) AND guid IS \(identity.guid)"
            )
        }
        if let row = try known() { return row }
        if change.value == nil { return nil }
        try countWaiting(identity)
        try library.imports.addWaiting(PortableEpisode(identity), of: feed)
        return try known()
    }

    /// SQL that replaces the element of a column's JSON array whose own element at `index` is a key.
    /// - Parameter element: a JSON array of the new element; nil to remove the old one.
    private func replacing(
        _ key: some SQLBindable, at index: Int, of column: String, with element: String?, limit: Int
    ) -> SQL {
        """
        \(raw: column) = (SELECT json_group_array(json(value)) FROM (
          SELECT value FROM json_each(\(raw: column)) WHERE value ->> \(index) <> \(key)
          UNION ALL SELECT value FROM json_each(\(element)) LIMIT \(limit)) HAVING count(*) > 0)
        """
    }
}

extension PortableEpisode {
    /// The episode of another library with the playback that a change sets.
    init(_ change: LibraryChange, at now: Timestamp) {
        self.init(change.subject.episode ?? EpisodeIdentity(url: ""))
        // The other clock may be ahead.
        let time = min(change.time, now)
        position = max(.zero, change.value?.position ?? .zero)
        isPlayed = change.value?.isPlayed ?? false
        if isPlayed || position > .zero { lastPlayed = time }
        if position == .zero { marked = time }
    }
}
