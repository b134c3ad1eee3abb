/// A feed or an episode that a name may mean.
public struct NamedCandidate: Hashable, Sendable {
    public enum Object: Hashable, Sendable {
        case feed(FeedID)
        case episode(EpisodeID)
    }

    public var object: Object
    public var title: String
    /// Title of an episode's feed; nil for a feed.
    public var feedTitle: String?
    public var published: Timestamp?

    public init(_ object: Object, title: String, feedTitle: String? = nil, published: Timestamp? = nil) {
        self.object = object
        self.title = title
        self.feedTitle = feedTitle
        self.published = published
    }

    public init(_ episode: Episode) {
        self.init(
            .episode(episode.id), title: episode.title, feedTitle: episode.feedTitle, published: episode.published)
    }

    public var isFeed: Bool { if case .feed = object { true } else { false } }

    /// `feed` or `episode`.
    public var kind: String { isFeed ? "feed" : "episode" }

    public var id: Int64 {
        switch object {
        case .feed(let id): id.rawValue
        case .episode(let id): id.rawValue
        }
    }

    /// The id with its letter: `e3124`, `f5`.
    public var label: String {
        switch object {
        case .feed(let id): id.label
        case .episode(let id): id.label
        }
    }

    /// With titles of at most 60 characters, for a list of matches.
    public var shortened: NamedCandidate {
        func short(_ title: String) -> String { title.count > 60 ? title.prefix(59) + "…" : title }
        return NamedCandidate(object, title: short(title), feedTitle: feedTitle.map(short), published: published)
    }
}
