// The elements that the Podcasting 2.0 namespace (podcastindex.org/namespace/1.0) adds to feeds and items.

/// Additional information about an episode from its publisher.
public struct EpisodeDetails: PublishedObject {
    /// Name of the season (podcast:season).
    public var seasonName: String?
    /// Text to show instead of the episode's number (podcast:episode).
    public var episodeName: String?
    /// People who take part (podcast:person).
    public var persons: [Person] = []
    /// Parts that the publisher recommends (podcast:soundbite).
    public var soundbites: [Soundbite] = []
    /// Places that it is about, or where it was made (podcast:location).
    public var locations: [Location] = []

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.title("seasonName").column(nil), &seasonName)
        members.visit(.title("episodeName").column(nil), &episodeName)
        members.visit(PublishedList("persons", atMost: 100, table: "person"), &persons)
        members.visit(PublishedList("soundbites", atMost: 100), &soundbites)
        members.visit(PublishedList("locations", atMost: 100), &locations)
    }
}

/// Additional information about a feed from its publisher.
public struct FeedDetails: PublishedObject {
    /// `podcast:medium`, in lower case; `music` turns speech processing off.
    public var medium: String?
    /// Pages where the publisher accepts money (podcast:funding).
    public var funding: [Funding] = []
    /// People who take part in all episodes (podcast:person).
    public var persons: [Person] = []
    /// Places that it is about, or where it is made (podcast:location).
    public var locations: [Location] = []
    /// Live streams; they are not episodes (podcast:liveItem).
    public var liveItems: [LiveItem] = []

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.line("medium"), &medium)
        members.visit(PublishedList("funding", atMost: 100), &funding)
        members.visit(PublishedList("persons", atMost: 100), &persons)
        members.visit(PublishedList("locations", atMost: 100), &locations)
        members.visit(PublishedList("live", atMost: 100), &liveItems)
    }
}

/// A page where the publisher accepts money.
public struct Funding: PublishedObject {
    public var url = ""
    public var text: String?

    public init() {}
    public init(url: String, text: String?) {
        self.url = url
        self.text = text
    }

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.url("url"), &url)
        members.visit(.title("text"), &text)
    }
}

/// A person who takes part in an episode.
public struct Person: PublishedObject {
    public var name = ""
    /// Role; `host` by default.
    public var role: String?
    /// URL of a page about the person.
    public var href: String?
    public var image: String?

    public init() {}
    public init(name: String, role: String? = nil, href: String? = nil, image: String? = nil) {
        self.name = name
        self.role = role
        self.href = href
        self.image = image
    }

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.title("name"), &name)
        members.visit(.line("role"), &role)
        members.visit(.url("href"), &href)
        members.visit(.url("image"), &image)
    }
}

/// A part of an episode that the publisher recommends.
public struct Soundbite: PublishedObject {
    public var start = MediaTime.zero
    public var duration = MediaTime.zero
    /// Title; the episode's title if nil.
    public var title: String?

    public init() {}
    public init(start: MediaTime, duration: MediaTime, title: String? = nil) {
        self.start = start
        self.duration = duration
        self.title = title
    }

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.value("start"), &start)
        members.visit(.value("duration"), &duration)
        members.visit(.title("title"), &title)
    }
}

/// A place that a feed or an episode is about, or where it was made.
public struct Location: PublishedObject {
    public var name = ""
    /// An RFC 5870 `geo:` URI as written.
    public var geo: String?
    /// OpenStreetMap object: its kind (`N`, `W`, `R`) and number, as written.
    public var openStreetMap: String?
    /// ISO 3166-1 code of two letters, as written.
    public var country: String?
    /// `subject` or `creator`, in lower case.
    public var rel: String?

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.title("name"), &name)
        members.visit(.line("geo"), &geo)
        members.visit(.line("osm"), &openStreetMap)
        members.visit(.line("country"), &country)
        members.visit(.line("rel"), &rel)
    }
}

/// A live stream, pending, live or ended. It is not an episode.
public struct LiveItem: PublishedObject {
    /// `pending`, `live` or `ended`, in lower case.
    public var status: String?
    public var start: Timestamp?
    public var end: Timestamp?
    /// The elements that live items share with items: title, notes, enclosure, persons.
    public var item = Item()

    public init() {}

    /// Of the item, only what is needed to find it and to listen.
    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.line("status"), &status)
        members.visit(.value("start"), &start)
        members.visit(.value("end"), &end)
        members.visit(.guid("guid"), &item.guid)
        members.visit(.title("title"), &item.title)
        members.visit(.url("link"), &item.facts.link)
        var url = item.enclosures.first?.url
        var type = item.enclosures.first?.type
        members.visit(.url("url"), &url)
        members.visit(.line("type"), &type)
        item.enclosures = url.map { [Enclosure(url: $0, type: type)] } ?? []
    }
}
