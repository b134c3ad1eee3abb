// What the Podcasting 2.0 namespace (podcastindex.org/namespace/1.0) adds to feeds and items.

/// A part of an episode that its publisher recommends: `podcast:soundbite`.
public struct Soundbite: Equatable, Sendable {
    /// Where it begins.
    public var start: MediaTime
    /// How long it is.
    public var duration: MediaTime
    /// What it is called; the episode's title otherwise.
    public var title: String?
    /// A part of an episode.
    public init(start: MediaTime, duration: MediaTime, title: String? = nil) {
        self.start = start
        self.duration = duration
        self.title = title
    }
}

/// A place that a feed or an episode is about or was made at: `podcast:location`.
public struct Location: Equatable, Sendable {
    /// What people call it.
    public var name: String
    /// An RFC 5870 `geo:` URI as written.
    public var geo: String?
    /// A place of OpenStreetMap: its kind (`N`, `W`, `R`) and number, as written.
    public var openStreetMap: String?
    /// ISO 3166-1 code of two letters, as written.
    public var country: String?
    /// `subject` or `creator`, in lower case.
    public var rel: String?
    /// A place with its name alone.
    public init(name: String) { self.name = name }
}

/// Another form of an episode's media: `podcast:alternateEnclosure`.
public struct AlternateEnclosure: Equatable, Sendable {
    /// Where it can be had, the best first; not only by http.
    public var sources: [Source] = []
    /// Announced MIME type.
    public var type: String?
    /// Announced bytes.
    public var length: Int64?
    /// Announced bits a second.
    public var bitRate: Int?
    /// Lines of a picture.
    public var height: Int?
    /// RFC 5646 tag.
    public var language: String?
    /// What the publisher calls this form.
    public var title: String?
    /// The same as the item's enclosure.
    public var isDefault = false
    /// What the bytes are to be held against.
    public var integrity: Integrity?
    /// A form of which nothing is known.
    public init() {}

    /// One place of it.
    public struct Source: Equatable, Sendable {
        /// Absolute URI of any scheme.
        public var uri: String
        /// MIME type of what stands there, when it is another one, as a torrent's is.
        public var type: String?
        /// A place.
        public init(uri: String, type: String? = nil) {
            self.uri = uri
            self.type = type
        }
    }

    /// A digest or signature of the bytes: `podcast:integrity`.
    public struct Integrity: Equatable, Sendable {
        /// `sri` (W3C Subresource Integrity) or `pgp-signature`, in lower case.
        public var type: String
        /// The digest or signature as written.
        public var value: String
        /// A digest or signature.
        public init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }
}

/// A stream that is on, will be or was: `podcast:liveItem`. It is no episode.
public struct LiveItem: Equatable, Sendable {
    /// `pending`, `live` or `ended`, in lower case.
    public var status: String?
    /// When it begins.
    public var start: Timestamp?
    /// When it ends.
    public var end: Timestamp?
    /// What it says as an item does: title, notes, enclosure, persons.
    public var item = Item()
    /// A stream of which nothing is known.
    public init() {}
}

/// How a publisher would be paid: `podcast:value`. Nothing here acts on it; it is kept for those who do.
public struct PaymentTerms: Equatable, Sendable {
    /// The means, as `lightning`.
    public var type: String?
    /// How it is used, as `keysend`.
    public var method: String?
    /// The sum that is suggested, as written.
    public var suggested: String?
    /// The recipients as XML with local names, uninterpreted.
    public var recipients: String?
    /// Terms of which nothing is known.
    public init() {}
}
