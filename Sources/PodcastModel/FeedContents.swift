/// What a feed's document says, before anyone decided which of it is new: the parser's result.
///
/// Texts are as the publisher wrote them, decoded to UTF-8, trimmed, and possibly still HTML in `summary`
/// and `content`; URLs are resolved against the document's base.
public struct FeedContents: Equatable, Sendable {
    /// What the document says of the feed itself.
    public var channel = Channel()
    /// Every `<item>` or `<entry>` in document order, also those without audio, title or GUID.
    public var items: [Item] = []
    /// An empty document.
    public init() {}
}

/// A feed's description of itself.
public struct Channel: Equatable, Sendable {
    /// The channel's own title, never its image's.
    public var title: String?
    /// The web page of the feed.
    public var link: String?
    /// `<description>` or `<subtitle>`, else `itunes:summary`.
    public var summary: String?
    /// An RFC 5646 language tag as written.
    public var language: String?
    /// itunes:author, Atom author name, dc:creator or the name in managingEditor.
    public var author: String?
    /// The cover's URL.
    public var image: String?
    /// The publisher's own word on explicit content.
    public var explicit: Bool?
    /// `episodic` (newest first) or `serial` (oldest first), in lower case.
    public var type: String?
    /// `podcast:guid`, the feed's identity across moves.
    public var guid: String?
    /// `itunes:new-feed-url`: where the publisher says the feed has moved.
    public var newFeedURL: String?
    /// The next page of a paged feed, RFC 5005 section 3.
    public var nextPage: String?
    /// The archive with the items before these, RFC 5005 section 4.
    public var previousArchive: String?
    /// The document is an archive, which does not change, RFC 5005 section 4.
    public var isArchive = false
    /// The document holds every item there is, RFC 5005 section 2.
    public var holdsEverything = false
    /// The publisher forbids import by other hosts.
    public var locked: Bool?
    /// The publisher says that no episode will follow.
    public var complete: Bool?
    /// itunes:owner.
    public var ownerName: String?
    /// itunes:owner.
    public var ownerEmail: String?
    /// Categories in document order.
    public var categories: [String] = []
    /// `podcast:funding` links.
    public var funding: [Funding] = []
    /// `podcast:medium`, in lower case; `music` turns speech processing off.
    public var medium: String?
    /// `podcast:person`: who takes part in every episode.
    public var persons: [Person] = []
    /// `podcast:location`.
    public var locations: [Location] = []
    /// `podcast:liveItem`.
    public var liveItems: [LiveItem] = []
    /// `podcast:value`.
    public var payment: PaymentTerms?
    /// When the document is worth asking for again.
    public var rhythm = UpdateRhythm()
    /// An undescribed channel.
    public init() {}
}

/// A place to give the publisher money.
public struct Funding: Equatable, Sendable {
    /// The page.
    public var url: String
    /// What the publisher calls it.
    public var text: String?
    /// A link with its label.
    public init(url: String, text: String?) {
        self.url = url
        self.text = text
    }
}

/// One item of a feed's document.
public struct Item: Equatable, Sendable {
    /// The publisher's identity of the item: opaque, trimmed, never resolved.
    public var guid: String?
    /// The title as written; may hold HTML entities that the publisher escaped twice.
    public var title: String?
    /// The item's web page.
    public var link: String?
    /// pubDate or Atom published, else updated, modified, dc:date.
    public var published: Timestamp?
    /// The announced duration; a hint, often wrong.
    public var duration: MediaTime?
    /// `<description>`, Atom summary or itunes:summary.
    public var summary: String?
    /// content:encoded or Atom content.
    public var content: String?
    /// itunes:author and its relatives.
    public var author: String?
    /// The episode's own picture.
    public var image: String?
    /// itunes:season or podcast:season.
    public var season: Int?
    /// What podcast:season calls it.
    public var seasonName: String?
    /// itunes:episode or podcast:episode.
    public var episode: Int?
    /// What podcast:episode shows in place of the number.
    public var episodeName: String?
    /// `full`, `trailer` or `bonus`, in lower case.
    public var episodeType: String?
    /// The publisher's own word on explicit content.
    public var explicit: Bool?
    /// The media files in document order; the first one is played.
    public var enclosures: [Enclosure] = []
    /// Podlove simple chapters.
    public var chapters: [Chapter] = []
    /// `podcast:chapters`: a JSON document to fetch when needed.
    public var chaptersURL: String?
    /// `podcast:transcript`, several for languages and forms.
    public var transcripts: [TranscriptReference] = []
    /// `podcast:person`.
    public var persons: [Person] = []
    /// `podcast:alternateEnclosure`.
    public var alternates: [AlternateEnclosure] = []
    /// `podcast:soundbite`.
    public var soundbites: [Soundbite] = []
    /// `podcast:location`.
    public var locations: [Location] = []
    /// `podcast:value`, where it differs from the feed's.
    public var payment: PaymentTerms?
    /// An empty item.
    public init() {}
}

/// A media file that an item announces.
public struct Enclosure: Equatable, Sendable {
    /// Absolute URL, trimmed.
    public var url: String
    /// The announced MIME type; a hint that is never trusted.
    public var type: String?
    /// The announced length in bytes; a hint, often 0 or wrong.
    public var length: Int64?
    /// A media file with its announced type and length.
    public init(url: String, type: String? = nil, length: Int64? = nil) {
        self.url = url
        self.type = type
        self.length = length
    }
}

/// A titled part of an episode.
public struct Chapter: Equatable, Sendable {
    /// Where it begins.
    public var start: MediaTime
    /// Where it ends, when the source says so.
    public var end: MediaTime?
    /// What it is called.
    public var title: String?
    /// A page about it.
    public var link: String?
    /// A picture's URL.
    public var image: String?
    /// Whether it belongs in a table of contents.
    public var isListed: Bool
    /// A chapter that is listed unless told otherwise.
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

/// Where a transcript is and what it is like.
public struct TranscriptReference: Equatable, Sendable {
    /// Absolute URL.
    public var url: String
    /// MIME type.
    public var type: String?
    /// RFC 5646 tag.
    public var language: String?
    /// `captions` when it has times.
    public var rel: String?
    /// A transcript with what is known of it.
    public init(url: String, type: String? = nil, language: String? = nil, rel: String? = nil) {
        self.url = url
        self.type = type
        self.language = language
        self.rel = rel
    }
}

/// Somebody who takes part.
public struct Person: Equatable, Sendable {
    /// Their name.
    public var name: String
    /// Their role, `host` unless told otherwise.
    public var role: String?
    /// A page about them.
    public var href: String?
    /// Their picture's URL.
    public var image: String?
    /// A person with what is known of them.
    public init(name: String, role: String? = nil, href: String? = nil, image: String? = nil) {
        self.name = name
        self.role = role
        self.href = href
        self.image = image
    }
}

/// Something odd in a document that was repaired or passed over, with its place in the original bytes.
public struct Diagnostic: Equatable, Sendable {
    /// Line in the original, from 1.
    public var line: Int
    /// Column in the original, in bytes, from 1.
    public var column: Int
    /// What was done, in a person's words: `escaped a bare "&"`.
    public var message: String
    /// A diagnostic at a place.
    public init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}

extension Item {
    /// Summary and content are the same text to the byte, as many feeds have them: it need be read only once.
    ///
    /// In words of bytes, since every item is asked: to compare strings that are not all ASCII takes four times as long.
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
