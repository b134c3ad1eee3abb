/// A user's change of one subject (a position, a star, a queue entry, a tag …), for the user's other devices.
public struct LibraryChange: Equatable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case playback, subscription, star, note, bookmark, queueEntry, tag, feedSetting, retention, rule, playlist,
            listEntry, speed
    }

    /// A thing that can be changed. Feeds and episodes have the publishers' names, because ids are local.
    public struct Subject: Equatable, Sendable {
        public var kind: Kind
        /// Address of the feed; nil for an episode that is a single file, and for all feeds.
        public var feed: String?
        public var episode: EpisodeIdentity?
        /// See `Form.Name`.
        public var name: String

        /// The number in the name.
        public var number: Int64? { Int64(name.prefix { $0 != " " }) }
        /// The playlist of an entry; nil for another subject.
        public var list: String? { kind == .listEntry ? String(name.drop { $0 != " " }.dropFirst()) : nil }

        public init(_ kind: Kind, feed: String? = nil, _ episode: EpisodeIdentity? = nil, name: String = "") {
            self.kind = kind
            self.feed = feed
            self.episode = episode
            self.name = name
        }
    }

    /// The members that the values of all kinds have; see `Form`.
    public struct Value: Equatable, Sendable {
        public var text: String?
        public var position: MediaTime?
        /// End of a bookmarked part that playback skips.
        public var skipTo: MediaTime?
        /// Orders queue entries, entries of playlists and rules, equally in all libraries.
        public var place: Int64?
        /// Whether the episode was played, even if the user listens to it again. After the end the position is zero.
        public var isPlayed = false

        public init(
            text: String? = nil, position: MediaTime? = nil, skipTo: MediaTime? = nil, place: Int64? = nil,
            isPlayed: Bool = false
        ) {
            self.text = text
            self.position = position
            self.skipTo = skipTo
            self.place = place
            self.isPlayed = isPlayed
        }

        /// Whether the first content is the greater one: a value is greater than none, played than unplayed, and then the greater position,
        /// place, end and text decides.
        public static func isGreater(_ one: Value?, than other: Value?) -> Bool {
            guard let one, let other else { return one != nil && other == nil }
            return one.order > other.order
        }

        private var order: (Int, Int64, Int64, Int64, String) {
            (isPlayed ? 1 : 0, position?.milliseconds ?? .min, place ?? .min, skipTo?.milliseconds ?? .min, text ?? "")
        }

        /// A playback in messages.
        public var playback: String { isPlayed ? "played" : (position ?? .zero).description }
    }

    /// The parts of the subjects and values of a kind.
    public struct Form: Sendable {
        public enum Owner: Sendable {
            case none, feed, episode
            /// A feed, or all feeds.
            case feeds
        }

        public enum Name: Equatable, Sendable {
            case none, text
            /// A number that is unique among the subjects of the owner.
            case number(ClosedRange<Int64>)
            /// A number that is unique among the entries of the owner in a playlist, a space, and the name of the playlist.
            case numberInList(ClosedRange<Int64>)
        }

        public var owner: Owner
        public var name = Name.none
        /// Maximum bytes of the value's text; nil if it has none.
        public var textBytes: Int?
        public var hasPosition = false
        public var hasPlace = false
    }

    public var subject: Subject
    /// Nil if the subject was removed.
    public var value: Value?
    /// Time of the change; 1970 if unknown.
    public var time: Timestamp
    /// Id of the library in which the user made the change, or name of the device.
    public var device: String
    /// Place in the log that lists the change; 0 outside a log.
    public var revision: Int64 = 0

    public init(_ subject: Subject, _ value: Value?, at time: Timestamp, in device: String) {
        self.subject = subject
        self.value = value
        // An earlier time is as old as an unknown one.
        self.time = max(time, Timestamp(milliseconds: 0))
        self.device = device
    }
}

