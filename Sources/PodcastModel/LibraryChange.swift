/// A user's change of one subject (a position, a star, a queue entry, a tag …), for the user's other devices.
///
/// Feeds and episodes have the publishers' names, because ids are local.
public struct LibraryChange: Equatable, Sendable {
    /// Everything that another library needs to identify an episode.
    public struct EpisodeName: Equatable, Sendable {
        /// Address of the feed; nil for a single file.
        public var feed: String?
        public var identity: EpisodeIdentity

        public init(feed: String?, _ identity: EpisodeIdentity) {
            self.feed = feed
            self.identity = identity
        }
    }

    /// A bookmarked position, or a part that playback skips.
    public struct MarkedPart: Equatable, Sendable {
        public var position: MediaTime
        /// End of the part that is skipped.
        public var skipTo: MediaTime?
        public var text: String

        public init(position: MediaTime, skipTo: MediaTime?, text: String) {
            self.position = position
            self.skipTo = skipTo
            self.text = text
        }
    }

    /// How far the user has listened to an episode.
    public struct Playback: Equatable, Sendable {
        /// Zero after the end of the episode.
        public var position: MediaTime
        /// Whether the episode was played, even if the user listens to it again.
        public var isPlayed: Bool

        public init(position: MediaTime = .zero, isPlayed: Bool) {
            self.position = position
            self.isPlayed = isPlayed
        }
    }

    public enum Kind: String, Sendable, CaseIterable {
        case playback, subscription, star, note, bookmark, queueEntry, tag, feedSetting, retention, rule, playlist,
            speed
    }

    /// A subject with its new value. Nil and false are removals. Places order queue entries and rules, equally in all libraries.
    public enum Content: Equatable, Sendable {
        case playback(EpisodeName, Playback)
        case subscription(feed: String, isSet: Bool)
        case star(EpisodeName, Bool)
        case note(EpisodeName, String?)
        /// - Parameter created: unique among the bookmarks of an episode.
        case bookmark(EpisodeName, created: Timestamp, MarkedPart?)
        /// - Parameter copy: unique among the queue entries of an episode.
        case queueEntry(EpisodeName, copy: Int64, place: Int64?)
        case tag(String, feed: String, isSet: Bool)
        case feedSetting(FeedSetting, feed: String, String?)
        /// - Parameter feed: nil for feeds without their own policy.
        case retention(feed: String?, String?)
        case rule(String, feed: String?, place: Int64?)
        case playlist(String, filter: String?, isOldestFirst: Bool)
        /// Speed of all feeds that have none of their own.
        case speed(String?)
    }

    public var content: Content
    /// Time of the change; 1970 if unknown.
    public var time: Timestamp
    /// Id of the library in which the user made the change, or name of the device.
    public var device: String
    /// Place in the log that lists the change; 0 outside a log.
    public var revision: Int64 = 0

    public init(_ content: Content, at time: Timestamp, in device: String) {
        self.content = content
        self.time = time
        self.device = device
    }
}

extension LibraryChange.Content {
    public var kind: LibraryChange.Kind {
        switch self {
        case .playback: .playback
        case .subscription: .subscription
        case .star: .star
        case .note: .note
        case .bookmark: .bookmark
        case .queueEntry: .queueEntry
        case .tag: .tag
        case .feedSetting: .feedSetting
        case .retention: .retention
        case .rule: .rule
        case .playlist: .playlist
        case .speed: .speed
        }
    }

    public var episode: LibraryChange.EpisodeName? {
        switch self {
        case .playback(let episode, _), .star(let episode, _), .note(let episode, _), .bookmark(let episode, _, _),
            .queueEntry(let episode, _, _):
            episode
        case .subscription, .tag, .feedSetting, .retention, .rule, .playlist, .speed: nil
        }
    }

    public var isRemoval: Bool {
        switch self {
        case .playback: false
        case .subscription(_, let isSet), .star(_, let isSet), .tag(_, _, let isSet): !isSet
        case .note(_, let text): text == nil
        case .bookmark(_, _, let part): part == nil
        case .queueEntry(_, _, let place), .rule(_, _, let place): place == nil
        case .feedSetting(_, _, let value), .retention(_, let value), .playlist(_, let value, _), .speed(let value):
            value == nil
        }
    }
}

extension LibraryChange {
    /// Size of the texts in JSON, at most.
    public var textBytes: Int {
        let episode = content.episode
        var texts = [device, episode?.feed, episode?.identity.guid, episode?.identity.url, episode?.identity.title]
        switch content {
        case .playback, .star, .queueEntry, .retention, .speed: break
        case .note(_, let text): texts.append(text)
        case .bookmark(_, _, let part): texts.append(part?.text)
        case .subscription(let feed, _): texts.append(feed)
        case .tag(let name, let feed, _): texts += [name, feed]
        case .feedSetting(_, let feed, let value): texts += [feed, value]
        case .rule(let text, let feed, _): texts += [text, feed]
        case .playlist(let name, let filter, _): texts += [name, filter]
        }
        // A character that JSON escapes takes six bytes.
        return texts.reduce(100) { sum, text in
            (text ?? "").utf8.reduce(sum) { $0 + ($1 < 0x20 || $1 == 0x22 || $1 == 0x5C || $1 == 0x7F ? 6 : 1) }
        }
    }
}
