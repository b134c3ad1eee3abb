public import JSON
public import Library
internal import PodcastModel

/// Writes the state document that docs/STATE.md describes, piece by piece, with one line for each record.
///
/// The order of calls is the order of the document: `begin`, `settings`, then sections one after another, each with its records,
/// then `end`. A new section needs a case of `Section` and a function that makes its records.
public struct StateWriter {
    /// Version of the format; readers reject a newer one.
    static let version: Int64 = 1
    /// Value of the member `format`.
    static let format = "podcastd-state"

    /// An array of records.
    public enum Section: String, CaseIterable, Sendable {
        case feeds
        /// Rules for new episodes.
        case rules
        case retention
        case playlists
        /// Episodes with a state.
        case episodes
    }

    private var isEmpty = true

    public init() {}

    public func begin() -> String { "{\"format\":\"\(Self.format)\",\"version\":\(Self.version)" }

    /// The settings that clients made, and the volume.
    func settings(_ settings: [ClientSetting]) -> String {
        let members = settings.map { JSONValue.Member($0.name, JSONValue($0.value)) }
        return ",\n\"settings\":" + JSONValue.object(members).text
    }

    /// The beginning of a section.
    public mutating func begin(_ section: Section) -> String {
        isEmpty = true
        return ",\n\"\(section.rawValue)\":["
    }

    /// A record of the section.
    public mutating func write(_ record: JSONValue, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isEmpty ? "\n" : ",\n").utf8)
        isEmpty = false
        record.write(to: &bytes)
    }

    public func endSection() -> String { isEmpty ? "]" : "\n]" }

    public func end() -> String { "}\n" }

    /// The record of a subscription.
    public static func record(_ feed: PortableFeed) -> JSONValue {
        var record = Members()
        record.add("url", .string(feed.url))
        record.add("title", feed.title.map(JSONValue.string))
        record.add("subscribed", feed.subscribed.map(seconds))
        if !feed.tags.isEmpty { record.add("tags", .array(feed.tags.map(JSONValue.string))) }
        if !feed.formerURLs.isEmpty { record.add("formerURLs", .array(feed.formerURLs.map(JSONValue.string))) }
        if !feed.settings.isEmpty {
            let settings = feed.settings.sorted { $0.key < $1.key }
            record.add("settings", .object(settings.map { .init($0.key, .string($0.value)) }))
        }
        return .object(record.members)
    }

    /// The record of an episode of the feed with that URL.
    public static func record(_ episode: PortableEpisode, feed: String?) -> JSONValue {
        var record = Members()
        record.add("feed", feed.map(JSONValue.string))
        record.add("guid", episode.identity.guid.map(JSONValue.string))
        record.add("url", .string(episode.identity.url))
        record.add("title", episode.identity.title.map(JSONValue.string))
        record.add("published", episode.identity.published.map(seconds))
        record.add("duration", episode.identity.duration.map { .number(Double($0.milliseconds) / 1000) })
        if episode.hasPlayback {
            record.add("played", .bool(episode.isPlayed))
            record.add("position", .number(Double(episode.position.milliseconds) / 1000))
        }
        record.add("lastPlayed", episode.lastPlayed.map(seconds))
        record.add("marked", episode.marked.map(seconds))
        if episode.isStarred { record.add("starred", true) }
        record.add("note", episode.note.map(JSONValue.string))
        if !episode.bookmarks.isEmpty {
            record.add(
                "bookmarks",
                .array(
                    episode.bookmarks.map { bookmark in
                        var place = Members()
                        place.add("position", .number(Double(bookmark.position.milliseconds) / 1000))
                        place.add("skipTo", bookmark.skipEnd.map { .number(Double($0.milliseconds) / 1000) })
                        place.add("text", bookmark.text.isEmpty ? nil : .string(bookmark.text))
                        place.add("created", seconds(bookmark.created))
                        return .object(place.members)
                    }))
        }
        record.add("queueIndex", episode.queueIndex.map { .integer(Int64($0)) })
        if episode.isCurrent { record.add("current", true) }
        return .object(record.members)
    }

    public static func record(_ rule: PortablePolicies.Rule) -> JSONValue {
        var record = Members()
        record.add("feed", rule.feed.map(JSONValue.string))
        record.add("rule", .string(rule.text))
        return .object(record.members)
    }

    /// The record of a retention policy.
    public static func record(_ retention: PortablePolicies.Retention) -> JSONValue {
        var record = Members()
        record.add("feed", retention.feed.map(JSONValue.string))
        record.add("keep", .string(retention.keep))
        return .object(record.members)
    }

    /// The record of a smart playlist.
    public static func record(_ playlist: PortablePolicies.Playlist) -> JSONValue {
        var record = Members()
        record.add("name", .string(playlist.name))
        record.add("filter", .string(playlist.filter))
        if playlist.isOldestFirst { record.add("order", "oldest") }
        return .object(record.members)
    }

    private static func seconds(_ time: Timestamp) -> JSONValue { .number(Double(time.milliseconds) / 1000) }

    private struct Members {
        var members: [JSONValue.Member] = []
        mutating func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name, value)) }
        }
    }
}
