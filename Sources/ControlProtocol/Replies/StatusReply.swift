public import JSON
public import PodcastModel

/// What is playing and what the daemon is doing: `status.get`.
public struct StatusReply: ReplyObject {
    /// The player's part, which is also the value of the part `player`.
    public var player: PlayerReply
    /// Entries in the queue.
    public var queueLength: Int
    /// The current entry's index, from 1.
    public var queueIndex: Int?
    /// All sinks.
    public var outputs: [OutputReply]
    /// Work in progress, in the order in which it began.
    public var activities: [ActivityReply]

    /// A status.
    public init(
        player: PlayerReply, queueLength: Int, queueIndex: Int?, outputs: [OutputReply], activities: [ActivityReply]
    ) {
        self.player = player
        self.queueLength = queueLength
        self.queueIndex = queueIndex
        self.outputs = outputs
        self.activities = activities
    }

    /// Its name in the manual.
    public static let objectName = "Status"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        PlayerReply.members + [
            .init("queue", "object", "`length`, and `index` of the current entry from 1 or null."),
            .init("outputs", "list of Output", "All sinks."),
            .init("activities", "list of Activity", "Work in progress, in the order in which it began."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        var members = player.jsonMembers
        members.append(
            .init("queue", ["length": .integer(Int64(queueLength)), "index": JSONValue(queueIndex)]))
        members.append(.init("outputs", .array(outputs.map(\.json))))
        members.append(.init("activities", .array(activities.map(\.json))))
        return .object(members)
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let player = PlayerReply(json: json) else { return nil }
        let queue = json["queue"]
        self.init(
            player: player, queueLength: Int(truncatingIfNeeded: queue?["length"]?.integerValue ?? 0),
            queueIndex: queue?["index"]?.integerValue.map { Int(truncatingIfNeeded: $0) },
            outputs: json["outputs"]?.arrayValue?.compactMap { OutputReply(json: $0) } ?? [],
            activities: json["activities"]?.arrayValue?.compactMap { ActivityReply(json: $0) } ?? [])
    }
}

/// What the player does.
public struct PlayerReply: ReplyObject {
    /// The player state.
    public enum State: String, Sendable, CaseIterable {
        /// Nothing plays.
        case stopped
        /// The episode is being opened.
        case loading
        /// Audio comes too slowly.
        case buffering
        /// It sounds.
        case playing
        /// Held.
        case paused
    }

    /// What plays.
    public struct Playing: Equatable, Sendable {
        /// The episode.
        public var episode: EpisodeID
        /// The queue entry.
        public var entry: EntryID
        /// The episode's title.
        public var title: String?
        /// The feed.
        public var feed: FeedID?
        /// The feed's title.
        public var feedTitle: String?

        /// An episode in its place.
        public init(episode: EpisodeID, entry: EntryID, title: String?, feed: FeedID?, feedTitle: String?) {
            self.episode = episode
            self.entry = entry
            self.title = title
            self.feed = feed
            self.feedTitle = feedTitle
        }
    }

    /// Decoded audio ahead.
    public struct Buffer: Equatable, Sendable {
        /// Seconds ahead of the playhead.
        public var seconds: Double
        /// How full it is, 0 to 1.
        public var fill: Double
        /// Bytes a second that come in.
        public var rate: Double

        /// A buffer.
        public init(seconds: Double = 0, fill: Double = 0, rate: Double = 0) {
            self.seconds = seconds
            self.fill = fill
            self.rate = rate
        }
    }

    /// The player state.
    public var state: State = .stopped
    /// Why it is stopped or buffering.
    public var reason: String?
    /// What plays, or would.
    public var playing: Playing?
    /// What is audible now.
    public var position: MediaTime?
    /// Nanoseconds of CLOCK_MONOTONIC at which that was true, so that a client on the same machine goes on by itself.
    public var instant: Int64 = 0
    /// How fast the position grows: seconds of the episode a second; 0 while it stands.
    public var pace: Double = 0
    /// Total time.
    public var duration: MediaTime?
    /// Tempo.
    public var speed: Double = 1
    /// Per cent.
    public var volume: Int = 100
    /// Decoded audio ahead.
    public var buffer = Buffer()
    /// The chapter.
    public var chapter: Chapter?
    /// What went wrong last.
    public var error: String?

    /// A player at rest; set what is known.
    public init() {}

