/// Limits of one episode and of one feed, far beyond what publishers need, so that no feed fills the disk or the answer
/// to a list. `Item.declareMembers` declares the numbers of media files, chapters and the like.
public enum StoredLimits {
    /// Maximum bytes of a URL: the usual limit of servers for a request line.
    public static let urlBytes = 8 << 10
    /// Maximum bytes of another single-line value: a type, a language, a role.
    static let lineBytes = 1_000
    /// Maximum bytes of an ETag or Last-Modified; servers limit the head of a request to 8 KiB or more.
    public static let validatorBytes = 8 << 10
    /// Maximum bytes of the summary, and of the content, of an episode or feed. An hour read aloud is 60 KB.
    static let notesBytes = 512 << 10
    /// Episodes of a feed: a bulletin each hour for five years; the largest archives have 20,000.
    static let episodes = 50_000
    /// Maximum bytes of a feed's episodes: four of the largest document, or 20,000 episodes with 13 KB of notes each.
    static let feedBytes: Int64 = 256 << 20

    /// True if a URL may be stored: not too long, and not a `data:` URL (RFC 2397), which contains a whole file.
    public static func isStorable(url: String) -> Bool {
        url.utf8.count <= urlBytes
            && !(url.utf8.count >= 5 && url.utf8.prefix(5).elementsEqual("data:".utf8) { $0 | 0x20 == $1 })
    }
}

/// Contents of a document that are not stored, by reason.
public struct LeftOut: Equatable, Sendable {
    /// URLs that are too long, or `data:` URLs.
    public var urls = 0
    /// Media files, chapters, transcripts, persons and so on beyond the limits of an episode.
    public var listMembers = 0
    /// Bytes of notes and other texts beyond their limits.
    public var textBytes = 0
    /// Items that did not become episodes, because the feed has reached its limit.
    public var items = 0
    /// Episodes removed to make room for new ones: the feed had dropped them, and they had no user data.
    public var removedEpisodes = 0

    public init() {}

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
        add(removedEpisodes, "unused episodes that the feed no longer lists, removed to make room: \(share)")
        return lines
    }
}
