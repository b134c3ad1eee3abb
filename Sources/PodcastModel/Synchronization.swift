/// Something that was done to an episode on another device of the listener.
public struct DeviceAct: Equatable, Sendable {
    /// The raw values are those of gPodder's interface.
    public enum Kind: String, Sendable, CaseIterable {
        case play
        /// The mark of a played episode was taken away.
        case new
        /// The device has the file. No effect here.
        case download
        /// The device has the file no more. No effect here.
        case delete
    }

    public var kind = Kind.play
    /// URL of the feed; empty if unknown.
    public var feed = ""
    /// URL of the media file.
    public var url = ""
    public var guid: String?
    public var title: String?
    public var time = Timestamp(seconds: 0)
    /// Where the device stopped playing.
    public var position: MediaTime?
    /// Duration of the episode.
    public var total: MediaTime?
    /// Whether the episode is played, also if it is heard again; nil from devices that say only how far they came.
    public var isPlayed: Bool?

    public init() {}

    /// The end of an episode counts as heard: listeners stop in the credits.
    private static let ending = MediaTime(seconds: 30)

    /// Whether the episode was heard to its end.
    public var isEnd: Bool {
        guard kind == .play, let position, let total, total > .zero else { return false }
        if let isPlayed { return isPlayed && position >= total }
        return position >= total || total > Self.ending + Self.ending && position >= total - Self.ending
    }
}

/// The state of an episode that has changed, for the listener's other devices.
public struct EpisodeChange: Equatable, Sendable {
    /// Nil for an episode that no refresh has brought yet.
    public var id: EpisodeID?
    /// URL of the feed; nil for a single file.
    public var feed: String?
    public var guid: String?
    /// URL of the media file.
    public var url = ""
    public var title = ""
    public var duration: MediaTime?
    public var position = MediaTime.zero
    public var isPlayed = false
    /// When the listener brought the episode into this state.
    public var time = Timestamp(seconds: 0)
    /// Whether the listener undid an act for that, or did an act again.
    public var isUndone = false
    public var revision: Int64 = 0
    /// The place among the changes.
    public var key = ""

    public init() {}

    /// Whether a played episode is heard again: a mark and the end leave no position.
    public var isHeardAgain: Bool { isPlayed && position > .zero }
}

/// A feed that was added or removed, for the listener's other devices.
public struct SubscriptionChange: Equatable, Sendable {
    public var url = ""
    public var isSubscribed = true
    /// When, in seconds since 1970; 0 if unknown.
    public var revision: Int64 = 0

    public init() {}
}

/// What has changed in a library.
public struct LibraryChanges: Equatable, Sendable {
    /// What to ask for next time.
    public var revision: Int64 = 0
    /// The same for another podcastd: the time of the last change, so that it falls if an older library replaces this one.
    public var latest: Int64 = 0
    /// The least recent change first.
    public var episodes: [EpisodeChange] = []
    /// Whether there may be more.
    public var hasAfter = false

    public init() {}
}

/// A server with which podcast-sync synchronizes this library.
public struct SyncAccount: Equatable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        /// podcast-sync does not run.
        case off
        case idle
        case running
        /// The first synchronization waits for the listener's consent.
        case asking
        case failed
        /// The server refuses the login.
        case refused
    }

    public var name = ""
    /// Address of the server, with the user's name.
    public var server = ""
    public var state = State.off
    /// Why it failed, or what the first synchronization would change.
    public var message: String?
    /// After `sync try` and before the first synchronization: a line for each of the first episodes that would change.
    public var details: [String] = []
    public static let mostDetails = 20
    public var lastSync: Timestamp?
    /// Numbers of changes in the last synchronization that changed anything.
    public var received = 0
    public var sent = 0
    /// The revision of the server after which its changes are not here yet; 0 before the first synchronization.
    public var theirs: Int64 = 0
    /// The revision of the library after which the server does not have its changes yet.
    public var ours: Int64 = 0
    /// What another podcastd had the same after the last synchronization; only for podcast-sync.
    public var base = ""

    public init() {}
}

/// A device of the listener that synchronizes with this library.
public struct SyncDevice: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case desktop, laptop, mobile, server, other
    }

    /// As its client calls it.
    public var name = ""
    /// What the listener calls it.
    public var caption = ""
    public var kind = Kind.other
    public var lastContact = Timestamp(seconds: 0)
    /// Number of acts that the device has sent.
    public var acts = 0
    /// The user of podcast-web to whom its app password belongs; nil for a device without one.
    public var owner: String?

    public init() {}
}
