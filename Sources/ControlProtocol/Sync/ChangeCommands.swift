public import ControlLanguage
public import PodcastModel

// The log of changes, which podcastds and other devices of a user exchange.

public struct ListChanges: Command {
    public var since: Int64 = 0
    public var through = Int64.max
    public var kinds: [LibraryChange.Kind] = []
    public var limit = 500
    public var reader: String?

    public static let form = CommandForm<Self, ChangePage>(
        Self(), "sync.changes", "List the user's changes after a revision.", .read,
        details: [
            "Lists changes of subscriptions, positions, stars, notes, bookmarks, queue entries, tags, feed settings, rules, retention, "
                + "playlists and the speed. Only the last change of each is listed. A change without a value is a removal. Without the "
                + "permission `admin`, only changes of the kinds playback and subscription are listed."
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("since", &since, .integer(0...Int64.max), help: "The `revision` of the last reply.")
        parameters.declare("through", &through, .integer(0...Int64.max), help: "The last revision to list.")
        parameters.declare("kinds", &kinds, help: "The kinds of changes to list; without it, all that are allowed.")
        parameters.declareLimit(&limit)
        parameters.declare(
            "reader", &reader, .line(),
            help: "Name of the podcastd that reads the log. It is needed to notice a restored library.")
    }
}

extension ChangePage: ReplyObject {
    public static let objectName = "ChangeList"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("changes", &changes, isRequired: true, "In ascending order of their revisions.")
        members.declare("revision", &revision, isRequired: true, "The `since` of the next request.")
        members.declare(
            "latest", &latest, isRequired: true,
            "The last revision. It decreases only if an older library replaces this one.")
        members.declare("hasMore", &hasMore, "Whether changes follow.")
        members.declareIfAny(
            "restored", &isRestored,
            "Whether this library was restored from a backup since the `reader` last asked.")
        members.declareIfAny(
            "forgotten", &isForgotten,
            "Whether removals that the `reader` has not read are forgotten: it must begin as at its first synchronization."
        )
    }
}

public struct ApplyChanges: Command {
    public var device = ""
    public var changes: [LibraryChange] = []
    public var isFirst = false
    public var isDryRun = false
    public var feeds: [String] = []

    public static let form = CommandForm<Self, AppliedChanges>(
        Self(), "sync.apply", "Apply the changes of another device of the user.", .control,
        details: [
            "Without the permission `admin` only changes of subscriptions and positions are applied. A feed with a private address is "
                + "refused unless `network.private_hosts` names its host. An episode that plays here keeps its position.",
            "The later of two changes of the same subject wins. The reply names changes that cannot be applied. All changes of a command "
                + "are one step of `undo`.",
            "Queue entries and rules are in ascending order of their places.",
        ])
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("device", &device, .line(), isRequired: true, help: "The other device's name.")
        parameters.declare("changes", &changes, isRequired: true, help: "As `sync.changes` lists them; 1000 at most.")
        parameters.declare(
            "first", &isFirst,
            help: "Whether this is the first exchange: nothing is removed, and new entries go to the end of the queue.")
        parameters.declare("try", &isDryRun, help: "Apply nothing, and count the changes.")
        parameters.declare(
            "feeds", &feeds, help: "With `try`: addresses of feeds that earlier commands would have added.")
    }

    /// Changes of one command, and bytes of their texts.
    public static let most = 1_000
    private static let mostBytes = 300_000

    /// Commands for changes, in their order for each device.
    /// - Parameter device: the name of all their devices; nil for the names in the changes.
    public static func commands(of changes: [LibraryChange], from device: String? = nil) -> [ApplyChanges] {
        let devices = Dictionary(grouping: changes) { device ?? $0.device }.sorted { $0.key < $1.key }
        return devices.flatMap { device, changes in
            var commands: [ApplyChanges] = []
            var bytes = mostBytes
            for change in changes {
                bytes += change.textBytes
                if bytes > mostBytes || commands[commands.count - 1].changes.count == most {
                    commands.append(ApplyChanges { $0.device = device })
                    bytes = change.textBytes
                }
                commands[commands.count - 1].changes.append(change)
            }
            return commands
        }
    }
}

extension AppliedChanges: ReplyObject {
    public static let objectName = "ChangesApplied"

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("changed", &changed, isRequired: true)
        members.declare("feeds", &feeds, "Number of feeds that were added or removed.")
        members.declare("episodes", &episodes, "Number of episodes whose position or mark was changed.")
        members.declareIfAny("details", &details, "With `try`: a line for each of the first of these episodes.")
        members.declareIfAny("replaced", &replaced, "With `try`: revisions of changes here that would be replaced.")
        members.declare("unchanged", &unchanged, isRequired: true, "Changes that are not later than those here.")
        members.declareIfAny("refused", &refused, "The first reasons why changes cannot be applied.")
        members.declare("before", &before, isRequired: true, "The revision before this command.")
        members.declare("revision", &revision, isRequired: true, "The revision now.")
        // Another podcastd may have sent the numbers.
        for count in [\Self.changed, \.unchanged, \.feeds, \.episodes] {
            self[keyPath: count] = min(max(0, self[keyPath: count]), ApplyChanges.most)
        }
    }
}

extension FeedSetting: WireScalar {}
extension LibraryChange.Kind: ParameterChoice {}

extension LibraryChange: ParameterValue, ReplyObject {
    public static var kind: ValueKind { .object }
    public init() { self.init(Subject(.speed), nil, at: Timestamp(milliseconds: 0), in: "") }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        var listed = revision > 0 ? revision : nil
        var name = subject.name.nonEmpty
        members.declareExactly("time", &time, "Time of the change; 1970 if unknown.")
        members.declare(
            "device", &device, isRequired: true,
            "Id of the library in which the user made the change, or name of the device.")
        members.declareIfAny("revision", &listed, "Place in the log.")
        members.declare("kind", &subject.kind, isRequired: true)
        members.declareIfAny("feed", &subject.feed, "The address of the feed; of a single file there is none.")
        members.declareIfAny("episode", &subject.episode)
        members.declareIfAny(
            "name", &name,
            "Of a tag, a setting or a playlist; the text of a rule; the creation time of a bookmark in milliseconds since 1970; the "
                + "number of a queue entry, unique among those of its episode; of an entry of a playlist the number, a space, and the "
                + "playlist's name.")
        members.declareIfAny("value", exactly: &value, "Missing if the subject was removed.")
        time = max(time, Timestamp(milliseconds: 0))
        revision = listed ?? 0
        subject.name = name ?? ""
        if !isComplete { members.isIncomplete = true }
    }
}

extension EpisodeIdentity: ReplyObject {
    public init() { self.init(url: "") }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIfAny("guid", &guid)
        members.declare("url", &url, isRequired: true, "The address of the episode's media file.")
        members.declareIfAny("title", &title)
        members.declareIfAny("published", &published)
        members.declareIfAny("duration", &duration)
    }
}

extension LibraryChange.Value: ReplyObject {
    public static let objectName = "ChangeValue"

    public init() { self.init(text: nil) }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        members.declareIfAny(
            "text", &text, "Of a note, a bookmark, a setting or the speed; the policy; the content of a playlist.")
        members.declareIfAny("position", &position, "Of the episode or the bookmark.")
        members.declareIfAny(
            "played", &isPlayed, "Whether the episode was played, even if the user listens to it again.")
        members.declareIfAny("skipTo", &skipTo, "The end of the part that a bookmark skips.")
        members.declareIfAny("place", &place, "Of an entry of the queue or of a playlist, or of a rule.")
    }
}