extension LibraryChange.Kind {
    /// `StoredSubjects.swift` declares where the library stores the subjects of a kind.
    public var form: LibraryChange.Form {
        switch self {
        case .playback: .init(owner: .episode, hasPosition: true)
        case .subscription: .init(owner: .feed)
        case .star: .init(owner: .episode)
        case .note: .init(owner: .episode, textBytes: Episode.maximumNoteBytes)
        // The creation time in milliseconds.
        case .bookmark:
            .init(
                owner: .episode, name: .number(.min ... .max), textBytes: Bookmark.maximumBytes, hasPosition: true)
        case .queueEntry: .init(owner: .episode, name: .number(0...999_999), hasPlace: true)
        case .listEntry: .init(owner: .episode, name: .numberInList(0...999_999), hasPlace: true)
        case .tag: .init(owner: .feed, name: .text)
        case .feedSetting: .init(owner: .feed, name: .text, textBytes: .max)
        case .retention: .init(owner: .feeds, textBytes: .max)
        // The text of the rule.
        case .rule: .init(owner: .feeds, name: .text, hasPlace: true)
        // The text is the content.
        case .playlist: .init(owner: .none, name: .text, textBytes: .max)
        // Speed of all feeds that have none of their own.
        case .speed: .init(owner: .none, textBytes: .max)
        }
    }
}

extension LibraryChange {
    /// Whether this change wins over another one of the same subject.
    ///
    /// The order is total, and all libraries have the same: the later time wins, to the millisecond, then the greater device, then the
    /// greater content. Changes of which neither is later have the same value.
    public func isLater(than other: LibraryChange) -> Bool {
        let (own, others) = ((time, device), (other.time, other.device))
        return own != others ? own > others : Value.isGreater(value, than: other.value)
    }

    /// Whether the subject and the value have the members of their kind.
    public var isComplete: Bool {
        let form = subject.kind.form
        let isOwned =
            switch form.owner {
            case .none, .feeds: true
            case .feed: subject.feed != nil
            case .episode: subject.episode != nil
            }
        let isNamed =
            switch form.name {
            case .none, .text: true
            case .number: subject.number?.description == subject.name
            case .numberInList:
                subject.number.map { "\($0) \(subject.list ?? "")" } == subject.name && subject.list != ""
            }
        guard isOwned, isNamed, let value else { return isOwned && isNamed && subject.kind != .playback }
        return (value.text != nil) == (form.textBytes != nil) && (value.position != nil) == form.hasPosition
            && (value.place != nil) == form.hasPlace
    }

    /// Size of the texts in JSON, at most.
    public var textBytes: Int {
        let texts = [
            device, subject.feed, subject.name, subject.episode?.guid, subject.episode?.url, subject.episode?.title,
            value?.text,
        ]
        // A character that JSON escapes takes six bytes.
        return texts.reduce(200) { sum, text in
            (text ?? "").utf8.reduce(sum) { $0 + ($1 < 0x20 || $1 == 0x22 || $1 == 0x5C || $1 == 0x7F ? 6 : 1) }
        }
    }
}

/// A page of the log of changes.
public struct ChangePage: Equatable, Sendable {
    /// In ascending order of their revisions.
    public var changes: [LibraryChange] = []
    /// The `since` of the next page.
    public var revision: Int64 = 0
    /// The last revision. It decreases only if an older library replaces this one.
    public var latest: Int64 = 0
    public var hasMore = false
    /// Whether the library was restored from a backup since its reader last asked.
    public var isRestored = false
    /// Whether the log has forgotten removals that its reader has not read. The reader must begin as at its first synchronization.
    public var isForgotten = false

    public init() {}
}

/// The result of applying another library's changes.
public struct AppliedChanges: Equatable, Sendable {
    /// Number of changes that were applied.
    public var changed = 0
    /// Number of changes that are not later than the library's own, or have the same value.
    public var unchanged = 0
    /// Number of feeds that were added or removed.
    public var feeds = 0
    public var feedsAdded: [FeedID] = []
    public var feedsRemoved: [FeedID] = []
    /// Number of episodes whose playback was changed, and a line for each of the first ones.
    public var episodes = 0
    public var details: [String] = []
    /// Revisions of this library's own changes that lost.
    public var replaced: [Int64] = []
    /// A line for each change that this library refuses.
    public var refused: [String] = []
    /// A new speed, which the daemon must also set.
    public var speed: LibraryChange?
    /// The library's revision before the changes, and after them.
    public var before: Int64 = 0
    public var revision: Int64 = 0

    public init() {}
}
