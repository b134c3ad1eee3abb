internal import SQLite
public import PodcastModel

/// The result of applying another library's changes.
public struct AppliedChanges: Sendable {
    /// Number of changes that were applied.
    public var changed = 0
    /// Number of changes that are not later than the library's own, or have the same value.
    public var unchanged = 0
    /// A line for each change that this library refuses.
    public var refused: [String] = []
    /// The library's revision before the changes, and after them.
    public var before: Int64 = 0
    public var revision: Int64 = 0
    /// A new speed. The caller sets it and then calls `settle`.
    public var speed: LibraryChange?
    /// Feeds that were added and removed.
    public var feedsAdded: [FeedID] = []
    public var feedsRemoved: [FeedID] = []
    /// Number of episodes whose playback was changed, and a line for each of the first ones.
    public var episodes = 0
    public var details: [String] = []
    /// Revisions of this library's own changes that lost.
    public var replaced: [Int64] = []
    /// Number of imported episodes that wait for a refresh, if it was counted.
    var waiting: Int?
    /// Subjects whose value here differs from the other library's and must be sent to it.
    var acts: [ChangedSubject] = []

    public init() {}
}

extension ChangeStore {
    /// A clock that is further ahead is broken: later changes of other devices would lose for that long. In milliseconds.
    private static let longestLead: Int64 = 7 * 86_400_000
    /// The clock here is advanced by less, so that others accept the changes made here.
    private static let longestAdvance: Int64 = 6 * 86_400_000
    /// Limits of what other devices can add; further changes are refused.
    static let mostFeeds = 20_000
    static let mostWaiting = 200_000
    private static let mostFiles = 10_000
    private static let mostRemovals = 200_000
    /// Entries of one episode in the queue, and their numbers.
    private static let mostCopies = 100
    private static let copyNumbers: Int64 = 1_000_000
    private static let mostIdentityBytes = 8 << 10
    private static let mostDeviceBytes = 200
    /// Bytes of a whole change, and of what is stored before it is known here.
    private static let mostBytes = 450_000
    private static let mostUnknownBytes = 2_000

    /// Merges another library's changes into this one, as one commit and one step of undo.
    ///
    /// The later of two changes of a subject wins; if the times are equal, the greater device does. Both libraries store the
    /// original time, so that they agree in any order of exchanges.
    /// - Parameters:
    ///   - device: the other library's name in the history.
    ///   - isFirst: whether the libraries have not shared anything yet. Then nothing is removed, and new entries go to the end of
    ///     the queue.
    ///   - busy: the episode that plays here. Its playback stays, and its entry stays in the queue.
    public func apply(
        _ changes: [LibraryChange], of device: String, isFirst: Bool, except busy: EpisodeID?, at now: Timestamp
    ) throws(LibraryError) -> AppliedChanges {
        let objections = changes.map { objection(to: $0, at: now) }
        // Adding a single file needs its own commit.
        var files: [String: EpisodeID] = [:]
        let room = Self.mostFiles - (try read { try looseEpisodes() })
        for (change, objection) in zip(changes, objections) where objection == nil && !change.content.isRemoval {
            guard let episode = change.content.episode, episode.feed == nil, files.count < room else { continue }
            let url = episode.identity.url
            let title = episode.identity.title
            guard WebAddress.isFetchable(url), files[url] == nil else { continue }
            files[url] = try library.episodes.looseEpisode(url: url, title: title, at: now)
        }
        // Repeated positions of a device are one undo step.
        let isPlayback = changes.allSatisfy { $0.content.kind == .playback }
        return try write(isPlayback ? .relaxed : .synced) {
            let step = isPlayback ? try library.history.report(of: device, on: nil, at: now) : nil
            return try library.history.recording(.synced, title: device, at: now, continuing: step) {
                var applied = AppliedChanges()
                applied.before = try revision()
                // Advance the clock, so that later changes here win although the other clock may be ahead.
                let limit = now.milliseconds + Self.longestAdvance
                let latest = zip(changes, objections).compactMap { $1 == nil ? $0.time.milliseconds : nil }.max() ?? 0
                try run("UPDATE change_log SET revision = max(revision, \(min(latest, limit)))")
                let episodes = try episodes(of: changes, files)
                for (index, change) in changes.enumerated() {
                    if let objection = objections[index] {
                        applied.refused.append(objection)
                        continue
                    }
                    do {
                        var change = ChangeFromOther(change, isFirst: isFirst, busy: busy, now: now)
                        change.episode = episodes[index]
                        try merge(change, into: &applied)
                    } catch let error as ExpressionError {
                        applied.refused.append(error.what)
                    } catch LibraryError.notFound(let what, _) {
                        applied.refused.append("\(what) is not here")
                    } catch LibraryError.refused(let why) {
                        applied.refused.append(why)
                    }
                }
                applied.revision = try revision()
                // Log these after `revision`, because the caller does not send changes up to it back.
                for subject in applied.acts { try log(subject, as: nil) }
                return applied
            }
        }
    }

