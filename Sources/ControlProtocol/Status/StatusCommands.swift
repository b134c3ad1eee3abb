public import ControlLanguage
public import PodcastModel
public import Reporting

extension CommandSection {
    public static let status = CommandSection(
        "status", [GetStatus.self, SubscribeStatus.self])
}

public struct GetStatus: Command {
    public static let form = CommandForm<Self, StatusReply>(
        Self(), "status.get", "Show what is playing and what the daemon is doing.", .read, verb: "status")
}

/// What is playing and what the daemon is doing: `status.get`.
public struct StatusReply: ReplyObject {
    /// The player's part, which is also the value of the part `player`.
    public var player = PlayerReply()
    public var queue = QueueExtent()
    public var outputs: [OutputReply] = []
    public var activities: [Activity] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        player.declareMembers(&members)
        members.declare(
            "queue", &queue, "`length`; `index` of the current entry, from 1, or null; `revision`, see Events.")
        members.declare("outputs", &outputs, "All sinks.")
        members.declare("activities", &activities, "Work in progress, in the order in which it began.")
    }
}
