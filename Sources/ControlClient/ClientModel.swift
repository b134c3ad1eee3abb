public import ControlLanguage
public import ControlProtocol
public import PodcastModel
public import Reporting

/// What the daemon's clients show, kept current from a connection's events: pass each event to `apply`, and answer what
/// `partsToReload` names with a command, whose reply goes to `apply` as well.
public struct ClientModel: Equatable, Sendable {
    /// The player at the instant in the reply; see `PlayerReply.position(at:)`.
    public private(set) var player = PlayerReply()
    /// The queue's length and current index.
    public private(set) var queue = QueueExtent()
    /// The queue's entries, in order. Entries that were inserted since the last reading have no episode.
    public private(set) var entries: [EntryReply] = []
    /// Activities in progress, the oldest first.
    public private(set) var activities: [Activity] = []
    public private(set) var outputs: [OutputReply] = []
    /// The feeds by title, as they were last read.
    public private(set) var feeds: [FeedReply] = []
    /// The daemon's greeting; nil while there is no connection. The other values then stay as they were last known.
    public private(set) var greeting: HelloReply?
    /// `queue` and `feeds`, if their rows must be read again, because their changes are unknown or lack content.
    public private(set) var partsToReload: StatusParts = []
    /// The number of the last event that changed each part, by the part's `index`.
    private var sequences: [UInt64]
    /// The queue's revision that `entries` shows; nil if `entries` is not the whole queue.
    private var entriesRevision: UInt64?
    private var areFeedsRead = false
    /// The revision of the feeds after the last event; nil before the first.
    private var feedsRevision: UInt64?

    public init() { sequences = [UInt64](repeating: 0, count: StatusPart.allCases.count) }

    /// Feed and episode in one line, for players that show one title.
    public var title: String {
        [player.feed?.title, player.episode?.title].compactMap { $0.flatMap { SafeText.title($0) } }
            .joinedText(" - ")
    }

    /// A number that increases with each change of a part.
    public func revision(of part: StatusPart) -> UInt64 { sequences[part.index] }

    public mutating func apply(_ event: ConnectionEvent) {
        switch event {
        case .greeted(let hello): greeting = hello
        case .snapshot(let snapshot): apply(snapshot)
        case .changed(let change): apply(change)
        case .lost:
            greeting = nil
            // Another daemon may count its revisions from the beginning.
            entriesRevision = nil
            feedsRevision = nil
            areFeedsRead = false
        }
    }

    /// Applies the values of all parts in a snapshot; lists without rows in the snapshot must be read again.
    mutating func apply(_ snapshot: SnapshotReply) {
        for part in StatusPart.allCases {
            guard let value = snapshot.parts[part] else { continue }
            apply(EventReply(sequence: snapshot.sequence, part: part, value: value))
        }
    }

    /// Applies the new value of a part and the changes of its list.
    mutating func apply(_ change: EventReply) {
        sequences[change.part.index] = change.sequence
        switch change.part {
        case .player: if let value = PlayerReply(json: change.value) { player = value }
        case .queue: applyToQueue(change)
        case .activities: activities = [Activity](json: change.value)
        case .outputs: outputs = [OutputReply](json: change.value)
        case .feeds:
            if !applyToFeeds(change) {
                areFeedsRead = false
                partsToReload.insert(StatusParts(.feeds))
            }
        case .episodes, .settings, .playlists, .rules, .downloads, .sync: break
        }
    }

    /// Replaces the queue's entries by the entries of a list that starts at the beginning of the queue.
    public mutating func apply(_ list: QueueListReply) {
        entries = list.entries
        queue = list.extent
        entriesRevision = list.hasAfter ? nil : list.extent.revision
        partsToReload.remove(StatusParts(.queue))
    }

    /// Replaces an episode in the queue by its new content. Returns whether the queue has the episode.
    @discardableResult public mutating func apply(_ episode: EpisodeReply) -> Bool {
        let id = episode.episode.id
        let indices = entries.indices.filter { entries[$0].episode?.episode.id == id }
        for index in indices { entries[index].episode = episode }
        return !indices.isEmpty
    }

    public mutating func apply(_ list: FeedListReply) {
        feeds = list.rows
        areFeedsRead = true
        partsToReload.remove(StatusParts(.feeds))
    }

    // MARK: feeds

    /// - Returns: false if the list has to be read again.
    private mutating func applyToFeeds(_ event: EventReply) -> Bool {
        defer { feedsRevision = event.revision }
        guard areFeedsRead, event.needsReload != true, let since = event.since,
            feedsRevision == nil || feedsRevision == since
        else { return false }
        for change in event.changes {
            if change.kind == .delete {
                feeds.removeAll { $0.feed.id.rawValue == change.id }
            } else if let feed = change.row.flatMap({ FeedReply(json: $0) }) {
                put(feed)
            } else {
                return false
            }
        }
        return true
    }

    private mutating func put(_ feed: FeedReply) {
        let former = feeds.firstIndex { $0.feed.id == feed.feed.id }
        if let former, feeds[former].feed.title == feed.feed.title { return feeds[former] = feed }
        if let former { feeds.remove(at: former) }
        let title = feed.feed.title.lowercased()
        feeds.insert(feed, at: feeds.firstIndex { $0.feed.title.lowercased() > title } ?? feeds.endIndex)
    }

    // MARK: the queue

    private mutating func applyToQueue(_ change: EventReply) {
        if let value = QueueExtent(json: change.value) { queue = value }
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
