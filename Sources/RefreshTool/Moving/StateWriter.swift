internal import JSON
internal import Library
internal import PodcastModel

/// Writes the state document that docs/STATE.md describes, piece by piece, with one line for each record.
///
/// The order of calls is the order of the document: sections one after another, each with its records, then `end`. A new section
/// needs a case of `Section` and a function that makes its records.
struct StateWriter {
    /// Version of the format; readers reject a newer one.
    static let version: Int64 = 1
    /// Value of the member `format`.
    static let format = "podcastd-state"

    /// An array of records.
    enum Section: String, CaseIterable, Sendable {
        case outputs
        case feeds
        case rules
        case retention
        case playlists
        case listening
        case episodes
    }

    private var bytes: [UInt8] = []
    /// What ends the current section; empty before the first one.
    private var closing = ""

    /// - Parameter settings: those that clients made, and the volume.
    init(_ settings: [ClientSetting] = []) {
        let members = settings.map { JSONValue.Member($0.name, JSONValue($0.value)) }
        add("{\"format\":\"\(Self.format)\",\"version\":\(Self.version)")
        add(",\n\"settings\":\(JSONValue.object(members).text)")
    }

    private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func begin(_ section: Section) {
        add("\(closing),\n\"\(section.rawValue)\":[")
        closing = "]"
    }

    mutating func write(_ record: JSONValue) {
        add(closing == "]" ? "\n" : ",\n")
        closing = "\n]"
        record.write(to: &bytes)
    }

    mutating func end() { add("\(closing)}\n") }

    /// The bytes that were written since the last call.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    static func record(_ feed: PortableFeed) -> JSONValue {
        let settings = feed.settings.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) }
        return .object(omittingNulls: [
            ("url", .string(feed.url)), ("title", JSONValue(feed.title)), ("subscribed", seconds(feed.subscribed)),
            ("tags", list(feed.tags.map(JSONValue.string))),
            ("formerURLs", list(feed.formerURLs.map(JSONValue.string))),
            ("settings", settings.isEmpty ? .null : .object(settings)),
        ])
    }

    static func record(_ episode: PortableEpisode, feed: String?) -> JSONValue {
        let identity = episode.identity
        return .object(omittingNulls: [
            ("feed", JSONValue(feed)), ("guid", JSONValue(identity.guid)), ("url", .string(identity.url)),
            ("title", JSONValue(identity.title)), ("published", seconds(identity.published)),
            ("duration", JSONValue(identity.duration?.seconds)),
            ("played", episode.hasPlayback ? .bool(episode.isPlayed) : .null),
            ("position", episode.hasPlayback ? JSONValue(episode.position.seconds) : .null),
            ("lastPlayed", seconds(episode.lastPlayed)), ("marked", seconds(episode.marked)),
            ("starred", episode.isStarred ? true : .null), ("note", JSONValue(episode.note)),
            ("bookmarks", list(episode.bookmarks.map(record))), ("downloaded", episode.isDownloaded ? true : .null),
            ("queueIndex", JSONValue(episode.queueIndex)), ("current", episode.isCurrent ? true : .null),
            ("history", list(episode.history.map(record))),
        ])
    }

    private static func record(_ bookmark: PortableBookmark) -> JSONValue {
        .object(omittingNulls: [
            ("position", JSONValue(bookmark.position.seconds)), ("skipTo", JSONValue(bookmark.skipEnd?.seconds)),
            ("text", bookmark.text.isEmpty ? .null : .string(bookmark.text)), ("created", seconds(bookmark.created)),
        ])
    }

    private static func record(_ line: HistoryRecord) -> JSONValue {
        .object(omittingNulls: [
            ("time", seconds(line.time)), ("event", .string(line.event.rawValue)),
            ("position", JSONValue(line.position.seconds)),
        ])
    }

    static func record(_ day: HeardDay, feed: String?) -> JSONValue {
        func length(_ time: Duration) -> JSONValue { JSONValue(Double(time.nanoseconds / 1_000_000) / 1000) }
        return .object(omittingNulls: [
            ("day", .string(day.day.description)), ("feed", JSONValue(feed)), ("title", .string(day.title)),
            ("heard", length(day.time.heard)), ("savedBySpeed", length(day.time.savedBySpeed)),
            ("savedBySilence", length(day.time.savedBySilence)),
        ])
    }

    static func record(_ rule: PortablePolicies.Rule) -> JSONValue {
        .object(omittingNulls: [("feed", JSONValue(rule.feed)), ("rule", .string(rule.text))])
    }

    static func record(_ retention: PortablePolicies.Retention) -> JSONValue {
        .object(omittingNulls: [("feed", JSONValue(retention.feed)), ("keep", .string(retention.keep))])
    }

    static func record(_ playlist: PortablePolicies.Playlist) -> JSONValue {
        .object(omittingNulls: [
            ("name", .string(playlist.name)), ("filter", .string(playlist.filter)),
            ("order", playlist.isOldestFirst ? "oldest" : .null),
        ])
    }

    private static func list(_ elements: [JSONValue]) -> JSONValue { elements.isEmpty ? .null : .array(elements) }
    private static func seconds(_ time: Timestamp?) -> JSONValue {
        JSONValue(time.map { Double($0.milliseconds) / 1000 })
    }
}

extension JSONValue {
    static func object(omittingNulls members: [(String, JSONValue)]) -> JSONValue {
        .object(members.filter { $0.1 != .null }.map { Member($0.0, $0.1) })
    }
}