    /// Its name in the manual.
    public static let objectName = "Player"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("state", "text", "stopped, loading, buffering, playing or paused."),
            .init("reason", "text or null", "Why it is stopped or buffering."),
            .init("episode", "object or null", "`id` and `title` of what plays, or would, and its queue `entry`."),
            .init("feed", "object or null", "`id` and `title` of its feed."),
            .init("position", "seconds or null", "What is audible now."),
            .init("instant", "integer", "Nanoseconds of CLOCK_MONOTONIC at which that was true."),
            .init(
                "pace", "number",
                "Seconds of the episode a second by which the position has grown since; 0 while it stands."),
            .init("duration", "seconds or null", "Total time, once known."),
            .init("speed", "number", "Tempo, 1 for normal."),
            .init("volume", "integer", "Per cent."),
            .init("buffer", "object", "`seconds` of audio ahead, `fill` from 0 to 1, `rate` in bytes a second."),
            .init("chapter", "Chapter or null", "The chapter."),
            .init("error", "text or null", "What went wrong last."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue { .object(jsonMembers) }

    var jsonMembers: [JSONValue.Member] {
        var episode = JSONValue.null
        var feed = JSONValue.null
        if let playing {
            episode = [
                "id": .integer(playing.episode.rawValue), "entry": .integer(playing.entry.rawValue),
                "title": JSONValue(playing.title),
            ]
            feed = [
                "id": playing.feed.map { .integer($0.rawValue) } ?? .null, "title": JSONValue(playing.feedTitle),
            ]
        }
        return [
            .init("state", .string(state.rawValue)), .init("reason", JSONValue(reason)), .init("episode", episode),
            .init("feed", feed), .init("position", JSONValue(position)), .init("instant", .integer(instant)),
            .init("pace", JSONValue(pace)), .init("duration", JSONValue(duration)), .init("speed", JSONValue(speed)),
            .init("volume", .integer(Int64(volume))),
            .init(
                "buffer",
                [
                    "seconds": Self.rounded(buffer.seconds), "fill": Self.rounded(buffer.fill),
                    "rate": JSONValue(buffer.rate.rounded()),
                ]), .init("chapter", chapter.map { ChapterReply($0).json } ?? .null), .init("error", JSONValue(error)),
        ]
    }

    private static func rounded(_ number: Double) -> JSONValue { JSONValue((number * 1000).rounded() / 1000) }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let state = json["state"]?.stringValue.flatMap(State.init(rawValue:)) else { return nil }
        self.state = state
        reason = json["reason"]?.stringValue
        if let episode = json["episode"], let id = episode["id"]?.integerValue {
            let feed = json["feed"]
            playing = Playing(
                episode: EpisodeID(id), entry: EntryID(episode["entry"]?.integerValue ?? 0),
                title: episode["title"]?.stringValue, feed: feed?["id"]?.integerValue.map(FeedID.init),
                feedTitle: feed?["title"]?.stringValue)
        }
        position = json["position"]?.mediaTime
        instant = json["instant"]?.integerValue ?? 0
        pace = json["pace"]?.numberValue ?? 0
        duration = json["duration"]?.mediaTime
        speed = json["speed"]?.numberValue ?? 1
        volume = Int(truncatingIfNeeded: json["volume"]?.integerValue ?? 0)
        let buffer = json["buffer"]
        self.buffer = Buffer(
            seconds: buffer?["seconds"]?.numberValue ?? 0, fill: buffer?["fill"]?.numberValue ?? 0,
            rate: buffer?["rate"]?.numberValue ?? 0)
        chapter = json["chapter"].flatMap { ChapterReply(json: $0)?.chapter }
        error = json["error"]?.stringValue
    }
}

/// A titled part of an episode.
public struct ChapterReply: ReplyObject {
    /// The chapter.
    public var chapter: Chapter
    /// A chapter.
    public init(_ chapter: Chapter) { self.chapter = chapter }

    /// Its name in the manual.
    public static let objectName = "Chapter"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("start", "seconds", "Where it begins."),
            .init("end", "seconds or null", "Where it ends, when the source says so."),
            .init("title", "text or null", "What it is called."),
            .init("link", "text or null", "A page about it."),
            .init("image", "text or null", "A picture's URL."),
            .init("toc", "true or false", "Whether it belongs in a table of contents."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        [
            "start": JSONValue(chapter.start), "end": JSONValue(chapter.end), "title": JSONValue(chapter.title),
            "link": JSONValue(chapter.link), "image": JSONValue(chapter.image), "toc": .bool(chapter.isListed),
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let start = json["start"]?.mediaTime else { return nil }
        chapter = Chapter(
            start: start, end: json["end"]?.mediaTime, title: json["title"]?.stringValue,
            link: json["link"]?.stringValue, image: json["image"]?.stringValue,
            isListed: json["toc"]?.boolValue ?? true)
    }
}
