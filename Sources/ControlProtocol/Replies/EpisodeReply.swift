public import JSON
public import PodcastModel

/// An episode as lists and the status show it.
public struct EpisodeReply: ReplyObject {
    /// The episode.
    public var episode: Episode
    /// Its place in the list it was read from: what `after` and `before` take.
    public var key: String?

    /// An episode, with its key in a list.
    public init(_ episode: Episode, key: String? = nil) {
        self.episode = episode
        self.key = key
    }

    /// Its name in the manual.
    public static let objectName = "Episode"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("id", "integer", "The library's number; stable."),
            .init("feed", "integer", "The feed's id."),
            .init("feedTitle", "text", "The feed's title."),
            .init("title", "text", "The publisher's title."),
            .init("url", "text", "The media file."),
            .init("type", "text or null", "The announced MIME type."),
            .init("published", "instant", "When it was published."),
            .init("duration", "seconds or null", "Total time: measured, else announced."),
            .init("season", "integer or null", "Season number."),
            .init("episode", "integer or null", "Number within season or feed."),
            .init("link", "text or null", "Its web page."),
            .init("position", "seconds", "Where listening resumes."),
            .init("played", "true or false", "Heard to the end, or marked so."),
            .init("starred", "true or false", "Marked as a favourite."),
            .init("downloaded", "true or false", "Kept on disk as a whole."),
            .init("note", "text or null", "The listener's note."),
            .init("lastPlayed", "instant or null", "When it was last heard."),
            .init("key", "text or null", "Its place in the list that it stands in, for `after` and `before`."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        let state = episode.state
        return [
            "id": .integer(episode.id.rawValue), "feed": .integer(episode.feed.rawValue),
            "feedTitle": .string(episode.feedTitle), "title": .string(episode.title),
            "url": .string(episode.enclosure.url), "type": JSONValue(episode.enclosure.type),
            "published": JSONValue(episode.published), "duration": JSONValue(episode.duration),
            "season": JSONValue(episode.season), "episode": JSONValue(episode.number), "link": JSONValue(episode.link),
            "position": JSONValue(state.position), "played": .bool(state.isPlayed), "starred": .bool(state.isStarred),
            "downloaded": .bool(state.isDownloaded), "note": JSONValue(state.note),
            "lastPlayed": JSONValue(state.lastPlayed), "key": JSONValue(key),
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.integerValue, let title = json["title"]?.stringValue else { return nil }
        episode = Episode(
            id: EpisodeID(id), feed: FeedID(json["feed"]?.integerValue ?? 0),
            feedTitle: json["feedTitle"]?.stringValue ?? "", title: title,
            enclosure: Enclosure(url: json["url"]?.stringValue ?? "", type: json["type"]?.stringValue),
            published: json["published"]?.timestamp ?? Timestamp(seconds: 0),
            announcedDuration: json["duration"]?.mediaTime,
            season: json["season"]?.integerValue.map { Int(truncatingIfNeeded: $0) },
            number: json["episode"]?.integerValue.map { Int(truncatingIfNeeded: $0) }, link: json["link"]?.stringValue,
            state: EpisodeState(
                position: json["position"]?.mediaTime ?? .zero, isPlayed: json["played"]?.boolValue ?? false,
                isStarred: json["starred"]?.boolValue ?? false, isDownloaded: json["downloaded"]?.boolValue ?? false,
                note: json["note"]?.stringValue, lastPlayed: json["lastPlayed"]?.timestamp))
        key = json["key"]?.stringValue
    }
}

/// One place in the queue, with its episode.
public struct EntryReply: ReplyObject {
    /// The entry's number.
    public var id: EntryID
    /// Its index, from 1.
    public var index: Int
    /// Whether it plays or played last.
    public var isCurrent: Bool
    /// What is played there.
    public var episode: EpisodeReply

    /// An entry.
    public init(id: EntryID, index: Int, isCurrent: Bool, episode: EpisodeReply) {
        self.id = id
        self.index = index
        self.isCurrent = isCurrent
        self.episode = episode
    }

    /// Its name in the manual.
    public static let objectName = "Entry"
    /// Its members for the manual.
    public static var members: [ObjectMember] {
        [
            .init("id", "integer", "The entry's number; stable while others come and go."),
            .init("index", "integer", "Its place in the queue, from 1."),
            .init("current", "true or false", "Whether it plays or played last."),
            .init("episode", "Episode", "What is played there."),
        ]
    }

    /// The object on the wire.
    public var json: JSONValue {
        [
            "id": .integer(id.rawValue), "index": .integer(Int64(index)), "current": .bool(isCurrent),
            "episode": episode.json,
        ]
    }

    /// Reads what a server sent.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.integerValue, let index = json["index"]?.integerValue,
            let episode = json["episode"].flatMap({ EpisodeReply(json: $0) })
        else { return nil }
        self.init(
            id: EntryID(id), index: Int(truncatingIfNeeded: index), isCurrent: json["current"]?.boolValue ?? false,
            episode: episode)
    }
}
