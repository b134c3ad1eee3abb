/// What lists of feeds show of a feed's channel: the channel has it from its document, the library in the columns that are named here,
/// and the feed from these columns.
public struct FeedFacts: PublishedObject {
    /// The web page.
    public var link: String?
    /// An RFC 5646 language tag as written.
    public var language: String?
    /// itunes:author, Atom author name, dc:creator or the name in managingEditor.
    public var author: String?
    public var image: String?

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.url("link").shown("Its web page."), &link)
        members.visit(.line("language").shown("Its language, RFC 5646."), &language)
        members.visit(.title("author").shown("The publisher."), &author)
        members.visit(.url("image").shown("The cover's URL."), &image)
    }
}
