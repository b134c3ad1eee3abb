public import ControlLanguage
public import PodcastModel

/// What commands that start and stop answer.
public struct PlayerStateReply: ReplyObject {
    /// The player state that the command led to.
    public var state = PlayerReply.State.stopped
    /// What plays, or would.
    public var episode: PlayerReply.PlayingEpisode?
    public var feed: PlayerReply.PlayingFeed?
    public var position: MediaTime?
    public var duration: MediaTime?
    /// The episode that `play` began; another one may play already if it failed.
    public var chosen: EpisodeID?
    /// Number of episodes that `play` queued; nil if WHAT names one episode.
    public var queued: Int?
    /// What the user should know, in one line.
    public var note: String?

    public init() {}
    public init(_ state: PlayerReply.State) { self.state = state }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("state", &state, isRequired: true)
        members.declare("episode", &episode)
        members.declare("feed", &feed)
        members.declare("position", &position)
        members.declare("duration", &duration)
        members.declareIfAny("chosen", &chosen)
        members.declareIfAny("queued", &queued)
        members.declareIfAny("note", &note)
    }
}

public struct PositionReply: ReplyObject {
    /// Where it goes on.
    public var position = MediaTime.zero
    /// Stopped if the seek finished the last episode of the queue.
    public var state: PlayerReply.State?
    /// What plays, or would.
    public var episode: PlayerReply.PlayingEpisode?
    public var feed: PlayerReply.PlayingFeed?
    public var duration: MediaTime?
    /// The chapter that begins there, if a chapter was asked for.
    public var chapter: ChapterReply?

    public init() {}
    public init(_ position: MediaTime) { self.position = position }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("position", &position, isRequired: true)
        members.declare("state", &state)
        members.declare("episode", &episode)
        members.declare("feed", &feed)
        members.declare("duration", &duration)
        members.declareIfAny("chapter", &chapter)
    }
}

public struct SpeedReply: ReplyObject {
    public var speed = 1.0
    /// Whose own speed it is.
    public var feed: FeedID?

    public init() {}
    public init(_ speed: Double, feed: FeedID? = nil) { (self.speed, self.feed) = (speed, feed) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("speed", &speed, .thousandth)
        members.declare("feed", &feed)
    }
}

public struct VolumeReply: ReplyObject {
    /// Per cent.
    public var volume = 0

    public init() {}
    public init(_ volume: Int) { self.volume = volume }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("volume", &volume, isRequired: true)
    }
}
