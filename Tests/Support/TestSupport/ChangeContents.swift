public import PodcastModel

/// The names of an episode for another library.
public struct ChangedEpisode: Sendable {
    public var feed: String?
    public var identity: EpisodeIdentity

    public init(feed: String?, _ identity: EpisodeIdentity) {
        self.feed = feed
        self.identity = identity
    }
}

/// A subject with its new value, without the time.
public struct ChangeContent: Equatable, Sendable {
    public var subject: LibraryChange.Subject
    public var value: LibraryChange.Value?

    public static func playback(_ episode: ChangedEpisode, _ value: LibraryChange.Value) -> Self {
        of(.playback, episode, value: value)
    }

    public static func subscription(feed: String, isSet: Bool) -> Self {
        Self(subject: .init(.subscription, feed: feed), value: isSet ? .init() : nil)
    }

    public static func star(_ episode: ChangedEpisode, _ isSet: Bool) -> Self {
        of(.star, episode, value: isSet ? .init() : nil)
    }

    public static func note(_ episode: ChangedEpisode, _ text: String?) -> Self {
        of(.note, episode, value: text.map { .init(text: $0) })
    }

    public static func bookmark(
        _ episode: ChangedEpisode, created: Timestamp, _ value: LibraryChange.Value?
    ) -> Self {
        of(.bookmark, episode, name: "\(created.milliseconds)", value: value)
    }

    public static func queueEntry(_ episode: ChangedEpisode, copy: Int64, place: Int64?) -> Self {
        of(.queueEntry, episode, name: "\(copy)", value: place.map { .init(place: $0) })
    }

    public static func tag(_ name: String, feed: String, isSet: Bool) -> Self {
        Self(subject: .init(.tag, feed: feed, name: name), value: isSet ? .init() : nil)
    }

    public static func feedSetting(_ setting: FeedSetting, feed: String, _ value: String?) -> Self {
        Self(
            subject: .init(.feedSetting, feed: feed, name: setting.rawValue), value: value.map { .init(text: $0) })
    }

    public static func retention(feed: String?, _ policy: String?) -> Self {
        Self(subject: .init(.retention, feed: feed), value: policy.map { .init(text: $0) })
    }

    public static func rule(_ text: String, feed: String?, place: Int64?) -> Self {
        Self(subject: .init(.rule, feed: feed, name: text), value: place.map { .init(place: $0) })
    }

    public static func playlist(_ name: String, filter: String?) -> Self {
        Self(subject: .init(.playlist, name: name), value: filter.map { .init(text: $0) })
    }

    public static func listEntry(_ episode: ChangedEpisode, _ name: String, place: Int64?) -> Self {
        of(.listEntry, episode, name: name, value: place.map { .init(place: $0) })
    }

    public static func speed(_ speed: String?) -> Self {
        Self(subject: .init(.speed), value: speed.map { .init(text: $0) })
    }

    private static func of(
        _ kind: LibraryChange.Kind, _ episode: ChangedEpisode, name: String = "", value: LibraryChange.Value?
    ) -> Self {
        Self(subject: .init(kind, feed: episode.feed, episode.identity, name: name), value: value)
    }

    public var kind: LibraryChange.Kind { subject.kind }
    public var isRemoval: Bool { value == nil }
    public var episode: ChangedEpisode? { subject.episode.map { ChangedEpisode(feed: subject.feed, $0) } }
}

extension LibraryChange {
    public init(_ content: ChangeContent, at time: Timestamp, in device: String) {
        self.init(content.subject, content.value, at: time, in: device)
    }

    public var content: ChangeContent {
        get { ChangeContent(subject: subject, value: value) }
        set { (subject, value) = (newValue.subject, newValue.value) }
    }
}
