/// An episode's Podcasting 2.0 tags.
public struct EpisodeDetails: Equatable, Sendable {
    public var seasonName: String?
    /// Text to show instead of the episode's number.
    public var episodeName: String?
    public var persons: [Person] = []
    public var soundbites: [Soundbite] = []
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

/// A feed's Podcasting 2.0 tags.
public struct FeedDetails: Equatable, Sendable {
    /// `podcast:medium`, in lower case.
    public var medium: String?
    public var funding: [Funding] = []
    public var persons: [Person] = []
    public var locations: [Location] = []
    public var liveItems: [LiveItem] = []
    public init() {}

    public init(_ channel: Channel) {
        medium = channel.medium
        funding = channel.funding
        persons = channel.persons
        locations = channel.locations
        liveItems = channel.liveItems
    }
}