    /// Stores the original time and library of a change that the caller has applied.
    public func settle(_ change: LibraryChange) throws(LibraryError) {
        try write(.relaxed) { if let subject = try subject(of: change, nil) { try log(subject, as: change) } }
    }

    private func merge(_ change: ChangeFromOther, into applied: inout AppliedChanges) throws {
        guard let subject = try subject(of: change.change, change.episode) else {
            return try postpone(change, &applied)
        }
        try merge(change, subject, &applied)
    }

    private func merge(_ change: ChangeFromOther, _ subject: ChangedSubject, _ applied: inout AppliedChanges) throws {
        let known = try row(of: subject)
        switch try verdict(on: change, subject, known) {
        case .leave: applied.unchanged += 1
        case .keepOurs:
            applied.unchanged += 1
            applied.acts.append(subject)
        case .adopt where change.change.content.isSpeed:
            applied.changed += 1
            applied.speed = change.change
        case .adopt:
            if let known { applied.replaced.append(known.revision) }
            if known == nil, change.change.content.isRemoval { try countRemoval(change.change) }
            if try content(of: subject)?.hasValue(of: change.change.content) == true {
                // Log the later time, which decides about changes of a third library.
                try log(subject, as: change.change)
                applied.unchanged += 1
                return
            }
            if try set(change, subject, &applied) {
                try log(subject, as: change.change)
            } else {
                applied.acts.append(subject)
            }
            applied.changed += 1
        case .adoptAsOurs:
            _ = try set(change, subject, &applied)
            applied.acts.append(subject)
            applied.changed += 1
        }
    }

    /// Why a change cannot be applied, whatever this library has; nil if it can.
    private func objection(to change: LibraryChange, at now: Timestamp) -> String? {
        let identity = change.content.episode?.identity
        if change.device.utf8.count > Self.mostDeviceBytes { return "the name of a device is too long" }
        if change.time.milliseconds > now.milliseconds + Self.longestLead {
            return "\(change.device) has a clock that is more than a week ahead"
        }
        if max(identity?.guid?.utf8.count ?? 0, identity?.url.utf8.count ?? 0) > Self.mostIdentityBytes {
            return "an episode's GUID or address is too long"
        }
        switch change.content {
        case .subscription(let url, _) where !WebAddress.isFetchable(url): return "\(url) is not the address of a feed"
        case .note(_, let text?) where text.utf8.count > Episode.maximumNoteBytes: return "a note is too long"
        case .queueEntry(_, let copy, _) where !(0..<Self.copyNumbers).contains(copy):
            return "an entry's number is too large"
        case .bookmark(_, _, let part?) where part.text.utf8.count > Bookmark.maximumBytes:
            return "the text of a bookmark is too long"
        case _: return change.textBytes > Self.mostBytes ? "the texts of a change are too long" : nil
        }
    }

