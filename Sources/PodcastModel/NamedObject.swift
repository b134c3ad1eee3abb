/// A feed or an episode that a name may mean, as errors list it.
public struct NamedObject: Equatable, Sendable {
    /// `feed` or `episode`.
    public var kind: String
    public var id: Int64
    /// The title, or its beginning.
    public var title: String
    /// When an episode was published.
    public var published: Timestamp?

    public init(kind: String, id: Int64, title: String, published: Timestamp?) {
        (self.kind, self.id, self.title, self.published) = (kind, id, title, published)
    }

    /// The id with its kind: `f5`, `e3124`.
    public var label: String { kind == "feed" ? FeedID(id).label : EpisodeID(id).label }
}
