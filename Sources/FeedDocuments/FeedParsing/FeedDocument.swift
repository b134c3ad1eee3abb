public import PodcastModel

/// The result of parsing a feed document.
public struct FeedDocument: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        /// Nothing had to be repaired.
        case feed
        /// The document was not well-formed or incomplete, and was read as far as possible; see `diagnostics`.
        case malformedRecoverable
    }

    public var contents: FeedContents
    public var outcome: Outcome
    /// Repairs and omissions in document order, at most `FeedLimits.diagnostics`.
    public var diagnostics: [Diagnostic]
    /// Number of diagnostics, including discarded ones.
    public var diagnosticCount: Int
    /// True if the document is incomplete, as after a lost connection: episodes may be missing.
    public var isTruncated: Bool
    /// Name of the format for messages: `RSS 2.0`, `Atom 1.0`.
    public var format: String

    /// Number of items, including those passed to a handler.
    public var itemCount: Int
    /// True if an item has an enclosure that may be audio or video: a podcast, not a plain blog.
    public var isPodcast: Bool
}

extension Enclosure {
    /// False only for types that cannot be audio or video, because types in feeds are often missing or wrong.
    public var mayBeMedia: Bool {
        guard let type = type?.lowercased(), !type.isEmpty else { return true }
        return ![
            "image/", "text/", "application/pdf", "application/zip", "application/epub", "application/x-bittorrent",
        ]
        .contains { type.hasPrefix($0) }
    }
}

/// Limits for parsing a feed.
public struct FeedLimits: Equatable, Sendable {
    /// Bytes of the document as fetched.
    public var documentBytes: Int
    /// Further items are reported in one diagnostic.
    public var items: Int
    /// Bytes of one text; longer texts are cut with a diagnostic.
    public var textBytes: Int
    /// Members of any one list: enclosures, chapters, transcripts, persons, categories.
    public var listMembers: Int
    /// Further diagnostics are only counted.
    public var diagnostics: Int

    /// The defaults are far above any real feed.
    public init(
        documentBytes: Int = 128 << 20, items: Int = 100_000, textBytes: Int = 16 << 20, listMembers: Int = 2000,
        diagnostics: Int = 100
    ) {
        self.documentBytes = documentBytes
        self.items = items
        self.textBytes = textBytes
        self.listMembers = listMembers
        self.diagnostics = diagnostics
    }
}

/// Why a document could not be parsed as a feed.
public enum FeedParsingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `reason` follows "the document is": `a web page`, `empty`, `an OPML list`.
    case notAFeed(reason: String)
    /// The document has more bytes than `FeedLimits.documentBytes`.
    case tooLarge(limit: Int)
    /// The parser could not start, because memory is exhausted.
    case unavailable(message: String)

    public var description: String {
        switch self {
        case .notAFeed(let reason): "not a feed: the document is \(reason)"
        case .tooLarge(let limit): "the feed is larger than \(limit >> 20) MiB"
        case .unavailable(let message): message
        }
    }
}
