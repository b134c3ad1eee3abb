public import ControlLanguage
public import PodcastModel

/// What commands that start and stop answer.
public struct PlayerStateReply: ReplyObject {
    /// The player state that the command led to.
    public var state = PlayerReply.State.stopped

    public init() {}
    public init(_ state: PlayerReply.State) { self.state = state }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("state", &state, isRequired: true)
    }
}

/// What `playback.seek` answers.
public struct PositionReply: ReplyObject {
    /// Where it goes on.
    public var position = MediaTime.zero

    public init() {}
    public init(_ position: MediaTime) { self.position = position }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("position", &position, isRequired: true)
    }
}

/// What `playback.volume` answers.
public struct VolumeReply: ReplyObject {
    /// Per cent.
    public var volume = 0

    public init() {}
    public init(_ volume: Int) { self.volume = volume }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("volume", &volume, isRequired: true)
    }
}
