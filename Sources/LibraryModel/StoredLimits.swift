/// What the library stores of one episode and of one feed. The limits are far beyond what publishers of podcasts need, and
/// keep one feed from filling the disk or the answer to a list.
public enum StoredLimits {
    /// Bytes of a URL. Servers refuse longer ones (8 KiB is the usual limit of a request's line), and a page of a list has
    /// room for many of these.
    public static let urlBytes = 8 << 10
    /// Bytes of one line that is not a URL: a type, a language, a role.
    public static let lineBytes = 1_000
    /// Bytes of an ETag or Last-Modified. They are sent back in a request, whose head servers limit to 8 KiB or more.
    public static let validatorBytes = 8 << 10
    /// Bytes of the summary, and of the content, of an episode or feed. An hour read aloud is 60 KB.
    public static let notesBytes = 512 << 10
    /// Media files of an episode: forms times bit rates.
    public static let enclosures = 50
    /// Chapters that an item lists itself.
    public static let chapters = 1_000
    /// Transcripts of an episode: languages times forms.
    public static let transcripts = 50
    /// Persons of an episode or feed.
    public static let persons = 100
    /// Episodes of a feed: a bulletin each hour for five years; the largest archives have 20,000.
    public static let episodes = 50_000
    /// Bytes of all episodes of a feed: four times the largest document, or 20,000 episodes with 13 KB of notes each.
    public static let feedBytes: Int64 = 256 << 20

    /// Whether a URL is stored: not one that is too long, and not a `data:` URL (RFC 2397), which has a whole file in it.
    public static func isStorable(url: String) -> Bool {
        url.utf8.count <= urlBytes
            && !(url.utf8.count >= 5 && url.utf8.prefix(5).elementsEqual("data:".utf8) { $0 | 0x20 == $1 })
    }
}

/// What a document says and the library does not store, by the reason.
public struct LeftOut: Equatable, Sendable {
    /// URLs that are too long or have a file in them.
    public var urls = 0
    /// Media files, chapters, transcripts, persons and the like beyond the number that an episode may have.
    public var listMembers = 0
    /// Bytes of notes and other texts beyond their limits.
    public var textBytes = 0
    /// Items that became no episode, because the feed has its share of the library.
    public var items = 0
    /// Episodes that the feed had dropped and that the listener never touched: they made room for new ones.
    public var removedEpisodes = 0

    public init() {}

    /// Adds what another document, or page, left out.
    public static func += (sum: inout LeftOut, other: LeftOut) {
        sum.urls += other.urls
        sum.listMembers += other.listMembers
        sum.textBytes += other.textBytes
        sum.items += other.items
        sum.removedEpisodes += other.removedEpisodes
    }

    /// A line for each reason; empty if everything is stored.
    public var lines: [String] {
        var lines: [String] = []
        func add(_ count: Int, _ text: String) { if count > 0 { lines.append("\(count) \(text)") } }
        add(urls, "URLs that are longer than \(StoredLimits.urlBytes / 1024) KiB or contain a file (data:)")
        add(listMembers, "media files, chapters, transcripts or persons beyond the limit of an episode")
        add(textBytes, "bytes of text beyond the limit of an episode")
        let share = "its share is \(StoredLimits.episodes) episodes and \(StoredLimits.feedBytes >> 20) MiB"
        add(items, "items, because the feed has used its share of the library: \(share)")
        add(
            removedEpisodes, "unused episodes that the feed no longer lists, removed to make room: \(share)"
        )
        return lines
    }
}
