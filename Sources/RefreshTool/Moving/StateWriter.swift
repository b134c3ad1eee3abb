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
    enum Section: String, CaseIterable {
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
        let members = settings.map { JSONValue.Member($0.name.description, $0.value) }
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
        let settings = feed.settings.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
        return JSONValue(omittingNulls: [
            "url": feed.url, "title": feed.title, "subscribed": seconds(feed.subscribed),
            "tags": feed.tags.nonEmpty,
            "formerURLs": feed.formerURLs.nonEmpty,
            "settings": settings.isEmpty ? JSONValue.null : .object(settings),
        ])
    }

    static func record(_ episode: PortableEpisode, feed: String?) -> JSONValue {
        let identity = episode.identity
        let isPlayed = episode.hasPlayback ? episode.isPlayed : nil
        let position = episode.hasPlayback ? episode.position.seconds : nil
        return JSONValue(omittingNulls: [
            "feed": feed, "guid": identity.guid, "url": identity.url,
            "title": identity.title, "published": seconds(identity.published),
            "duration": identity.duration?.seconds,
            "played": isPlayed, "position": position,
            "lastPlayed": seconds(episode.lastPlayed), "marked": seconds(episode.marked),
            "starred": mark(episode.isStarred), "note": episode.note,
            "bookmarks": episode.bookmarks.map(record).nonEmpty, "downloaded": mark(episode.isDownloaded),
            "queueIndex": episode.queueIndex, "current": mark(episode.isCurrent),
            "playlists": episode.lists.map { JSONValue(omittingNulls: ["name": $0.name, "index": $0.place]) }.nonEmpty,
            "history": episode.history.map(record).nonEmpty,
        ])
    }

    private static func record(_ bookmark: PortableBookmark) -> JSONValue {
        let text = bookmark.text.nonEmpty
        return JSONValue(omittingNulls: [
            "position": bookmark.position.seconds, "skipTo": bookmark.skipEnd?.seconds,
            "text": text, "created": seconds(bookmark.created),
        ])
    }

    private static func record(_ line: HistoryRecord) -> JSONValue {
        JSONValue(omittingNulls: [
            "time": seconds(line.time), "event": line.event.rawValue,
            "position": line.position.seconds,
        ])
    }

    static func record(_ day: HeardDay, feed: String?) -> JSONValue {
        func length(_ time: Duration) -> Double { Double(time.nanoseconds / 1_000_000) / 1000 }
        return JSONValue(omittingNulls: [
            "day": day.day.description, "feed": feed, "title": day.title,
            "heard": length(day.time.heard), "savedBySpeed": length(day.time.savedBySpeed),
            "savedBySilence": length(day.time.savedBySilence),
        ])
    }

    static func record(_ rule: PortablePolicies.Rule) -> JSONValue {
        JSONValue(omittingNulls: ["feed": rule.feed, "rule": rule.text])
    }

    static func record(_ retention: PortablePolicies.Retention) -> JSONValue {
        JSONValue(omittingNulls: ["feed": retention.feed, "keep": retention.keep])
    }

    static func record(_ playlist: PortablePolicies.Playlist) -> JSONValue {
        JSONValue(omittingNulls: ["name": playlist.name, "filter": playlist.filter])
    }

    private static func mark(_ flag: Bool) -> Bool? { flag ? true : nil }
    private static func seconds(_ time: Timestamp?) -> Double? { time.map { Double($0.milliseconds) / 1000 } }
}
