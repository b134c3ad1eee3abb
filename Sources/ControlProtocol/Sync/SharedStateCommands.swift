public import ControlLanguage
public import JSON
public import PodcastModel

// What two podcastds of a listener share besides subscriptions and positions.

public struct ListSharedState: Command {
    public static let form = CommandForm<Self, SharedStateReply>(
        Self(), "sync.state", "List what another podcastd of the listener shares, besides subscriptions and positions.",
        .admin,
        details: [
            "The speed, tags, settings of feeds, rules, retention, playlists, stars, notes, bookmarks and the queue, each as a row that "
                + "names feeds and episodes by their addresses. Rules and entries of the queue are in their order."
        ])
}

public struct SharedStateReply: ReplyObject {
    public var rows: [SharedRow] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("rows", &rows, isRequired: true)
    }
}

extension SharedRow.Kind: WireScalar {}

extension SharedRow: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare(
            "kind", &kind, isRequired: true,
            "A subscribed feed, a setting, or what belongs to a feed or an episode.")
        members.declareIfAny("feed", &feed, "The URL of the feed.")
        members.declareIfAny("guid", &guid)
        members.declareIfAny("url", &url, "The URL of the episode's media file.")
        members.declareIfAny("title", &title)
        members.declareIfAny(
            "name", &name,
            "The tag, setting, rule or playlist; of a bookmark its milliseconds and text; the number of a further entry."
        )
        members.declareIfAny("value", &value)
    }
}

public struct ApplySharedState: Command {
    public var device = ""
    public var from: [JSONValue] = []
    public var to: [JSONValue] = []

    public static let form = CommandForm<Self, EmptyReply>(
        Self(), "sync.apply", "Change a part of the shared state as another podcastd has changed it.", .admin,
        details: [
            "What was changed here meanwhile counts, too: queue and rules get what either side has added, lose what either side has "
                + "removed, and notes are joined. Of two other changes of the same row this one counts. What cannot be used here is left out; `undo` brings the former state back."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("device", &device, .line(), isRequired: true, help: "The device's name.")
        parameters.declare("from", &from, isRequired: true, help: "Rows as `sync.state` listed them.")
        parameters.declare(
            "to", &to, isRequired: true,
            help: "The same rows after the change; rules and the queue completely if one of them is there.")
    }
}
