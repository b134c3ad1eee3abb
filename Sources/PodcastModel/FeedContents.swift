/// The contents of a feed document, as returned by the parser. Which items are new is not decided yet.
///
/// Texts are UTF-8 and trimmed; `summary` and `content` may be HTML. URLs are resolved against the base.
public struct FeedContents: Equatable, Sendable {
    public var channel = Channel()
    /// Each `<item>` or `<entry>` in document order, including those without audio, title or GUID.
    public var items: [Item] = []
    public init() {}
}

/// A document's description of the feed.
public struct Channel: Equatable, Sendable {
    /// The channel's own title, never its image's.
    public var title: String?
    /// The feed's web page.
    public var link: String?
    /// `<description>` or `<subtitle>`, else `itunes:summary`.
    public var summary: String?
    /// An RFC 5646 language tag as written.
    public var language: String?
    /// itunes:author, Atom author name, dc:creator or the name in managingEditor.
    public var author: String?
    public var image: String?
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
    /// `podcast:funding` links.
    public var funding: [Funding] = []
    /// `podcast:medium`, in lower case; `music` turns speech processing off.
    public var medium: String?
    /// `podcast:person`: people who take part in all episodes.
    public var persons: [Person] = []
    /// `podcast:location`.
    public var locations: [Location] = []
    /// `podcast:liveItem`.
    public var liveItems: [LiveItem] = []
    public var rhythm = UpdateRhythm()
    public init() {}
}

/// A page where the publisher accepts money.
public struct Funding: Equatable, Sendable {
    public var url: String
    public var text: String?
    public init(url: String, text: String?) {
        self.url = url
        self.text = text
    }
}

/// One item of a feed's document.
public struct Item: Equatable, Sendable {
    /// The publisher's identifier of the item: compared exactly, trimmed, never resolved as a URL.
    public var guid: String?
    /// The title as written; may contain HTML entities that the publisher escaped twice.
    public var title: String?
    public var link: String?
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
    /// itunes:season or podcast:season.
    public var season: Int?
    /// Name of the season (podcast:season).
    public var seasonName: String?
    /// itunes:episode or podcast:episode.
    public var episode: Int?
    /// Text to show instead of the number (podcast:episode).
    public var episodeName: String?
    /// `full`, `trailer` or `bonus`, in lower case.
    public var episodeType: String?
    public var explicit: Bool?
    /// The media files in document order; the first is played.
    public var enclosures: [Enclosure] = []
    public var chapters: [Chapter] = []
    /// `podcast:chapters`: URL of a JSON document that is fetched when needed.
    public var chaptersURL: String?
    /// `podcast:transcript`; one for each language and format.
    public var transcripts: [TranscriptReference] = []
    /// `podcast:person`.
    public var persons: [Person] = []
    /// `podcast:soundbite`.
    public var soundbites: [Soundbite] = []
    /// `podcast:location`.
    public var locations: [Location] = []
    public init() {}
}

/// A media file that an item announces.
public struct Enclosure: Equatable, Sendable {
    public var url: String
    /// The announced MIME type; a hint that is never relied on.
    public var type: String?
    /// The announced length in bytes; a hint that is often 0 or wrong.
    public var length: Int64?
    public init(url: String, type: String? = nil, length: Int64? = nil) {
        self.url = url
        self.type = type
        self.length = length
    }
}

/// A chapter of an episode.
public struct Chapter: Equatable, Sendable {
    public var start: MediaTime
    public var end: MediaTime?
    public var title: String?
    /// URL of a page about the chapter.
    public var link: String?
    public var image: String?
    /// True if the chapter appears in a table of contents.
    public var isListed: Bool
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
}

/// A link to a transcript.
public struct TranscriptReference: Equatable, Sendable {
    public var url: String
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
}

/// A person who takes part in an episode.
public struct Person: Equatable, Sendable {
    public var name: String
    /// Role; `host` by default.
    public var role: String?
    /// URL of a page about the person.
    public var href: String?
    /// URL of the person's picture.
    public var image: String?
    public init(name: String, role: String? = nil, href: String? = nil, image: String? = nil) {
        self.name = name
        self.role = role
        self.href = href
        self.image = image
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

extension Item {
    /// True if summary and content are identical, as in many feeds; the text is then converted only once.
    ///
    /// Compares UTF-8 bytes as words, because this runs for every item, and comparing strings with non-ASCII characters
    /// takes four times as long.
    public var hasOneText: Bool {
        guard var summary, var content else { return summary == nil && content == nil }
        guard summary.utf8.count == content.utf8.count else { return false }
        return summary.withUTF8 { summary in
            content.withUTF8 { content in
                let (one, other) = (UnsafeRawBufferPointer(summary), UnsafeRawBufferPointer(content))
                let words = one.count / 8 * 8
                for place in stride(from: 0, to: words, by: 8) {
                    let word = one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    guard word == other.loadUnaligned(fromByteOffset: place, as: UInt64.self) else { return false }
                }
                return one[words...].elementsEqual(other[words...])
            }
        }
    }
}
