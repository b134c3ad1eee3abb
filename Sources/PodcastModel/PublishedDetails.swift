/// What a publisher says of an episode beyond what is played and listed: the Podcasting 2.0 tags.
public struct EpisodeDetails: Equatable, Sendable {
    /// What the season is called.
    public var seasonName: String?
    /// What is shown in place of the episode's number.
    public var episodeName: String?
    /// Who takes part.
    public var persons: [Person] = []
    /// Parts that the publisher recommends.
    public var soundbites: [Soundbite] = []
    /// Places that it is about or was made at.
    public var locations: [Location] = []
    /// Other forms of the media.
    public var alternates: [AlternateEnclosure] = []
    /// How the publisher would be paid, where that differs from the feed's.
    public var payment: PaymentTerms?
    /// Nothing.
    public init() {}

    /// What an item says.
    public init(_ item: Item) {
        seasonName = item.seasonName
        episodeName = item.episodeName
        persons = item.persons
        soundbites = item.soundbites
        locations = item.locations
        alternates = item.alternates
        payment = item.payment
    }
}

/// What a publisher says of a feed beyond what lists show.
public struct FeedDetails: Equatable, Sendable {
    /// `podcast:medium`, in lower case.
    public var medium: String?
    /// Where to support the publisher.
    public var funding: [Funding] = []
    /// Who takes part in every episode.
    public var persons: [Person] = []
    /// Places that it is about or is made at.
    public var locations: [Location] = []
    /// Streams that are on, will be or were: no episodes.
    public var liveItems: [LiveItem] = []
    /// How the publisher would be paid.
    public var payment: PaymentTerms?
    /// Nothing.
    public init() {}

    /// What a document says of its feed.
    public init(_ channel: Channel) {
        medium = channel.medium
        funding = channel.funding
        persons = channel.persons
        locations = channel.locations
        liveItems = channel.liveItems
        payment = channel.payment
    }
}
