public import ControlLanguage
public import JSON
public import PodcastModel

extension CommandSection {
    public static let sync = CommandSection(
        "sync",
        [
            ListSyncAccounts.self, Synchronize.self, TrySynchronization.self, HandOver.self, ListLibraryChanges.self,
            ListSubscriptionChanges.self, RecordActs.self, ListSharedState.self, ApplySharedState.self,
            ReportAccount.self, ListDevices.self, NoteDevice.self, RemoveDevice.self, PairDevice.self,
            ShowPassword.self, ChangeClientSettings.self,
        ])
}

/// What has changed since a client asked last, also over restarts of the daemon.
public struct ListLibraryChanges: Command {
    public var since: Int64 = 0
    public var after: String?
    public var limit = 1000

    public static let form = CommandForm<Self, LibraryChanges>(
        Self(), "sync.changes", "List the episodes that have changed after a revision.", .read,
        details: [
            "The reply says which revision to ask for next. Changes of the last seconds are listed again then."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "since", &since, .integer(0...Int64.max), help: "The `revision` of the last reply; 0 lists everything.")
        parameters.declareAfter(&after)
        parameters.declareLimit(&limit)
    }
}

public struct ListSubscriptionChanges: Command {
    public var since: Int64 = 0
    public var after: String?
    public var limit = 1000

    public static let form = CommandForm<Self, PageReply<SubscriptionChange>>(
        Self(), "sync.subscriptions", "List the feeds that were added or removed after a revision, by their addresses.",
        .read)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "since", &since, .integer(0...Int64.max), help: "A `revision` of `sync.changes`; 0 lists all subscriptions."
        )
        parameters.declare("after", &after, spelling: .wireOnly, help: "The `url` of the row before the page.")
        parameters.declareLimit(&limit)
    }
}

extension LibraryChanges: PagedReply {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("revision", &revision, isRequired: true, "What to give as `since` next time.")
        members.declare(
            "latest", &latest, isRequired: true,
            "The same for another podcastd: the time of the last change. It falls only if an older library replaces this one."
        )
        members.declare("episodes", &episodes, isRequired: true, "The least recent change first.")
        members.declare("hasAfter", &hasAfter, "Whether rows may follow the page.")
    }

    public static let rowsMember = "episodes"
    public static var rows: WritableKeyPath<LibraryChanges, [EpisodeChange]> { \.episodes }
}

extension SubscriptionChange: RowReply {
    public static let rowsMember = "subscriptions"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("url", &url, isRequired: true)
        members.declare("subscribed", &isSubscribed, isRequired: true, "False for a feed that was removed.")
        members.declare("revision", &revision, "When, in seconds since 1970; 0 if that is not known.")
    }
}

extension EpisodeChange: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("id", &id, "Its id; not before a refresh has brought it.")
        members.declare("feed", &feed, "The address of its feed; not for single files.")
        members.declare("guid", &guid)
        members.declare("url", &url, isRequired: true, "The address of the media file.")
        members.declare("title", &title, isRequired: true)
        members.declare("duration", &duration)
        members.declare("position", &position, isRequired: true)
        members.declare("played", &isPlayed, isRequired: true)
        members.declareExactly("time", &time, "When the listener brought the episode into this state.")
        members.declareIfAny("undone", &isUndone, "Whether an undo did that.")
        members.declare("revision", &revision, isRequired: true)
        members.declare("key", &key, isRequired: true)
    }
}

public struct RecordActs: Command {
    public var device = ""
    public var acts: [JSONValue] = []
    public var isTrial = false

    public static let form = CommandForm<Self, ActsRecordedReply>(
        Self(), "sync.record", "Record what the listener did on another device.", .control,
        details: [
            "Of two states of an episode the later one stays. What it replaced is in the history, and `undo` brings it back. An "
                + "episode that plays here stays as it is.",
            "An act has the members `kind` (play, new, download or delete), `feed` and `url` (addresses), `guid` and `title` if known, "
                + "`time` (RFC 3339), and, for play, `position` and `total` in seconds. Another podcastd also sends `milliseconds` of the time, "
                + "and `played`, since a played episode can be heard again.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("device", &device, .line(), isRequired: true, help: "The device's name.")
        parameters.declare("acts", &acts, isRequired: true, help: "In any order.")
        parameters.declare("try", &isTrial, help: "Change nothing, and count what would be changed.")
    }
}

extension RecordActs {
    /// Acts in one command.
    private static let most = 1_000

