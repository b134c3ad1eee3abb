public import ControlLanguage
public import ControlProtocol
public import PodcastModel

/// What the daemon's clients show, kept current from a connection's events: pass each event to `apply`, and answer what
/// `partsToReload`, `feedsToRead` and `episodesToRead` name with a command, whose reply goes to `apply` as well.
public struct ClientModel: Equatable, Sendable {
    /// The player, at the instant that it names; see `PlayerReply.position(at:)`.
    public private(set) var player = PlayerReply()
    /// The queue's length and current index.
    public private(set) var queue = QueueExtentReply()
    /// The queue's entries, in order. Entries that were inserted since the last reading have no episode.
    public private(set) var entries: [EntryReply] = []
    /// Work in progress, in the order in which it began.
    public private(set) var activities: [ActivityReply] = []
    public private(set) var outputs: [OutputReply] = []
    /// All settings as they were last read.
    public private(set) var settings: [SettingReply] = []
    /// The feeds by title, as they were last read.
    public var feeds: [FeedReply] { feedCopy.rows }
    /// The episodes of the list that was last read.
    public var episodes: [EpisodeReply] { episodeCopy.rows }
    /// The daemon's greeting; nil while there is no connection. The other values then stay as they were last known.
    public private(set) var greeting: HelloReply?
    /// The parts whose rows must be read again, because their changes are unknown or lack content.
    public private(set) var partsToReload: StatusParts = []
    private var feedCopy = ListCopy<FeedReply>()
    private var episodeCopy = ListCopy<EpisodeReply>()
    /// The number of the last event that changed each part, by the part's raw value.
    private var sequences: [UInt64]
    /// The revision of the queue that `entries` is; nil if it is not the whole queue.
    private var entriesRevision: UInt64?

    /// A model that knows nothing.
    public init() { sequences = [UInt64](repeating: 0, count: StatusPart.allCases.count) }

    /// A number that rises with each change of a part: two equal ones mean that nothing has changed in between.
    public func revision(of part: StatusPart) -> UInt64 { sequences[Int(part.rawValue)] }

    /// Takes what a connection reported.
    public mutating func apply(_ event: ConnectionEvent) {
        switch event {
        case .greeted(let hello): greeting = hello
        case .snapshot(let snapshot): apply(snapshot)
        case .changed(let change): apply(change)
        case .lost:
            greeting = nil
            // Another daemon may count its revisions from the beginning.
            entriesRevision = nil
            feedCopy.forgetRevision()
            episodeCopy.forgetRevision()
        }
    }

    /// Feeds whose rows changed or are new: `feeds.show` reads one.
    public var feedsToRead: [FeedID] { feedCopy.rowsToRead.sorted().map { FeedID($0) } }
    /// Episodes of the list whose rows changed: `episodes.show` reads one.
    public var episodesToRead: [EpisodeID] { episodeCopy.rowsToRead.sorted().map { EpisodeID($0) } }

    /// Takes the values of all parts in a snapshot; lists of which it holds no rows are to be reloaded.
    public mutating func apply(_ snapshot: SnapshotReply) {
        for part in StatusPart.allCases {
            guard let value = snapshot.parts[part] else { continue }
            apply(EventReply(sequence: snapshot.sequence, part: part, value: value))
        }
    }

    /// Takes the new value of a part and the changes of its list.
    public mutating func apply(_ change: EventReply) {
        sequences[Int(change.part.rawValue)] = change.sequence
        switch change.part {
        case .player: if let value = PlayerReply(json: change.value) { player = value }
        case .queue: applyToQueue(change)
        case .activities: activities = [ActivityReply](json: change.value)
        case .outputs: outputs = [OutputReply](json: change.value)
        case .feeds: if !feedCopy.apply(change, readingNewRows: true) { partsToReload.insert(StatusParts(.feeds)) }
        case .episodes:
            // A new episode may belong into the list, which only the daemon knows.
            if !episodeCopy.apply(change, readingNewRows: false) { partsToReload.insert(StatusParts(.episodes)) }
        case .settings, .playlists, .rules, .downloads:
            partsToReload.insert(StatusParts(change.part))
        }
    }

