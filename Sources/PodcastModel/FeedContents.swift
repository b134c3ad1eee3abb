internal import Glibc

/// The contents of a feed document, as returned by the parser. Which items are new is not decided yet.
///
/// Texts are UTF-8 and trimmed; `summary` and `content` may be HTML. URLs are resolved against the base.
public struct FeedContents: Equatable, Sendable {
    public var channel = Channel()
    /// Each `<item>` or `<entry>` in document order, including those without audio, title or GUID.
    public var items: [Item] = []
    public init() {}
}

/// A feed's description of itself.
@dynamicMemberLookup
public struct Channel: PublishedObject {
    /// The channel's own title, never its image's.
    public var title: String?
    /// `<description>` or `<subtitle>`, else `itunes:summary`.
    public var summary: String?
    /// What lists of feeds show.
    public var facts = FeedFacts()
    public var explicit: Bool?
    /// `episodic` (newest first) or `serial` (oldest first), in lower case.
    public var type: String?
    /// `podcast:guid`, the feed's identity across moves.
    public var guid: String?
    /// `itunes:new-feed-url`: the announced new URL of the feed.
    public var newFeedURL: String?
    /// The document's own URL (`atom:link rel="self"`, JSON Feed's `feed_url`).
    public var selfURL: String?
    /// The next page of a paged feed (RFC 5005, section 3).
    public var nextPage: String?
    /// The archive with the preceding items (RFC 5005, section 4).
    public var previousArchive: String?
    /// True if the document is an archive, which does not change (RFC 5005, section 4).
    public var isArchive = false
    /// True if the document contains all items (RFC 5005, section 2).
    public var holdsEverything = false
    /// True if the publisher forbids other hosts to import the feed (`podcast:locked`).
    public var locked: Bool?
    /// True if the publisher announced that no more episodes will appear.
    public var complete: Bool?
    /// Name in itunes:owner.
    public var ownerName: String?
    /// E-mail address in itunes:owner.
    public var ownerEmail: String?
    public var categories: [String] = []
    /// The Podcasting 2.0 tags.
    public var details = FeedDetails()
    /// When the document should be requested again.
    public var rhythm = UpdateRhythm()
    public init() {}

    /// What is read, by its name in the JSON of `podcast-refresh inspect`; the columns are those of `feed`.
    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.title("title").column(nil), &title)
        members.visit(.notes("description"), &summary)
        facts.declareMembers(&members)
        members.visit(.value("explicit"), &explicit)
        members.visit(.line("type"), &type)
        members.visit(.guid("guid"), &guid)
        members.visit(.url("newFeedURL").unstored, &newFeedURL)
        members.visit(.url("nextPage").unstored, &nextPage)
        members.visit(.url("previousArchive").unstored, &previousArchive)
        members.visit(.value("archive").unstored, &isArchive, usual: false)
        members.visit(.value("everything").unstored, &holdsEverything, usual: false)
        members.visit(.value("locked").unstored, &locked)
        members.visit(.value("complete"), &complete)
        details.declareMembers(&members)
    }

    @inlinable public subscript<Value>(dynamicMember path: WritableKeyPath<FeedFacts, Value>) -> Value {
        get { facts[keyPath: path] }
        set { facts[keyPath: path] = newValue }
    }
}

/// One item of a feed's document.
public struct Item: PublishedObject {
    /// The publisher's identifier of the item: compared exactly, trimmed, never resolved as a URL.
    public var guid: String?
    /// The title as written; may contain HTML entities that the publisher escaped twice.
    public var title: String?
    /// pubDate or Atom published, else updated, modified or dc:date.
    public var published: Timestamp?
    /// The announced duration; a hint that is often wrong.
    public var duration: MediaTime?
    /// `<description>`, Atom summary or itunes:summary.
    public var summary: String?
    /// content:encoded or Atom content.
    public var content: String?
    /// itunes:author or a similar element.
    public var author: String?
    public var image: String?
    /// What lists of episodes show.
    public var facts = EpisodeFacts()
    /// The publisher's value of `itunes:explicit`.
    public var explicit: Bool?
    /// The media files in document order; see `media`.
    public var enclosures: [Enclosure] = []
    public var chapters: [Chapter] = []
    /// `podcast:chapters`: URL of a JSON document that is fetched when needed.
    public var chaptersURL: String?
    /// `podcast:transcript`; one for each language and format.
    public var transcripts: [TranscriptReference] = []
    /// The Podcasting 2.0 tags.
    public var details = EpisodeDetails()
    public init() {}

