public import ControlLanguage
public import PodcastModel

// The log of changes, which podcastds and other devices of a user exchange.

public struct ListChanges: Command {
    public var since: Int64 = 0
    public var through = Int64.max
    public var kinds: [LibraryChange.Kind] = []
    public var limit = 500
    public var reader: String?

    public static let form = CommandForm<Self, ChangeListReply>(
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

public struct ChangeListReply: ReplyObject {
    public var changes: [LibraryChange] = []
    public var revision: Int64 = 0
    public var latest: Int64 = 0
    public var hasMore = false
    public var isRestored = false

    public init() {}
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
    }
}

public struct ApplyChanges: Command {
    public var device = ""
    public var changes: [LibraryChange] = []
    public var isFirst = false
    public var isDryRun = false

    public static let form = CommandForm<Self, ChangesAppliedReply>(
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
    }

    /// Changes of one command, and bytes of their texts.
    public static let most = 1_000
    private static let mostBytes = 300_000

    /// Takes as many changes as fit in one command, at least one.
    public static func piece(of rest: inout ArraySlice<LibraryChange>) -> [LibraryChange] {
        var bytes = 0
        let piece = rest.prefix(most).prefix { change in
            defer { bytes += change.textBytes }
            return bytes <= mostBytes
        }
        rest = rest.dropFirst(piece.count)
        return Array(piece)
    }
}

public struct ChangesAppliedReply: ReplyObject {
    public var changed = 0
    public var unchanged = 0
    public var feeds = 0
    public var episodes = 0
    public var details: [String] = []
    public var replaced: [Int64] = []
    public var refused: [String] = []
    public var before: Int64 = 0
    public var revision: Int64 = 0

    public init() {}
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
    public static let objectName = "Change"

    public init() { self.init(.speed(nil), at: Timestamp(milliseconds: 0), in: "") }

    public mutating func declareMembers(_ members: inout MemberExchange) {
        var form = ChangeForm(content)
        var listed = revision > 0 ? revision : nil
        members.declareExactly("time", &time, "Time of the change; 1970 if unknown.")
        members.declare(
            "device", &device, isRequired: true,
            "Id of the library in which the user made the change, or name of the device.")
        members.declareIfAny("revision", &listed, "Place in the log.")
        form.declareMembers(&members)
        revision = listed ?? 0
        if let read = form.content { content = read } else { members.isIncomplete = true }
    }
}

/// The members of a change. Each kind has some of them.
private struct ChangeForm {
    var kind = LibraryChange.Kind.speed
    var feed: String?
    var guid: String?
    var url: String?
    var title: String?
    var published: Timestamp?
    var duration: MediaTime?
    var isSet = false
    var text: String?
    var created: Int64?
    var position: MediaTime?
    var skipTo: MediaTime?
    var copy: Int64?
    var place: Int64?
    var name: String?
    var value: String?
    var isOldestFirst = false

    var isPlayed = false

    init(_ content: LibraryChange.Content) {
        kind = content.kind
        if let episode = content.episode {
            feed = episode.feed
            guid = episode.identity.guid
            url = episode.identity.url
            title = episode.identity.title
            published = episode.identity.published
            duration = episode.identity.duration
        }
        switch content {
        case .playback(_, let playback):
            position = playback.position
            isPlayed = playback.isPlayed
        case .subscription(let feed, let isSet):
            self.feed = feed
            self.isSet = isSet
        case .star(_, let isSet):
            self.isSet = isSet
        case .note(_, let text):
            self.text = text
        case .bookmark(_, let created, let part):
            self.created = created.milliseconds
            position = part?.position
            skipTo = part?.skipTo
            text = part?.text
        case .queueEntry(_, let copy, let place):
            self.copy = copy
            self.place = place
        case .tag(let name, let feed, let isSet):
            self.name = name
            self.feed = feed
            self.isSet = isSet
        case .feedSetting(let setting, let feed, let value):
            name = setting.rawValue
            self.feed = feed
            self.value = value
        case .retention(let feed, let value):
            self.feed = feed
            self.value = value
        case .rule(let text, let feed, let place):
            self.text = text
            self.feed = feed
            self.place = place
        case .playlist(let name, let filter, let isOldestFirst):
            self.name = name
            value = filter
            self.isOldestFirst = isOldestFirst
        case .speed(let value):
            self.value = value
        }
    }

    mutating func declareMembers(_ members: inout MemberExchange) {
        members.declare("kind", &kind, isRequired: true)
        members.declareIfAny("feed", &feed, "The address of the feed; of a single file there is none.")
        members.declareIfAny("guid", &guid, "Of the episode.")
        members.declareIfAny("url", &url, "The address of the episode's media file.")
        members.declareIfAny("title", &title, "Of the episode.")
        members.declareIfAny("published", &published, "When the episode was published.")
        members.declareIfAny("duration", &duration, "Of the episode.")
        members.declareIfAny("set", &isSet, "Whether the feed is subscribed, or the star or the tag is set.")
        members.declareIfAny("text", &text, "Of a note, a bookmark or a rule.")
        members.declareIfAny("created", &created, "Creation time of a bookmark, in milliseconds since 1970.")
        members.declareIfAny("position", &position, "Of the episode or the bookmark.")
        members.declareIfAny(
            "played", &isPlayed, "Whether the episode was played, even if the user listens to it again.")
        members.declareIfAny("skipTo", &skipTo, "The end of the part that is skipped.")
        members.declareIfAny("copy", &copy, "Number of a queue entry, unique among those of its episode.")
        members.declareIfAny("place", &place, "Of an entry of the queue, or of a rule.")
        members.declareIfAny("name", &name, "Of a tag, a setting or a playlist.")
        members.declareIfAny("value", &value, "Of a setting or the speed; the policy; the filter of a playlist.")
        members.declareIfAny("oldestFirst", &isOldestFirst, "The order of a playlist.")
    }

    private var episode: LibraryChange.EpisodeName? {
        url.map { url in
            LibraryChange.EpisodeName(
                feed: feed,
                EpisodeIdentity(guid: guid, url: url, title: title, published: published, duration: duration))
        }
    }

    /// Nil if a member that the kind needs is missing.
    var content: LibraryChange.Content? {
        switch kind {
        case .playback:
            episode.map { .playback($0, LibraryChange.Playback(position: position ?? .zero, isPlayed: isPlayed)) }
        case .subscription: feed.map { .subscription(feed: $0, isSet: isSet) }
        case .star: episode.map { .star($0, isSet) }
        case .note: episode.map { .note($0, text) }
        case .bookmark:
            if let episode, let created {
                .bookmark(
                    episode, created: Timestamp(milliseconds: created),
                    position.map { LibraryChange.MarkedPart(position: $0, skipTo: skipTo, text: text ?? "") })
            } else {
                nil
            }
        case .queueEntry: if let episode, let copy { .queueEntry(episode, copy: copy, place: place) } else { nil }
        case .tag: if let name, let feed { .tag(name, feed: feed, isSet: isSet) } else { nil }
        case .feedSetting:
            if let setting = name.flatMap(FeedSetting.init(rawValue:)), let feed {
                .feedSetting(setting, feed: feed, value)
            } else {
                nil
            }
        case .retention: .retention(feed: feed, value)
        case .rule: text.map { .rule($0, feed: feed, place: place) }
        case .playlist: name.map { .playlist($0, filter: value, isOldestFirst: isOldestFirst) }
        case .speed: .speed(value)
        }
    }
}
