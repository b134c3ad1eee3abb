internal import PodcastModel
internal import SQLite

extension ChangeMerge {
    /// Stores a change until a refresh adds its episode.
    mutating func postpone(_ change: LibraryChange) throws {
        guard let identity = change.subject.episode, WebAddress.isFetchable(identity.url), let url = change.subject.feed
        else {
            applied.unchanged += 1
            return
        }
        let feed = try library.imports.subscription(url)
        let isSame: SQL = "feed = \(feed) AND url = \(identity.url) AND guid IS \(identity.guid)"
        func known() throws -> (row: Int64, place: Int64?, episode: PortableEpisode)? {
            try connection.first("SELECT * FROM imported_episode WHERE \(isSame)") {
                ($0["id"], $0["queue_place"], PortableEpisode(row: $0))
            }
        }
        if change.value != nil, try known() == nil {
            try countWaiting(identity)
            try library.imports.addWaiting(PortableEpisode(identity), of: feed, place: nil)
        }
        guard case (let row, var place, var episode)? = try known() else { return }
        let value = change.value
        switch change.subject.kind {
        case .playback:
            let subject = ChangedSubject(.playback, owner: row, name: ChangedSubject.waiting)
            guard try library.changes.isLater(change, than: subject, library.changes.row(of: subject)) else {
                applied.unchanged += 1
                return
            }
            try note(change, of: subject)
            let state = PortableEpisode(change, at: now)
            try run(
                """
                UPDATE imported_episode SET played = \(state.isPlayed), position = \(state.position),
                  last_played = \(state.lastPlayed), marked = \(state.marked) WHERE id = \(row)
                """)
            try library.changes.log(subject, at: change.time, in: change.device)
        case .star: episode.isStarred = value != nil
        case .note: episode.note = value?.text
        case .queueEntry:
            // There is room for one entry of an episode. A later exchange of everything brings the others.
            if change.subject.name != "0", place != nil || value == nil {
                if value == nil {
                    applied.unchanged += 1
                    return
                }
                throw LibraryError.refused(
                    "\(identity.title ?? identity.url) is in the queue more than once, and no refresh has found it yet")
            }
            place = value?.place.map(QueueStore.bounded)
        case .listEntry:
            // There is room for one entry of an episode in a playlist.
            guard change.subject.number == 0, let name = change.subject.list,
                value == nil || episode.lists.count < ListPlace.maximumOfEpisode
            else {
                applied.unchanged += 1
                return
            }
            episode.lists.removeAll { $0.name == name }
            if let place = value?.place {
                episode.lists.append(ListPlace(name: name, place: QueueStore.bounded(place)))
            }
        case .bookmark:
            let created = Timestamp(milliseconds: Int64(change.subject.name) ?? 0)
            episode.bookmarks.removeAll { $0.created == created }
            if let value, episode.bookmarks.count < Bookmark.maximumOfEpisode {
                episode.bookmarks.append(PortableBookmark(value, created: created))
            }
        case .subscription, .tag, .feedSetting, .retention, .rule, .playlist, .speed: return
        }
        try run(
            """
            UPDATE imported_episode SET starred = \(episode.isStarred), note = \(episode.note), queue_place = \(place),
              bookmarks = \(episode.bookmarks.storedText), lists = \(episode.lists.storedText) WHERE id = \(row)
            """)
        applied.changed += 1
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
