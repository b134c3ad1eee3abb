public import ControlLanguage
public import PodcastModel

/// What commands that start and stop answer.
public struct PlayerStateReply: ReplyObject {
    public var state = PlayerReply.State.stopped
    public var episode: PlayerReply.PlayingEpisode?
    public var feed: PlayerReply.PlayingFeed?
    public var position: MediaTime?
    public var duration: MediaTime?
    public var chosen: EpisodeID?
    public var queued: Int?
    public var note: String?

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("state", &state, "The player state that the command led to.")
        members.declare("episode", &episode, "The current episode.")
        members.declare("feed", &feed)
        members.declare("position", &position)
        members.declare("duration", &duration)
        members.declareIfAny(
            "chosen", &chosen, "The episode that `play` began; another one may play already if it failed.")
        members.declareIfAny(
            "queued", &queued, "Number of episodes that `play` queued; left out if WHAT names one episode.")
        members.declareIfAny("note", &note, "What the user should know, in one line.")
    }
}

public struct PositionReply: ReplyObject {
    public var position = MediaTime.zero
    public var state: PlayerReply.State?
    public var episode: PlayerReply.PlayingEpisode?
    public var feed: PlayerReply.PlayingFeed?
    public var duration: MediaTime?
    public var chapter: ChapterReply?

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("position", &position, "The new position.")
        members.declare("state", &state, "Stopped if the seek finished the last episode of the queue.")
        members.declare("episode", &episode, "The current episode.")
        members.declare("feed", &feed)
        members.declare("duration", &duration)
        members.declareIfAny("chapter", &chapter, "The chapter that begins there, if a chapter was asked for.")
    }
}

public struct SpeedReply: ReplyObject {
    public var speed = 1.0
    public var heardSpeed: Double?
    public var feed: FeedID?

    public init() {}
    public init(_ speed: Double, feed: FeedID? = nil, heardSpeed: Double?) {
        self.speed = speed
        self.feed = feed
        self.heardSpeed = heardSpeed
    }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("speed", &speed, .thousandth)
        members.declareIfAny("heardSpeed", &heardSpeed, "As the status has it.")
        members.declare("feed", &feed, "The feed whose own speed it is; null for the speed of all feeds.")
    }
}

public struct VolumeReply: ReplyObject {
    public var volume = 0

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("volume", &volume, "Percentage.")
    }
}