    /// Counts a removal of what was never here. Its row is needed in case that a third library adds it.
    private func countRemoval(_ change: LibraryChange) throws {
        let count: Int? = try connection.value("SELECT removals FROM change_log")
        if count ?? 0 >= Self.mostRemovals || change.textBytes > Self.mostUnknownBytes {
            throw LibraryError.refused("too much is removed that was never here")
        }
        try run("UPDATE change_log SET removals = removals + 1")
    }

    private func looseEpisodes() throws -> Int {
        try connection.value(
            "SELECT count(*) FROM episode WHERE feed = (SELECT id FROM feed WHERE kind = \(literal: FeedKind.loose))")
            ?? 0
    }

    private enum Verdict {
        /// The change is not later.
        case leave
        case adopt
        /// Adopt an earlier value, as a change made here now.
        case adoptAsOurs
        /// Keep the value here, as a change made here now.
        case keepOurs
    }

    private func verdict(
        on change: ChangeFromOther, _ subject: ChangedSubject, _ known: LoggedChange?
    ) throws -> Verdict {
        if change.isBusy { return .leave }
        let isLater = try isLater(change.change, than: subject, known)
        if change.isFirst {
            let isSetHere = try content(of: subject).map { !$0.isRemoval } ?? false
            switch (isSetHere, change.change.content.isRemoval) {
            // A removal on one side must not remove a value of the other side.
            case (true, true): return .keepOurs
            case (false, false) where !isLater: return .adoptAsOurs
            case (true, false), (false, _): break
            }
        }
        return isLater ? .adopt : .leave
    }

    /// A row of the log.
    struct LoggedChange {
        let revision: Int64
        let time: Timestamp
        let device: String
    }

    func row(of subject: ChangedSubject) throws -> LoggedChange? {
        try connection.first(
            """
            SELECT revision, time, device FROM library_change
            WHERE owner = \(subject.owner) AND kind = \(subject.kind.rawValue) AND name = \(subject.name)
            """
        ) { LoggedChange(revision: $0["revision"], time: $0["time"], device: $0["device"]) }
    }

    /// Whether a change wins over the logged one.
    ///
    /// Many servers keep whole seconds. If both playback changes are in the same second, played wins over unplayed, then the greater
    /// position wins.
    func isLater(_ change: LibraryChange, than subject: ChangedSubject, _ known: LoggedChange?) throws -> Bool {
        guard let known else { return true }
        if case .playback(_, let new) = change.content, change.time.milliseconds % 1000 == 0,
            change.time.seconds == known.time.seconds, case .playback(_, let own)? = try content(of: subject)
        {
            if new.isPlayed != own.isPlayed { return new.isPlayed }
            return Int64(new.position.seconds) > Int64(own.position.seconds)
        }
        return (change.time, change.device) > (known.time, known.device)
    }

    /// Writes a row of the log.
    /// - Parameter change: the change with its time and library; nil for a change made here now.
    func log(_ subject: ChangedSubject, as change: LibraryChange?) throws {
        try run("UPDATE change_log SET revision = max(revision + 1, \(raw: HistoryStore.currentTime))")
        try run(
            """
            INSERT INTO library_change
            SELECT \(subject.owner), \(subject.kind.rawValue), \(subject.name), revision,
              coalesce(\(change?.time), revision), coalesce(\(change?.device), device) FROM change_log WHERE true
            ON CONFLICT DO UPDATE SET revision = excluded.revision, time = excluded.time, device = excluded.device
            """)
    }

    // MARK: subjects

