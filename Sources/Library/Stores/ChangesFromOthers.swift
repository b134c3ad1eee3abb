public import PodcastModel
internal import SQLite

extension ChangeStore {
    /// The clock here is advanced by less than others accept, so that they accept the changes made here. In milliseconds.
    private static let longestAdvance: Int64 = 6 * 86_400_000

    /// Merges another library's changes into this one, as one commit and one step of undo.
    ///
    /// The later of two changes of a subject wins; if the times are equal, the greater device does. Both libraries store the
    /// original time, so that they agree in any order of exchanges.
    /// - Parameters:
    ///   - device: the other library's name in the history.
    ///   - isFirst: whether the libraries have not shared anything yet. Then nothing is removed, and new entries go to the end of
    ///     the queue.
    ///   - feeds: feeds to subscribe to before, which the result does not count.
    ///   - busy: the episode that plays here. Its playback stays, and its entry stays in the queue.
    public func apply(
        _ changes: [LibraryChange], of device: String, isFirst: Bool, after feeds: [String] = [],
        except busy: EpisodeID?, at now: Timestamp
    ) throws(LibraryError) -> AppliedChanges {
        let valid = changes.filter { $0.objection(at: now) == nil }
        let files = try addFiles(of: valid, at: now)
        // Repeated positions of a device are one undo step.
        let isPlayback = changes.allSatisfy { $0.subject.kind == .playback }
        return try write(isPlayback ? .relaxed : .synced) {
            let step = isPlayback ? try library.history.report(of: device, on: nil, at: now) : nil
            return try library.history.recording(.synced, title: device, at: now, continuing: step) {
                for url in feeds where try library.feeds.id(url: url) == nil {
                    _ = try library.feeds.subscribe(url: url, title: nil, subscribed: now, at: now)
                }
                var merge = ChangeMerge(library: library, isFirst: isFirst, busy: busy, now: now)
                merge.applied.before = try revision()
                // Advance the clock, so that later changes here win although the other clock may be ahead.
                let latest = valid.map(\.time.milliseconds).max() ?? 0
                let advanced = min(latest, now.milliseconds + Self.longestAdvance)
                try run("UPDATE change_log SET revision = max(revision, \(advanced))")
                let episodes = try episodes(of: changes, files)
                for change in changes {
                    try merge.take(change, change.subject.episode.flatMap { episodes[change.subject.feed]?[$0] })
                }
                merge.applied.revision = try revision()
                merge.applied.feeds = merge.applied.feedsAdded.count + merge.applied.feedsRemoved.count
                // Log these after `revision`, because the caller does not send changes up to it back.
                for (subject, row) in merge.owed { try log(subject, at: row?.time, in: row?.device) }
                return merge.applied
            }
        }
    }

    /// Adds the single files of changes. Each addition needs its own commit.
    private func addFiles(of changes: [LibraryChange], at now: Timestamp) throws(LibraryError) -> [String: EpisodeID] {
        var files: [String: EpisodeID] = [:]
        let isLoose: SQL = "feed = (SELECT id FROM feed WHERE kind = \(literal: FeedKind.loose))"
        let known: Int? = try read { try connection.value("SELECT count(*) FROM episode WHERE \(isLoose)") }
        for change in changes where change.subject.feed == nil && change.value != nil {
            guard let episode = change.subject.episode, WebAddress.isFetchable(episode.url), files[episode.url] == nil,
                files.count < ChangeLimits.files - (known ?? 0)
            else { continue }
            files[episode.url] = try library.episodes.looseEpisode(url: episode.url, title: episode.title, at: now)
        }
        return files
    }

    /// The episodes of the changes that are here, by the addresses of their feeds.
    private func episodes(
        of changes: [LibraryChange], _ files: [String: EpisodeID]
    ) throws -> [String?: [EpisodeIdentity: EpisodeID]] {
        var found: [String?: [EpisodeIdentity: EpisodeID]] = [:]
        for (url, changes) in Dictionary(grouping: changes, by: \.subject.feed) {
            let names = Set(changes.compactMap(\.subject.episode).filter { WebAddress.isFetchable($0.url) }).map(\.self)
            if names.isEmpty { continue }
            guard let url else {
                for name in names {
                    found[nil, default: [:]][name] =
                        try files[name.url] ?? library.episodes.stored(url: name.url, limit: 1).first?.id
                }
                continue
            }
            guard let feed = try feed(url, of: names), let last = try refreshStore.lastEpisode(of: feed) else {
                continue
            }
            for (place, id) in try library.imports.matches(of: names, in: feed, through: last) {
                found[url, default: [:]][names[place]] = EpisodeID(id)
            }
        }
        return found
    }

    /// The feed with this URL, or else the feed of the first episode that is known by its URL.
    private func feed(_ url: String, of episodes: [EpisodeIdentity]) throws -> FeedID? {
        if let known = try library.feeds.id(url: url) { return known }
        for episode in episodes.prefix(10) {
            if let found = try library.episodes.stored(url: episode.url, limit: 1).first { return found.feed }
        }
        return nil
    }
}