    /// What is read, by its name in the JSON of `podcast-refresh inspect`; the columns are those of `episode`. The date has columns
    /// for what a feed leaves out.
    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.guid("guid"), &guid)
        members.visit(.title("title"), &title)
        members.visit(.value("published").column(nil), &published)
        members.visit(.value("duration"), &duration)
        members.visit(.notes("summary"), &summary)
        members.visit(.notes("content"), &content)
        members.visit(.title("author"), &author)
        members.visit(.url("image"), &image)
        members.visit(.value("explicit"), &explicit)
        facts.declareMembers(&members)
        members.visit(PublishedList("enclosures", atMost: 50), &enclosures)
        members.visit(PublishedList("chapters", atMost: 1_000, table: "chapter"), &chapters)
        members.visit(.url("chaptersURL").column("chapters_url"), &chaptersURL)
        members.visit(PublishedList("transcripts", atMost: 50, table: "transcript"), &transcripts)
        details.declareMembers(&members)
    }

    /// True if summary and content are identical, as in many feeds; the text is then converted only once.
    ///
    /// Compares bytes, because this runs for every item, and comparing strings with non-ASCII characters takes four times as
    /// long.
    public var hasOneText: Bool {
        guard var summary, var content else { return summary == nil && content == nil }
        return summary.withUTF8 { summary in
            content.withUTF8 { content in
                guard summary.count == content.count else { return false }
                guard let one = summary.baseAddress, let other = content.baseAddress else { return true }
                return memcmp(one, other, summary.count) == 0
            }
        }
    }
}

/// A media file that an item announces.
public struct Enclosure: PublishedObject {
    public var url = ""
    /// The announced MIME type; a hint that is never relied on.
    public var type: String?
    /// The announced length in bytes; a hint that is often 0 or wrong.
    public var length: Int64?
    public init(url: String, type: String? = nil, length: Int64? = nil) {
        self.url = url
        self.type = type
        self.length = length
    }

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.url("url"), &url)
        members.visit(.line("type"), &type)
        members.visit(.value("length"), &length)
    }
}

/// A chapter of an episode.
public struct Chapter: PublishedObject {
    public var start = MediaTime.zero
    /// End; nil if the source does not give it.
    public var end: MediaTime?
    public var title: String?
    public var link: String?
    public var image: String?
    /// Whether it appears in a table of contents.
    public var isListed = true
    /// True for a time in show notes, which means less than the file's own chapters.
    var isFromNotes = false
    public init(
        start: MediaTime, end: MediaTime? = nil, title: String? = nil, link: String? = nil, image: String? = nil,
        isListed: Bool = true
    ) {
        self.start = start
        self.end = end
        self.title = title
        self.link = link
        self.image = image
        self.isListed = isListed
    }

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.value("start"), &start)
        members.visit(.value("end"), &end)
        members.visit(.title("title"), &title)
        members.visit(.url("link"), &link)
        members.visit(.url("image"), &image)
        members.visit(.value("toc").column("listed"), &isListed, usual: true)
    }
}

/// A link to a transcript.
public struct TranscriptReference: PublishedObject {
    public var url = ""
    public var type: String?
    /// RFC 5646 tag.
    public var language: String?
    /// `captions` if the transcript has times.
    public var rel: String?
    public init(url: String, type: String? = nil, language: String? = nil, rel: String? = nil) {
        self.url = url
        self.type = type
        self.language = language
        self.rel = rel
    }

    public init() {}

    @inlinable public mutating func declareMembers<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit(.url("url"), &url)
        members.visit(.line("type"), &type)
        members.visit(.line("language"), &language)
        members.visit(.line("rel"), &rel)
    }
}

/// A problem in a document that was repaired or ignored, with its place in the original bytes.
public struct Diagnostic: Equatable, Sendable {
    /// Line in the original, from 1.
    public var line: Int
    /// Column in the original in bytes, from 1.
    public var column: Int
    /// The repair, for users: `escaped a bare "&"`.
    public var message: String
    public init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}
