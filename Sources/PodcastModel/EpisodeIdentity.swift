/// The publisher's data about an episode, by which other libraries and programs identify the episode too.
public struct EpisodeIdentity: Hashable, Sendable {
    public var guid: String?
    public var url: String
    public var title: String?
    public var published: Timestamp?
    public var duration: MediaTime?

    /// The more members are known, the more certain is the match.
    public init(
        guid: String? = nil, url: String, title: String? = nil, published: Timestamp? = nil, duration: MediaTime? = nil
    ) {
        self.guid = guid
        self.url = url
        self.title = title
        self.published = published
        self.duration = duration
    }
}
