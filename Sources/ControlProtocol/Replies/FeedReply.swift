public import JSON
public import PodcastModel

/// A feed as lists show it.
public struct FeedReply: ReplyObject {
    /// The feed.
    public var feed: Feed
    /// Its place in the list it was read from: what `after` takes.
    public var key: String?

    /// A feed, with its key in a list.
    public init(_ feed: Feed, key: String? = nil) {
        self.feed = feed
        self.key = key
    }

    /// Its name in the manual.
    public static let objectName = "Feed"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("id", "integer", "The library's number; stable while subscribed to."),
            .init("url", "text", "Where it is fetched from."),
            .init("title", "text", "The publisher's title; the URL until the first refresh."),
            .init("author", "text or null", "The publisher."),
            .init("link", "text or null", "Its web page."),
            .init("language", "text or null", "Its language, RFC 5646."),
            .init("image", "text or null", "The cover's URL."),
            .init("subscribed", "instant", "Since when."),
            .init("episodes", "integer", "Episodes stored."),
            .init("unplayed", "integer", "Episodes not played yet."),
            .init(
                "health", "object",
                "How refreshes went: instants `lastSuccess`, `lastTry`, `nextDue`; `failures` in a row; `httpStatus` of the "
                    + "last answer; `error`, what went wrong last. All but `failures` may be null."),
            .init("key", "text or null", "Its place in the list that it stands in, for `after`."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        let health = feed.health
        return [
            "id": .integer(feed.id.rawValue), "url": .string(feed.url), "title": .string(feed.title),
            "author": JSONValue(feed.author), "link": JSONValue(feed.link), "language": JSONValue(feed.language),
            "image": JSONValue(feed.image), "subscribed": JSONValue(feed.subscribed),
            "episodes": .integer(Int64(feed.episodeCount)), "unplayed": .integer(Int64(feed.unplayedCount)),
            "health": [
                "lastSuccess": JSONValue(health.lastSuccess), "lastTry": JSONValue(health.lastTry),
                "httpStatus": JSONValue(health.httpStatus), "error": JSONValue(health.error),
                "failures": .integer(Int64(health.failures)), "nextDue": JSONValue(health.nextDue),
            ],
            "key": JSONValue(key),
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.integerValue, let title = json["title"]?.stringValue else { return nil }
        func number(_ value: JSONValue?) -> Int? { value?.integerValue.map { Int(truncatingIfNeeded: $0) } }
        let health = json["health"]
        feed = Feed(
            id: FeedID(id), url: json["url"]?.stringValue ?? "", title: title, author: json["author"]?.stringValue,
            link: json["link"]?.stringValue, language: json["language"]?.stringValue,
            image: json["image"]?.stringValue, subscribed: json["subscribed"]?.timestamp ?? Timestamp(seconds: 0),
            health: FeedHealth(
                lastSuccess: health?["lastSuccess"]?.timestamp, lastTry: health?["lastTry"]?.timestamp,
                httpStatus: number(health?["httpStatus"]), error: health?["error"]?.stringValue,
                failures: number(health?["failures"]) ?? 0, nextDue: health?["nextDue"]?.timestamp),
            episodeCount: number(json["episodes"]) ?? 0, unplayedCount: number(json["unplayed"]) ?? 0)
        key = json["key"]?.stringValue
    }
}
