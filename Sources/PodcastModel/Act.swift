/// What a listener, or a rule, did that can be undone. The raw value is the word of the control protocol and of the library.
public enum Act: String, Sendable, CaseIterable {
    /// Moved within an episode.
    case seek
    /// Marked as played, or heard to the end.
    case markedPlayed = "played"
    case markedUnplayed = "unplayed"
    case starred = "star"
    case unstarred = "unstar"
    /// Wrote, changed or removed a note.
    case noted = "note"
    /// Put entries into the queue.
    case added = "add"
    /// Took entries out of the queue.
    case removed = "remove"
    case cleared = "clear"
    /// Moved an entry of the queue.
    case moved = "move"
    case shuffled = "shuffle"
    /// Rules queued, marked or hid what came, within about a minute.
    case ruled = "rules"
    case subscribed = "subscribe"
    case unsubscribed = "unsubscribe"
    /// Changed a setting, of a feed or of the daemon.
    case set
    /// Added, changed or removed an output.
    case output
    /// Added, removed or moved a rule.
    case rule
    /// Changed how much is kept in lists.
    case retention
    /// Saved or removed a playlist.
    case playlist
    case downloaded = "download"
    /// Deleted downloaded files, or withdrew requests.
    case deleted = "delete"
    /// Made two subscriptions one.
    case feedsMerged = "merge"
    case imported = "import"
    /// Another device has sent what was done there.
    case synced = "sync"
    /// Added, changed or removed a bookmark.
    case bookmarked = "bookmark"
    /// Changed the playback speed, of a feed or of all.
    case speed

    /// The properties of an act that undo uses.
    public struct Traits: Sendable {
        public enum Counted: Sendable {
            case episodes, entries, subscriptions
            /// A setting, rule, policy or playlist.
            case object
            /// The act itself has the number.
            case nothing
        }

        /// The objects that lists of steps count.
        public var counted = Counted.episodes
        public var isOfQueue = false
        /// Whether the act changes the order of the queue alone.
        public var isOfOrder = false
        /// Whether the command of the act needs the permission `admin`.
        public var needsAdmin = false
        /// Whether a message about the undone act names its title instead of an episode.
        public var isOfTitle = false
    }

    public var traits: Traits {
        switch self {
        case .seek, .markedPlayed, .markedUnplayed, .starred, .unstarred, .noted, .bookmarked, .downloaded, .deleted:
            Traits()
        case .ruled: Traits(isOfQueue: true)
        case .added, .removed, .cleared: Traits(counted: .entries, isOfQueue: true)
        case .moved, .shuffled: Traits(counted: .nothing, isOfQueue: true, isOfOrder: true)
        case .subscribed, .unsubscribed: Traits(counted: .subscriptions, needsAdmin: true)
        case .feedsMerged, .imported: Traits(counted: .subscriptions, needsAdmin: true, isOfTitle: true)
        case .set, .rule, .retention: Traits(counted: .object, needsAdmin: true, isOfTitle: true)
        case .output, .playlist, .speed: Traits(counted: .object, isOfTitle: true)
        case .synced: Traits(isOfTitle: true)
        }
    }

    /// Effect of undo or redo on a playlist, rule or bookmark.
    public enum Outcome: String, Sendable, CaseIterable { case removed, restored, changed }
}

/// An act that can be undone or redone.
public struct UndoableAct: Equatable, Sendable {
    public var act = Act.seek
    /// Number of its episodes, queue entries or feeds.
    public var count = 0
    /// The title of the first of them, a rule, the name of a playlist or file.
    public var title = ""
    public var obstacle: String?
    public var id: Int64 = 0
    public var time = Timestamp(milliseconds: 0)

    public init() {}
}