    /// The episodes of the changes, by the index of the change.
    private func episodes(
        of changes: [LibraryChange], _ files: [String: EpisodeID]
    ) throws -> [Int: EpisodeID] {
        var found: [Int: EpisodeID] = [:]
        var named: [String: [EpisodeIdentity: [Int]]] = [:]
        for (index, change) in changes.enumerated() {
            guard let name = change.content.episode, WebAddress.isFetchable(name.identity.url) else { continue }
            if let feed = name.feed {
                named[feed, default: [:]][name.identity, default: []].append(index)
            } else {
                let url = name.identity.url
                found[index] = try files[url] ?? library.episodes.stored(url: url, limit: 1).first?.id
            }
        }
        for (url, identities) in named {
            let names = identities.map { $0 }
            guard let feed = try feed(url, of: names.map(\.key)),
                let last = try refreshStore.lastEpisode(of: feed)
            else { continue }
            let episodes = names.map { PortableEpisode($0.key) }
            for (place, id) in try library.imports.matches(of: episodes, in: feed, through: last) {
                for index in names[place].value { found[index] = EpisodeID(id) }
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

    /// Returns nil if the library does not have the episode.
    private func subject(of change: LibraryChange, _ episode: EpisodeID?) throws -> ChangedSubject? {
        func feed(_ url: String?) throws -> Int64 {
            guard let url else { return 0 }
            guard let id = try library.feeds.id(url: url) else { throw LibraryError.notFound(url) }
            return id.rawValue
        }
        func ofEpisode(_ kind: LibraryChange.Kind, _ name: String = "") -> ChangedSubject? {
            episode.map { ChangedSubject(kind: kind, owner: $0.rawValue, name: name) }
        }
        switch change.content {
        case .playback: return ofEpisode(.playback)
        case .subscription(let url, _):
            let known = try library.feeds.subscribed(url: url).map { try library.feeds.stored($0).url }
            return ChangedSubject(kind: .subscription, name: known ?? url)
        case .star: return ofEpisode(.star)
        case .note: return ofEpisode(.note)
        case .bookmark(_, let created, _): return ofEpisode(.bookmark, "\(created.milliseconds)")
        case .queueEntry(_, let copy, _): return ofEpisode(.queueEntry, "\(copy)")
        case .tag(let name, let url, _): return ChangedSubject(kind: .tag, owner: try feed(url), name: name)
        case .feedSetting(let setting, let url, _):
            guard FeedSetting.shared.contains(setting) else { throw LibraryError.refused("\(setting) is not shared") }
            return ChangedSubject(kind: .feedSetting, owner: try feed(url), name: setting.rawValue)
        case .retention(let url, _): return ChangedSubject(kind: .retention, owner: try feed(url))
        case .rule(let text, let url, _):
            var rule = try RuleText(parsing: text)
            rule.condition = try rule.condition.lookingUp(feeds: library.imports.subscription)
            return ChangedSubject(kind: .rule, owner: try feed(url), name: rule.description)
        case .playlist(let name, _, _): return ChangedSubject(kind: .playlist, name: name)
        case .speed: return ChangedSubject(kind: .speed)
        }
    }

    // MARK: values

    /// - Returns: false if the value here differs from the change afterwards.
    private func set(
        _ change: ChangeFromOther, _ subject: ChangedSubject, _ applied: inout AppliedChanges
    ) throws -> Bool {
        let owner = subject.owner
        switch change.change.content {
        case .playback(_, let playback):
            applied.episodes += 1
            if applied.details.count < SyncAccount.mostDetails,
                case .playback(let episode, let own)? = try content(of: subject)
            {
                applied.details.append("\(episode.identity.title ?? episode.identity.url): \(own) becomes \(playback)")
            }
            try library.imports.replacePlayback(
                of: EpisodeID(owner), with: PortableEpisode(change.change, playback, at: change.now))
        case .subscription(let url, let isSet):
            let feed = try library.feeds.subscribed(url: url)
            if let feed, !isSet {
                try library.feeds.hide(feed, at: change.now)
                applied.feedsRemoved.append(feed)
            } else if feed == nil, isSet {
                let count: Int? = try connection.value(
                    "SELECT count(*) FROM feed WHERE kind = \(literal: FeedKind.subscribed)")
                if count ?? 0 >= Self.mostFeeds { throw LibraryError.refused("\(Self.mostFeeds) feeds are subscribed") }
                applied.feedsAdded.append(
                    try library.feeds.subscribe(url: url, title: nil, subscribed: change.now, at: change.now))
            }
        case .star(_, let isSet):
            try run("UPDATE episode SET starred = \(isSet) WHERE id = \(owner) AND starred <> \(isSet)")
        case .note(_, let text): try library.episodes.writeNote(text, of: EpisodeID(owner))
        case .bookmark(_, let created, let part):
            try library.bookmarks.replace(created, with: part, of: EpisodeID(owner))
        case .queueEntry(_, let copy, let place): return try set(place, of: copy, change, EpisodeID(owner))
        case .tag(let name, _, let isSet):
            if ImportStore.tag(name) != name { throw LibraryError.refused("a tag cannot be kept") }
            try run("DELETE FROM feed_tag WHERE feed = \(owner) AND tag = \(name)")
            if isSet { try library.imports.addTags([name], to: FeedID(owner)) }
            let isKept = try connection.exists("SELECT 1 FROM feed_tag WHERE feed = \(owner) AND tag = \(name)")
            if isKept != isSet { throw LibraryError.refused("a feed has too many tags") }
        case .feedSetting(let setting, _, let value):
            if let value, let objection = setting.objection(to: value) { throw LibraryError.refused(objection) }
            try library.feeds.write(setting, value, of: FeedID(owner))
        case .retention(_, let policy):
            try library.retention.write(
                try policy.map(RetentionPolicy.init(parsing:)), of: owner == 0 ? nil : FeedID(owner))
        case .rule(_, _, let place):
            try library.rules.write(subject.name, of: owner == 0 ? nil : FeedID(owner), at: place)
        case .playlist(let name, let filter, let isOldestFirst):
            let playlist = try filter.map {
                try library.imports.playlist(
                    PortablePolicies.Playlist(name: name, filter: $0, isOldestFirst: isOldestFirst))
            }
            if let playlist {
                try library.playlists.write(playlist)
            } else {
                try run("DELETE FROM smart_playlist WHERE name = \(name) COLLATE NOCASE")
            }
        case .speed: break
        }
        return true
    }

    /// - Returns: false if the entry stays, or gets another place.
    private func set(_ place: Int64?, of copy: Int64, _ change: ChangeFromOther, _ episode: EpisodeID) throws -> Bool {
        let entry: Int64? = try connection.value(
            "SELECT id FROM queue_entry WHERE episode = \(episode) AND copy = \(copy)")
        switch (entry, place) {
        case (nil, nil): break
        case (let entry?, nil):
            if episode == change.busy { return false }
            try run("DELETE FROM queue_entry WHERE id = \(entry)")
        case (_?, _?) where change.isFirst: return false
        case (let entry?, let place?):
            try run("UPDATE queue_entry SET place = \(QueueStore.bounded(place)) WHERE id = \(entry)")
        case (nil, let place?):
            let entries: Int? = try connection.value("SELECT count(*) FROM queue_entry WHERE episode = \(episode)")
            if entries ?? 0 >= Self.mostCopies { throw LibraryError.refused("an episode is in the queue too often") }
            let end = change.isFirst ? try library.queue.freePlaces(1, at: .max, without: []).first : nil
            try run(
                """
                INSERT INTO queue_entry(place, episode, copy)
                VALUES (\(end ?? QueueStore.bounded(place)), \(episode), \(copy))
                """)
            return end == nil
        }
        return true
    }

    /// Stores the change until a refresh adds its episode.
    private func postpone(_ change: ChangeFromOther, _ applied: inout AppliedChanges) throws {
        let content = change.change.content
        guard let name = content.episode, WebAddress.isFetchable(name.identity.url), let url = name.feed else {
            applied.unchanged += 1
            return
        }
        guard let feed = try library.feeds.id(url: url) else { throw LibraryError.notFound(url) }
        let isSame: SQL = "feed = \(feed) AND url = \(name.identity.url) AND guid IS \(name.identity.guid)"
        func known() throws -> (row: Int64, episode: PortableEpisode)? {
            try connection.first("SELECT * FROM imported_episode WHERE \(isSame)") {
                ($0["id"], PortableEpisode(row: $0))
            }
        }
        if try known() == nil, !content.isRemoval {
            let waiting = try applied.waiting ?? connection.value("SELECT count(*) FROM imported_episode") ?? 0
            let texts = [name.identity.guid, name.identity.url, name.identity.title].compactMap(\.self)
            if waiting >= Self.mostWaiting || texts.reduce(0, { $0 + $1.utf8.count }) > Self.mostUnknownBytes {
                throw LibraryError.refused("\(waiting) episodes wait for a refresh of their feed")
            }
            applied.waiting = waiting + 1
            try library.imports.addWaiting(PortableEpisode(name.identity), of: feed, place: nil)
        }
        guard case (let row, var episode)? = try known() else { return }
        var update: SQL = ""
        switch content {
        case .playback(_, let playback):
            let subject = ChangedSubject(kind: .playback, owner: row, name: ChangedSubject.waiting)
            guard try isLater(change.change, than: subject, self.row(of: subject)) else {
                applied.unchanged += 1
                return
            }
            let state = PortableEpisode(change.change, playback, at: change.now)
            try run(
                """
                UPDATE imported_episode SET played = \(state.isPlayed), position = \(state.position),
                  last_played = \(state.lastPlayed), marked = \(state.marked) WHERE id = \(row)
                """)
            try log(subject, as: change.change)
            applied.changed += 1
            return
        case .star(_, let isSet): update = "starred = \(isSet)"
        case .note(_, let text): update = "note = \(text)"
        case .queueEntry(_, _, let place): update = "queue_place = \(place.map(QueueStore.bounded))"
        case .bookmark(_, let created, let part):
            episode.bookmarks.removeAll { $0.created == created }
            if let part { episode.bookmarks.append(PortableBookmark(part, created: created)) }
            update = "bookmarks = \(Array(episode.bookmarks.prefix(Bookmark.maximumOfEpisode)).storedText)"
        case .subscription, .tag, .feedSetting, .retention, .rule, .playlist, .speed: return
        }
        try run("UPDATE imported_episode SET \(update) WHERE id = \(row)")
        applied.changed += 1
    }
}

extension LibraryChange.Playback: CustomStringConvertible {
    public var description: String { isPlayed ? "played" : position.description }
}

extension PortableEpisode {
    /// The episode of another library with the playback that a change sets.
    fileprivate init(_ change: LibraryChange, _ playback: LibraryChange.Playback, at now: Timestamp) {
        self.init(change.content.episode?.identity ?? EpisodeIdentity(url: ""))
        // The other clock may be ahead.
        let time = min(change.time, now)
        position = max(.zero, playback.position)
        isPlayed = playback.isPlayed
        if isPlayed || position > .zero { lastPlayed = time }
        if position == .zero { marked = time }
    }
}

extension LibraryChange.Content {
    /// Whether a change of the same subject has the same value. Libraries may know an episode by different names.
    fileprivate func hasValue(of other: LibraryChange.Content) -> Bool {
        switch (self, other) {
        case (.playback(_, let own), .playback(_, let new)): own == new
        case (.star(_, let own), .star(_, let new)), (.subscription(_, let own), .subscription(_, let new)): own == new
        case (.note(_, let own), .note(_, let new)): own == new
        case (.bookmark(_, _, let own), .bookmark(_, _, let new)): own == new
        case (.queueEntry(_, _, let own), .queueEntry(_, _, let new)): own == new
        case _: self == other
        }
    }

    /// A setting of the daemon, which the library does not store.
    fileprivate var isSpeed: Bool { if case .speed = self { true } else { false } }
}

/// A change with the state of this library that it depends on.
private struct ChangeFromOther {
    let change: LibraryChange
    let isFirst: Bool
    let busy: EpisodeID?
    let now: Timestamp
    /// The episode of the change; nil if the library does not have it.
    var episode: EpisodeID?

    /// Whether the change would move the position of the episode that plays here.
    var isBusy: Bool {
        guard case .playback = change.content, let busy else { return false }
        return busy == episode
    }

    init(_ change: LibraryChange, isFirst: Bool, busy: EpisodeID?, now: Timestamp) {
        self.change = change
        self.isFirst = isFirst
        self.busy = busy
        self.now = now
    }
}
