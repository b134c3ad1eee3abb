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

    /// Decoded audio ahead.
    public struct Buffer: Equatable, Sendable {
        /// Seconds ahead of the playhead.
        public var seconds: Double
        /// How full it is, 0 to 1.
        public var fill: Double
        /// Bytes a second that come in; nil when nothing is being fetched.
        public var rate: Double?

        /// A buffer.
        public init(seconds: Double, fill: Double, rate: Double?) {
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
    public var episode: EpisodeReply?
    /// What is audible now.
    public var position: MediaTime?
    /// Monotonic seconds at which that was true, so that a client on the same machine goes on by itself.
    public var positionAt: Double?
    /// Total time.
    public var duration: MediaTime?
    /// Tempo.
    public var speed: Double = 1
    /// Per cent.
    public var volume: Int = 100
    /// Decoded audio ahead; nil when nothing is open.
    public var buffer: Buffer?
    /// The title of the chapter.
    public var chapter: String?
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
            .init("episode", "Episode or null", "What plays, or would."),
            .init("feed", "object or null", "`id` and `title` of its feed."),
            .init("position", "seconds or null", "What is audible now."),
            .init(
                "positionAt", "seconds or null",
                "CLOCK_MONOTONIC at which that was true; while playing, position grows by speed times what has passed since."
            ),
            .init("duration", "seconds or null", "Total time, once known."),
            .init("speed", "number", "Tempo, 1 for normal."),
            .init("volume", "integer", "Per cent."),
            .init(
                "buffer", "object or null",
                "`seconds` of audio ahead, `fill` from 0 to 1, `rate` in bytes a second or null."),
            .init("chapter", "text or null", "The chapter's title."),
            .init("error", "text or null", "What went wrong last."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue { .object(jsonMembers) }

    var jsonMembers: [JSONValue.Member] {
        let feed: JSONValue =
            episode.map { ["id": .integer($0.episode.feed.rawValue), "title": .string($0.episode.feedTitle)] } ?? .null
        let buffer: JSONValue =
            buffer.map {
                ["seconds": JSONValue($0.seconds), "fill": JSONValue($0.fill), "rate": JSONValue($0.rate)]
            } ?? .null
        return [
            .init("state", .string(state.rawValue)), .init("reason", JSONValue(reason)),
            .init("episode", episode?.json ?? .null), .init("feed", feed), .init("position", JSONValue(position)),
            .init("positionAt", JSONValue(positionAt)), .init("duration", JSONValue(duration)),
            .init("speed", JSONValue(speed)), .init("volume", .integer(Int64(volume))), .init("buffer", buffer),
            .init("chapter", JSONValue(chapter)), .init("error", JSONValue(error)),
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let state = json["state"]?.stringValue.flatMap(State.init(rawValue:)) else { return nil }
        self.state = state
        reason = json["reason"]?.stringValue
        episode = json["episode"].flatMap { EpisodeReply(json: $0) }
        position = json["position"]?.mediaTime
        positionAt = json["positionAt"]?.numberValue
        duration = json["duration"]?.mediaTime
        speed = json["speed"]?.numberValue ?? 1
        volume = Int(truncatingIfNeeded: json["volume"]?.integerValue ?? 0)
        if let buffer = json["buffer"], let seconds = buffer["seconds"]?.numberValue {
            self.buffer = Buffer(
                seconds: seconds, fill: buffer["fill"]?.numberValue ?? 0, rate: buffer["rate"]?.numberValue)
        }
        chapter = json["chapter"]?.stringValue
        error = json["error"]?.stringValue
    }
}