    /// The commands that record acts of several devices.
    public static func commands(_ acts: [(device: String, act: DeviceAct)]) -> [RecordActs] {
        Dictionary(grouping: acts, by: \.device).sorted { $0.key < $1.key }.flatMap { device, acts in
            stride(from: 0, to: acts.count, by: most).map { start in
                RecordActs {
                    $0.device = SafeText.title(device, atMostBytes: 200) ?? "unknown"
                    $0.acts = acts[start..<min(start + most, acts.count)].map(\.act.json)
                }
            }
        }
    }
}

extension DeviceAct.Kind: WireScalar {}

extension MemberExchange {
    /// A time in seconds, and its `milliseconds` if there are any.
    fileprivate mutating func declareExactly(_ name: String, _ time: inout Timestamp, _ help: String) {
        var part: Int64? = time.milliseconds == time.seconds * 1000 ? nil : time.milliseconds - time.seconds * 1000
        declare(name, &time, isRequired: true, help)
        declareIfAny("milliseconds", &part, "Milliseconds of the time, besides its seconds.")
        if let part, (1...999).contains(part) { time = Timestamp(milliseconds: time.seconds * 1000 + part) }
    }
}

extension DeviceAct: ReplyObject {
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("kind", &kind, isRequired: true)
        members.declare("feed", &feed)
        members.declare("url", &url, isRequired: true)
        members.declare("guid", &guid)
        members.declare("title", &title)
        members.declareExactly("time", &time, "When the device did it.")
        members.declare("position", &position)
        members.declare("total", &total)
        members.declareIfAny("played", &isPlayed, "Whether the episode is played, also if it is heard again.")
    }
}

public struct ActsRecordedReply: ReplyObject {
    public var changed = 0
    public var unchanged = 0
    public var waiting = 0
    public var unknown = 0
    public var details: [String] = []

    public init() {}
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("changed", &changed, isRequired: true, "Episodes that have another state now.")
        members.declare("unchanged", &unchanged, isRequired: true, "Episodes that had the same state, or a later one.")
        members.declare(
            "waiting", &waiting, isRequired: true, "Episodes that the next refresh of their feed may bring.")
        members.declare("unknown", &unknown, isRequired: true, "Acts on feeds that are not subscribed.")
        members.declareIfAny("details", &details, "With `try`: the first episodes that would change, a line each.")
    }
}

public struct ListDevices: Command {
    public static let form = CommandForm<Self, DeviceListReply>(
        Self(), "sync.devices", "List the devices that synchronize with this library.", .read, verb: "devices")
}

public typealias DeviceListReply = ListReply<SyncDevice>

extension SyncDevice.Kind: ParameterChoice {}

extension SyncDevice: RowReply {
    public static let objectName = "Device"
    public static let rowsMember = "devices"
    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("name", &name, isRequired: true, "As its client calls it.")
        members.declare("caption", &caption, isRequired: true, "What its listener calls it.")
        members.declare("type", &kind, isRequired: true, "desktop, laptop, mobile, server or other.")
        members.declare("lastContact", &lastContact, isRequired: true)
        members.declare("acts", &acts, isRequired: true, "Number of acts that it has sent.")
        members.declareIfAny("owner", &owner, "The user of podcast-web to whom its app password belongs.")
    }
}

public struct NoteDevice: Command {
    public var name = ""
    public var caption: String?
    public var kind: SyncDevice.Kind?

    public static let form = CommandForm<Self, SyncDevice>(
        Self(), "sync.device", "Add a device, or change what is known of it.", .control)
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, .line(), isRequired: true, help: "As its client calls it.")
        parameters.declare("caption", &caption, .line(), help: "What its listener calls it.")
        parameters.declare("type", &kind, help: "What it is.")
    }
}

public struct RemoveDevice: Command {
    public var name = ""

    public static let form = CommandForm<Self, SyncDevice>(
        Self(), "sync.removeDevice", "Forget a device and its app password. What it did stays.", .admin,
        verb: "device remove")
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("name", &name, .line(), isRequired: true, help: "Name or caption.")
    }
}
