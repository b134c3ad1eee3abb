/// A feed or an episode that a name may mean, as listed in errors.
public struct NamedObject: Equatable, Sendable {
    /// `feed` or `episode`.
    public var kind: String
    public var id: Int64
    public var title: String
    public var feedTitle: String?
    public var published: Timestamp?

    public init(kind: String, id: Int64, title: String, feedTitle: String? = nil, published: Timestamp?) {
        (self.kind, self.id, self.title) = (kind, id, title)
        (self.feedTitle, self.published) = (feedTitle, published)
    }

    /// The id with its letter: `f5`, `e3124`.
    public var label: String { kind == "feed" ? FeedID(id).label : EpisodeID(id).label }
}
