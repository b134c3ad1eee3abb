public import PodcastModel

/// A document that was read as a feed.
public struct FeedDocument: Equatable, Sendable {
    /// How well it could be read.
    public enum Outcome: Equatable, Sendable {
        /// Nothing had to be repaired.
        case feed
        /// It was not well-formed, or broke off, and was read all the same: `diagnostics` say what was done.
        case malformedRecoverable
    }

    /// What it says.
    public var contents: FeedContents
    /// How well it could be read.
    public var outcome: Outcome
    /// What was repaired or passed over, in document order; the first `FeedLimits.diagnostics` of them.
    public var diagnostics: [Diagnostic]
    /// How many there were in all.
    public var diagnosticCount: Int
    /// It broke off before its end, as after a lost connection: an episode missing from it is no sign of anything.
    public var isTruncated: Bool
    /// The format's name for a person: `RSS 2.0`, `Atom 1.0`.
    public var format: String

    /// How many items were read, also those that a handler took.
    public var itemCount: Int
    /// An item announces an enclosure that may be audio or video: a podcast rather than a plain blog.
    public var isPodcast: Bool
}

extension Enclosure {
    /// Audio, video, or nothing known to be something else: types in feeds are hints, often missing or wrong.
    public var mayBeMedia: Bool {
        guard let type = type?.lowercased(), !type.isEmpty else { return true }
        return ![
            "image/", "text/", "application/pdf", "application/zip", "application/epub", "application/x-bittorrent",
        ]
        .contains { type.hasPrefix($0) }
    }
}

/// How much of a feed is taken.
public struct FeedLimits: Equatable, Sendable {
    /// Bytes of the document as fetched.
    public var documentBytes: Int
    /// Items; those that follow are counted as one diagnostic.
    public var items: Int
    /// Bytes of one text; what follows is cut off with a diagnostic.
    public var textBytes: Int
    /// Enclosures, chapters, transcripts, persons, categories: members of any one list.
    public var listMembers: Int
    /// Diagnostics kept; more are counted.
    public var diagnostics: Int

    /// Caps that no honest feed comes near.
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

/// Why a document gave no feed.
public enum FeedParsingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is something else; the reason completes "this is …": `a web page (HTML)`, `empty`, `an OPML list`.
    case notAFeed(reason: String)
    /// It has more bytes than `FeedLimits.documentBytes`.
    case tooLarge(limit: Int)
    /// The parser could not start, for want of memory.
    case unavailable(message: String)

    /// One clear line.
    public var description: String {
        switch self {
        case .notAFeed(let reason): "not a feed: this is \(reason)"
        case .tooLarge(let limit): "the feed is larger than \(limit >> 20) MiB"
        case .unavailable(let message): message
        }
    }
}
