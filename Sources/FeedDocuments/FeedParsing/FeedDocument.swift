public import PodcastModel

/// The result of parsing a feed document.
public struct FeedDocument: Equatable, Sendable {
    public var contents: FeedContents
    /// Repairs and omissions in document order, at most `FeedLimits.diagnostics`.
    public var diagnostics: [Diagnostic]
    /// Number of diagnostics, including discarded ones.
    public var diagnosticCount: Int
    /// True if the document is incomplete, as after a lost connection: episodes may be missing.
    public var isTruncated: Bool
    /// Name of the format for messages: `RSS 2.0`, `Atom 1.0`.
    public var format: String

    /// True if an item has an enclosure that may be audio or video: a podcast, not a plain blog.
    public var isPodcast: Bool {
        contents.items.contains { item in item.enclosures.contains { $0.rank != nil } }
    }

    /// True if the document was not well-formed or incomplete, and was read as far as possible; see `diagnostics`.
    public var isMalformed: Bool { diagnosticCount > 0 }
}

/// Limits for parsing a feed, far above any real feed.
public struct FeedLimits: Equatable, Sendable {
    /// Bytes of the document as fetched.
    public var documentBytes = 128 << 20
    /// Further items are reported in one diagnostic.
    public var items = 100_000
    /// Bytes of one text; longer texts are cut with a diagnostic.
    public var textBytes = 16 << 20
    /// Members of any one list: enclosures, chapters, transcripts, persons, categories.
    public var listMembers = 2000
    /// Further diagnostics are only counted.
    public var diagnostics = 100

    public init() {}
}
