// Elements that the Podcasting 2.0 namespace (podcastindex.org/namespace/1.0) adds to feeds and items.

/// A part of an episode that the publisher recommends: `podcast:soundbite`.
public struct Soundbite: Equatable, Sendable {
    public var start: MediaTime
    public var duration: MediaTime
    /// Title; the episode's title if nil.
    public var title: String?
    public init(start: MediaTime, duration: MediaTime, title: String? = nil) {
        self.start = start
        self.duration = duration
        self.title = title
    }
}

/// A place that a feed or an episode is about, or where it was made: `podcast:location`.
public struct Location: Equatable, Sendable {
    public var name: String
    /// An RFC 5870 `geo:` URI as written.
    public var geo: String?
    /// OpenStreetMap object: its kind (`N`, `W`, `R`) and number, as written.
    public var openStreetMap: String?
    /// ISO 3166-1 code of two letters, as written.
    public var country: String?
    /// `subject` or `creator`, in lower case.
    public var rel: String?
    public init(name: String) { self.name = name }
}

/// Another version of an episode's media: `podcast:alternateEnclosure`.
public struct AlternateEnclosure: Equatable, Sendable {
    /// Where it is available, best first; not only over http.
    public var sources: [Source] = []
    /// Announced MIME type.
    public var type: String?
    /// Announced length in bytes.
    public var length: Int64?
    /// Announced bit rate in bits per second.
    public var bitRate: Int?
    /// Height of the video in lines.
    public var height: Int?
    /// RFC 5646 tag.
    public var language: String?
    /// The publisher's name for this version.
    public var title: String?
    /// Whether it is the same as the item's enclosure.
    public var isDefault = false
    /// Digest or signature of the file.
    public var integrity: Integrity?
    /// Creates a version without values.
    public init() {}

    /// A source of the file.
    public struct Source: Equatable, Sendable {
        /// Absolute URI of any scheme.
        public var uri: String
        /// MIME type of the source if it differs, as for a torrent.
        public var type: String?
        public init(uri: String, type: String? = nil) {
            self.uri = uri
            self.type = type
        }
    }

    /// A digest or signature of the file: `podcast:integrity`.
    public struct Integrity: Equatable, Sendable {
        /// `sri` (W3C Subresource Integrity) or `pgp-signature`, in lower case.
        public var type: String
        /// The digest or signature as written.
        public var value: String
        /// Creates a digest or signature.
        public init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }
}

/// A live stream, pending, live or ended: `podcast:liveItem`. It is not an episode.
public struct LiveItem: Equatable, Sendable {
    /// `pending`, `live` or `ended`, in lower case.
    public var status: String?
    public var start: Timestamp?
    public var end: Timestamp?
    /// Its elements that items have too: title, notes, enclosure, persons.
    public var item = Item()
    /// Creates a stream without values.
    public init() {}
}

/// How the publisher can be paid: `podcast:value`. podcastd only stores it, for other programs.
public struct PaymentTerms: Equatable, Sendable {
    /// The payment system, such as `lightning`.
    public var type: String?
    /// The payment method, such as `keysend`.
    public var method: String?
    /// The suggested amount, as written.
    public var suggested: String?
    /// The recipients, as uninterpreted XML with local names.
    public var recipients: String?
    /// Creates terms without values.
    public init() {}
}
