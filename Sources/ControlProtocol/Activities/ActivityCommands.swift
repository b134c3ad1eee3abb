public import ControlLanguage
internal import PodcastModel
public import Reporting

extension CommandSection {
    /// Work in progress, also of other processes.
    public static let activities = CommandSection(
        "activities", [ListActivities.self, BeginActivity.self, UpdateActivity.self, EndActivity.self])
}

enum ActivitiesSection {
    fileprivate static let id = "The id that `activities.begin` returned on this connection."
}

public struct ListActivities: Command {
    public static let form = CommandForm<Self, ActivityListReply>(
        Self(), "activities.list", "Show what the daemon and its helpers are doing.", .read, verb: "activities")
}

public struct BeginActivity: Command {
    public var kind = Activity.Kind.loading
    public var message = ""
    public var subject: String?
    public var progress: Double?
    public var parent: UInt64?

    public static let form = CommandForm<Self, ActivityBegunReply>(
        Self(), "activities.begin", "Begin an activity; it ends when the connection ends, if not before.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("kind", &kind, help: "The kind of work.")
        parameters.require("message", &message, help: "One line for users.")
        parameters.declare("subject", &subject, help: "What it is about, such as a title.")
        parameters.declare("progress", &progress, .number(0...1), help: "Progress from 0 to 1.")
        parameters.declare("parent", &parent, .integer(1...Int64.max), help: "The activity it is a part of.")
    }
}

public struct UpdateActivity: Command {
    public var id: UInt64 = 0
    public var message: String?
    public var subject: String?
    public var progress: Double?

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "activities.update", "Report the progress of an activity; omitted parameters stay as they are.",
        .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("id", &id, .integer(1...Int64.max), help: ActivitiesSection.id)
        parameters.declare("message", &message, help: "One line for users.")
        parameters.declare("subject", &subject, help: "What it is about, such as a title.")
        parameters.declare("progress", &progress, .number(0...1), help: "Progress from 0 to 1.")
    }
}

public struct EndActivity: Command {
    public var id: UInt64 = 0

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "activities.end", "End an activity.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.require("id", &id, .integer(1...Int64.max), help: ActivitiesSection.id)
    }
}

extension Activity: RowReply {
    public static let rowsMember = "activities"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &id, "Its number.")
        members.declare("kind", &kind, "loading, buffering, seeking, refreshing, subscribing, downloading or backup.")
        members.require(
            "message", &message, "One line for users: `Loading feed`, `Buffering audio`.")
        members.declare("subject", &subject, "What it is about: a title, or an address before its title is known.")
        members.declare("progress", &progress, .thousandth, "Progress from 0 to 1, if known.")
        members.declare("since", &since, "When it began.")
        members.declare("parent", &parent, "The activity it is a part of.")
    }
}

/// Activities in progress, the oldest first.
public typealias ActivityListReply = ListReply<Activity>

public struct ActivityBegunReply: ReplyObject {
    public var id: UInt64 = 0

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.require("id", &id, "The number by which the connection names it from now on.")
    }
}

extension Activity.Kind: ParameterChoice {}