    /// Takes the queue's entries from its beginning.
    public mutating func apply(_ list: QueueListReply) {
        (entries, queue) = (list.entries, list.extent)
        entriesRevision = list.hasAfter ? nil : list.extent.revision
        partsToReload.remove(StatusParts(.queue))
    }

    /// Takes an entry of the queue that was read because its episode changed.
    public mutating func apply(_ entry: EntryReply) {
        guard let index = entries.firstIndex(where: { $0.id == entry.id }) else { return }
        entries[index].episode = entry.episode
    }

    public mutating func apply(_ list: SettingListReply) {
        settings = list.settings
        partsToReload.remove(StatusParts(.settings))
    }

    public mutating func apply(_ list: FeedListReply) {
        feedCopy.replace(list.feeds)
        partsToReload.remove(StatusParts(.feeds))
    }

    /// Takes a feed that was read because its row changed.
    public mutating func apply(_ feed: FeedReply) {
        let title = feed.feed.title.lowercased()
        feedCopy.update(feed) { others, former in
            if former?.feed.title == feed.feed.title { return nil }
            return others.firstIndex { $0.feed.title.lowercased() > title } ?? others.endIndex
        }
    }

    /// Takes the rows of a list of episodes.
    public mutating func apply(_ list: EpisodeListReply) {
        episodeCopy.replace(list.episodes)
        partsToReload.remove(StatusParts(.episodes))
    }

    /// Takes an episode that was read because its row changed.
    public mutating func apply(_ episode: EpisodeReply) { episodeCopy.update(episode) { _, _ in nil } }

    /// Notes that a feed or an episode that was to be read does not exist any more.
    public mutating func noteMissing(_ feed: FeedID) { feedCopy.remove(feed.rawValue) }
    public mutating func noteMissing(_ episode: EpisodeID) { episodeCopy.remove(episode.rawValue) }

    /// Notes that a part whose rows this model does not keep was read again.
    public mutating func noteReloaded(_ part: StatusPart) { partsToReload.remove(StatusParts(part)) }

    // MARK: the queue

    private mutating func applyToQueue(_ change: EventReply) {
        if let value = QueueExtentReply(json: change.value) { queue = value }
        defer { markCurrentEntry() }
        if entriesRevision == queue.revision { return }
        guard let since = change.since, since == entriesRevision, change.needsReload != true,
            change.changes.allSatisfy({ applyToEntries($0) })
        else {
            entriesRevision = nil
            partsToReload.insert(StatusParts(.queue))
            return
        }
        entriesRevision = change.revision
    }

    /// - Returns: false if the change does not fit the entries.
    private mutating func applyToEntries(_ change: RowChange) -> Bool {
        guard let id = change.id.map({ EntryID($0) }), let index = change.index.map({ $0 - 1 }) else { return false }
        switch change.kind {
        case .insert:
            guard (0...entries.count).contains(index) else { return false }
            entries.insert(EntryReply(id: id, index: index + 1, isCurrent: false, episode: nil), at: index)
            partsToReload.insert(StatusParts(.queue))
        case .delete:
            guard entries.indices.contains(index), entries[index].id == id else { return false }
            entries.remove(at: index)
        case .move:
            guard let from = change.from.map({ $0 - 1 }), entries.indices.contains(from), entries[from].id == id,
                entries.indices.contains(index)
            else { return false }
            entries.insert(entries.remove(at: from), at: index)
        case .update: partsToReload.insert(StatusParts(.queue))
        }
        return true
    }

    private mutating func markCurrentEntry() {
        for index in entries.indices {
            entries[index].index = index + 1
            entries[index].isCurrent = index + 1 == queue.index
        }
    }
}
