public import ControlLanguage
internal import PodcastModel
public import Reporting

extension Activity: ReplyObject {
    public static let objectName = "Activity"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true, "Its number.")
        members.declare("kind", &kind, "loading, buffering, seeking, refreshing, subscribing, downloading or backup.")
        members.declare(
            "message", &message, isRequired: true, "One line for users: `Loading playlist`, `Buffering audio`.")
        members.declare("subject", &subject, "What it is about: a title.")
        members.declare("progress", &progress, .thousandth, "Progress from 0 to 1, if known.")
        members.declare("since", &since, "When it began.")
        members.declare("parent", &parent, "The activity it is a part of.")
    }
}

public struct ActivityListReply: ReplyObject {
    /// Work in progress, in the order in which it began.
    public var activities: [Activity] = []

    public init() {}
    public init(_ activities: [Activity]) { self.activities = activities }

    public mutating func declareMembers(_ members: inout MemberExchange) { members.declare("activities", &activities) }
}

public struct ActivityBegunReply: ReplyObject {
    /// The number by which the connection names it from now on.
    public var id: UInt64 = 0

    public init() {}
    public init(id: UInt64) { self.id = id }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, isRequired: true)
    }
}

extension Activity.Kind: WireScalar {}
extension Activity.Kind: ParameterChoice {}
