/// Additional information about an episode from its publisher: the Podcasting 2.0 tags.
public struct EpisodeDetails: Equatable, Sendable {
    public var seasonName: String?
    /// Text to show instead of the episode's number.
    public var episodeName: String?
    /// People who take part.
    public var persons: [Person] = []
    /// Parts that the publisher recommends.
    public var soundbites: [Soundbite] = []
    /// Places that it is about, or where it was made.
    public var locations: [Location] = []
    public init() {}

    public init(_ item: Item) {
        seasonName = item.seasonName
        episodeName = item.episodeName
        persons = item.persons
        soundbites = item.soundbites
        locations = item.locations
    }
}

/// Additional information about a feed from its publisher.
public struct FeedDetails: Equatable, Sendable {
    /// `podcast:medium`, in lower case.
    public var medium: String?
    /// Pages where the publisher accepts money.
    public var funding: [Funding] = []
    /// People who take part in all episodes.
    public var persons: [Person] = []
    /// Places that it is about, or where it is made.
    public var locations: [Location] = []
    /// Live streams; they are not episodes.
    public var liveItems: [LiveItem] = []
    public init() {}

    /// Creates the details of a document's channel.
    public init(_ channel: Channel) {
        medium = channel.medium
        funding = channel.funding
        persons = channel.persons
        locations = channel.locations
        liveItems = channel.liveItems
    }
}
