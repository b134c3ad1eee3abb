/// What lists of episodes show of a feed's item: the item has it from its feed, the library in the columns that are named here, and
/// the episode from these columns.
public struct EpisodeFacts: PublishedObject {
    /// itunes:season or podcast:season.
    public var season: Int?
    /// Number within the season or feed: itunes:episode or podcast:episode.
    public var number: Int?
    /// The web page.
    public var link: String?
    /// `full`, `trailer` or `bonus`, in lower case, or what else the publisher says.
    public var type: String?

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.value("season").shown("Season number."), &season)
        members.visit(.value("episode").column("number").shown("Number within season or feed."), &number)
        members.visit(.url("link").shown("Its web page."), &link)
        members.visit(.line("episodeType").column("episode_type"), &type)
    }
}
