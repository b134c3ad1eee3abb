internal import JSON
public import PodcastModel

extension FoundShow {
    /// An entry of a directory's reply; nil without a feed that can be fetched.
    init?(_ entry: JSONValue, url: String, title: String, author: String, link: String, _ directory: Directory) {
        func text(_ name: String) -> String? {
            entry[name]?.stringValue.flatMap { $0.isEmpty || $0.utf8.count > 4096 ? nil : $0 }
        }
        guard let feed = text(url), feed.hasPrefix("http://") || feed.hasPrefix("https://") else { return nil }
        self.init()
        self.url = feed
        self.title = text(title) ?? feed
        self.author = text(author)
        self.link = text(link)
        directories = [directory.title]
    }
}

/// Combines the replies of several directories: each podcast once, ordered by its rank in the directories.
public struct FoundShows: Equatable, Sendable {
    private struct Candidate: Equatable {
        var show: FoundShow
        var score: Double
        var order: Int
    }

    private var candidates: [String: Candidate] = [:]
    private let words: String

    public init(words: String) { self.words = Self.folded(words) }

    /// Adds one directory's reply, best match first.
    ///
    /// The score of a show is the sum of the reciprocals of its ranks (Cormack, Clarke and Büttcher, 2009), so the
    /// directories' own scores are not needed. A title that equals the search text counts like another first rank.
    public mutating func add(_ shows: [FoundShow]) {
        for (rank, show) in shows.enumerated() {
            let key = Self.key(of: show.url)
            let score = 1 / Double(60 + rank)
            if var known = candidates[key] {
                // Ignore a second entry for the same podcast in one directory.
                guard !known.show.directories.contains(where: show.directories.contains) else { continue }
                known.score += score
                known.show.directories += show.directories
                known.show.author = known.show.author ?? show.author
                known.show.link = known.show.link ?? show.link
                if show.url.hasPrefix("https://") && !known.show.url.hasPrefix("https://") { known.show.url = show.url }
                candidates[key] = known
            } else {
                let bonus = Self.folded(show.title) == words ? 1.0 / 60 : 0
                candidates[key] = Candidate(show: show, score: score + bonus, order: candidates.count)
            }
        }
    }

    public func best(_ limit: Int) -> [FoundShow] {
        candidates.values.sorted { ($0.score, -$0.order) > ($1.score, -$1.order) }.prefix(limit).map(\.show)
    }

    /// Equal for URLs that differ only in TLS, `www.` or a final slash.
    private static func key(of url: String) -> String {
        var rest = url[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        let host = rest.prefix { $0 != "/" }
        var key = host.lowercased() + rest[host.endIndex...]
        if key.hasPrefix("www.") { key.removeFirst(4) }
        while key.hasSuffix("/") { key.removeLast() }
        return key
    }

    private static func folded(_ text: String) -> String {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }
}
