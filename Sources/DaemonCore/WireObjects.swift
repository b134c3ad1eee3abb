internal import Activity
internal import ControlProtocol
internal import JSON
internal import LibraryModel
internal import MediaPorts
internal import PodcastModel

// How the model's values look on the wire. Times within episodes are seconds with millisecond grain, dates RFC 3339.

extension JSONValue {
    /// Seconds with millisecond grain, or null.
    init(_ time: MediaTime?) {
        self = time.map { .number(Double($0.milliseconds) / 1000) } ?? .null
    }

    /// RFC 3339, or null.
    init(_ date: Timestamp?) { self = date.map { .string($0.description) } ?? .null }

    /// An `Episode` object.
    init(_ episode: Episode) {
        let state = episode.state
        self = [
            "id": .integer(episode.id.rawValue), "feed": .integer(episode.feed.rawValue),
            "feedTitle": .string(episode.feedTitle), "title": .string(episode.title),
            "url": .string(episode.enclosure.url), "type": JSONValue(episode.enclosure.type),
            "published": JSONValue(episode.published), "duration": JSONValue(episode.duration),
            "season": JSONValue(episode.season), "episode": JSONValue(episode.number), "link": JSONValue(episode.link),
            "position": JSONValue(state.position), "played": .bool(state.isPlayed), "starred": .bool(state.isStarred),
            "downloaded": .bool(state.isDownloaded), "note": JSONValue(state.note),
            "lastPlayed": JSONValue(state.lastPlayed), "key": .string(EpisodeKey(of: episode).wireText),
        ]
    }

    /// A `Feed` object.
    init(_ feed: Feed) {
        let health = feed.health
        self = [
            "id": .integer(feed.id.rawValue), "url": .string(feed.url), "title": .string(feed.title),
            "author": JSONValue(feed.author), "link": JSONValue(feed.link), "language": JSONValue(feed.language),
            "image": JSONValue(feed.image), "subscribed": JSONValue(feed.subscribed),
            "episodes": JSONValue(feed.episodeCount), "unplayed": JSONValue(feed.unplayedCount),
            "health": [
                "lastSuccess": JSONValue(health.lastSuccess), "lastTry": JSONValue(health.lastTry),
                "httpStatus": JSONValue(health.httpStatus), "error": JSONValue(health.error),
                "failures": JSONValue(health.failures), "nextDue": JSONValue(health.nextDue),
            ],
        ]
    }

    /// An `Activity` object.
    init(_ activity: Activity) {
        self = [
            "id": .integer(Int64(activity.id)), "kind": .string(activity.kind.rawValue),
            "message": .string(activity.message), "subject": JSONValue(activity.subject),
            "progress": JSONValue(activity.progress.map { ($0 * 1000).rounded() / 1000 }),
            "since": JSONValue(activity.since), "parent": activity.parent.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    /// A `Chapter` object.
    init(_ chapter: Chapter) {
        self = [
            "start": JSONValue(chapter.start), "end": JSONValue(chapter.end), "title": JSONValue(chapter.title),
            "link": JSONValue(chapter.link), "image": JSONValue(chapter.image), "toc": .bool(chapter.isListed),
        ]
    }
}

extension EpisodeKey {
    /// Where an episode stands in views ordered by date.
    init(of episode: Episode) { self.init(published: episode.published, id: episode.id) }

    /// The key as clients hand it back; opaque to them.
    var wireText: String { "\(published.milliseconds).\(id.rawValue)" }

    /// Reads a key that a client hands back.
    init(wireText: String) throws(ControlError) {
        let parts = wireText.split(separator: ".")
        guard parts.count == 2, let published = Int64(parts[0]), let id = Int64(parts[1]) else {
            throw ControlError(.invalidArgument, "that is no key of a row", hint: "hand back a key as a list gave it")
        }
        self.init(published: Timestamp(milliseconds: published), id: EpisodeID(id))
    }
}
