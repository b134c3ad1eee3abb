public import ControlLanguage
public import PodcastModel

/// Reads bytes of an episode's file, for programs that give the file to a player.
public struct ReadEpisode: Command {
    public static let mostBytes = 256 << 10

    public var id: EpisodeID?
    public var offset: Int64 = 0
    public var count = mostBytes

    public static let form = CommandForm<Self, EpisodeBytesReply>(
        Self(), "episodes.read",
        "Read bytes of an episode's file from the cache. Missing bytes are fetched into it first, for at most 20 seconds.",
        .control, isLong: true)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("id", &id, help: "The episode's id (default: the current episode).")
        parameters.declare("offset", &offset, .integer(0...Int64.max), help: "The first byte to read.")
        parameters.declare(
            "count", &count, .integer(1...Int64(Self.mostBytes)),
            help: "Bytes to read; there may be fewer in the reply.")
    }
}

public struct EpisodeBytesReply: ReplyObject {
    public var data = ""
    public var length: Int64?
    public var type: String?

    public init() {}

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("data", &data, "At least one byte in Base64; empty at the end of the file.")
        members.declareIfAny("length", &length, "Bytes of the whole file; left out if it is not known.")
        members.declareIfAny("type", &type, "The media type that the host names, or the feed.")
    }
}
