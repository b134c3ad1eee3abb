public import ControlLanguage
public import PodcastModel

public struct SetPosition: Command {
    public var episode = ""
    public var position = TimeArgument.absolute(.zero)
    public var isPlayed = false
    public var device: String?
    public var time: String?

    public static let form = CommandForm<Self, PositionSetReply>(
        Self(), "episodes.position", "Set the position of an episode without playing it.", .control, verb: "position",
        details: [
            "For the episode that plays use 'seek'. 'undo' brings the former position back.",
            "For programs: with `device`, the episode that plays stays as it is, and the reply says so with `changed`. Of two states of "
                + "an episode the later one stays.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.requireEpisode(&episode)
        parameters.require(
            "position", &position, placeholder: "TIME",
            help: "SECONDS, M:SS, H:MM:SS[.mmm] or 1h2m3s; with + or - relative to the saved position. Or a percentage."
        )
        parameters.declare(
            "played", &isPlayed, spelling: .wireOnly, help: "Heard to its end: mark as played, and ignore `position`.")
        parameters.declare(
            "device", &device, .line(), spelling: .wireOnly,
            help: "Name of the device that played it, which is noted as by `sync.apply`.")
        parameters.declare(
            "time", &time, spelling: .wireOnly, help: "When it was heard, in RFC 3339 (default: now).")
    }
}

public struct PositionSetReply: ReplyObject {
    public var episode = EpisodeID(0)
    public var title = ""
    public var position = MediaTime.zero
    public var isPlayed = false
    public var isChanged = false

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("episode", &episode)
        members.require("title", &title)
        members.require("position", &position, "The saved position now.")
        members.require("played", &isPlayed)
        members.require(
            "changed", &isChanged, "False if it plays here, or was heard or marked after `time`.")
    }
}
