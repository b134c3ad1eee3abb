// Elements that the Podcasting 2.0 namespace (podcastindex.org/namespace/1.0) adds to feeds and items.

/// A part of an episode that the publisher recommends: `podcast:soundbite`.
public struct Soundbite: Equatable, Sendable {
    public var start: MediaTime
    public var duration: MediaTime
    /// Nil for the episode's title.
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

/// A live stream, pending, live or ended: `podcast:liveItem`. Live streams are not episodes.
public struct LiveItem: Equatable, Sendable {
    /// `pending`, `live` or `ended`, in lower case.
    public var status: String?
    public var start: Timestamp?
    public var end: Timestamp?
    /// Elements that items have too: title, notes, enclosure, persons.
    public var item = Item()
    public init() {}
}
