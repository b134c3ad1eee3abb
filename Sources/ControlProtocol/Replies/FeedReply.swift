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
            .init("summary", "text or null", "What it is about."),
            .init("image", "text or null", "The cover's URL."),
            .init("episodes", "integer", "Episodes stored."),
            .init("unplayed", "integer", "Episodes not played yet."),
            .init("subscribed", "instant", "Since when."),
            .init("lastSuccess", "instant or null", "The last refresh that ended well."),
            .init("lastTry", "instant or null", "The last refresh."),
            .init("nextDue", "instant or null", "When the next one is due."),
            .init("failures", "integer", "Refreshes that failed in a row."),
            .init("httpStatus", "integer or null", "HTTP status of the last answer."),
            .init("error", "text or null", "What went wrong last."),
            .init("key", "text or null", "Its place in the list that it stands in, for `after`."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        let health = feed.health
        return [
            "id": .integer(feed.id.rawValue), "url": .string(feed.url), "title": .string(feed.title),
            "author": JSONValue(feed.author), "link": JSONValue(feed.link), "summary": JSONValue(feed.summary),
            "image": JSONValue(feed.image), "episodes": .integer(Int64(feed.episodeCount)),
            "unplayed": .integer(Int64(feed.unplayedCount)), "subscribed": JSONValue(feed.subscribed),
            "lastSuccess": JSONValue(health.lastSuccess), "lastTry": JSONValue(health.lastTry),
            "nextDue": JSONValue(health.nextDue), "failures": .integer(Int64(health.failures)),
            "httpStatus": JSONValue(health.httpStatus), "error": JSONValue(health.error), "key": JSONValue(key),
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.integerValue, let title = json["title"]?.stringValue else { return nil }
        func number(_ name: String) -> Int? { json[name]?.integerValue.map { Int(truncatingIfNeeded: $0) } }
        feed = Feed(
            id: FeedID(id), url: json["url"]?.stringValue ?? "", title: title, author: json["author"]?.stringValue,
            link: json["link"]?.stringValue, summary: json["summary"]?.stringValue, image: json["image"]?.stringValue,
            subscribed: json["subscribed"]?.timestamp ?? Timestamp(seconds: 0),
            health: FeedHealth(
                lastSuccess: json["lastSuccess"]?.timestamp, lastTry: json["lastTry"]?.timestamp,
                httpStatus: number("httpStatus"), error: json["error"]?.stringValue, failures: number("failures") ?? 0,
                nextDue: json["nextDue"]?.timestamp),
            episodeCount: number("episodes") ?? 0, unplayedCount: number("unplayed") ?? 0)
        key = json["key"]?.stringValue
    }
}
