public import PodcastModel

/// A named operation in progress that somebody waits for.
public struct Activity: Equatable, Sendable {
    /// What sort of work it is; clients choose words and symbols by it.
    public enum Kind: String, Sendable, CaseIterable {
        /// Fetching, parsing and queueing what was asked for, up to the first sound.
        case loading
        /// Waiting for audio because the network or the decoder is behind.
        case buffering
        /// Moving to another place in an episode.
        case seeking
        /// Fetching feeds that are subscribed to.
        case refreshing
        /// Adding a feed.
        case subscribing
        /// Fetching an episode to keep.
        case downloading
        /// Writing a copy of the library.
        case backup
    }

    /// Unicode scalars of a message or subject. Titles and messages of other programs are cut to it, so that the activities
    /// of all clients together fit in one line of the control protocol.
    public static let maximumLength = 200

    /// Its number; never used twice in a process.
    public var id: UInt64
    /// What sort of work it is.
    public var kind: Kind
    /// For people: `Loading playlist`, `Buffering audio`. On a board it is one line without control characters, of at most
    /// `maximumLength` Unicode scalars.
    public var message: String
    /// What it is about: a feed's or an episode's title; bounded and cleaned like the message.
    public var subject: String?
    /// How far it is, 0 to 1, when that is known.
    public var progress: Double?
    /// When it began.
    public var since: Timestamp
    /// The activity it is a part of.
    public var parent: UInt64?

    /// An activity as watchers see it.
    public init(
        id: UInt64, kind: Kind, message: String, subject: String? = nil, progress: Double? = nil, since: Timestamp,
        parent: UInt64? = nil
    ) {
        self.id = id
        self.kind = kind
        self.message = message
        self.subject = subject
        self.progress = progress
        self.since = since
        self.parent = parent
    }
}

/// What whoever works needs: to say that an activity begins. Nothing else of the reporter is known to it.
public protocol ActivityReporting: Sendable {
    /// Begins an activity; it ends when the handle is ended or goes out of scope, so also on error and cancellation.
    /// May be called from any thread; never waits for a watcher.
    func begin(
        _ kind: Activity.Kind, _ message: String, subject: String?, progress: Double?, parent: ActivityHandle?
    ) -> ActivityHandle
}

extension ActivityReporting {
    /// Begins an activity without a known progress or parent.
    public func begin(_ kind: Activity.Kind, _ message: String, subject: String? = nil) -> ActivityHandle {
        begin(kind, message, subject: subject, progress: nil, parent: nil)
    }
}
