internal import Library
internal import PodcastModel
internal import SQLite

extension ForeignDatabase {
    /// newsboat's cache: tables `rss_feed` and `rss_item`. Feeds with an audio or video item are
    /// imported. Read items count as played; items with flags are starred.
    func newsboatQueries() throws(SQLiteError) -> Queries {
        let isMedia = """
            i.enclosure_url LIKE 'http%' AND (coalesce(i.enclosure_type, '') = ''
              OR i.enclosure_type LIKE 'audio/%' OR i.enclosure_type LIKE 'video/%')
            """
        let feeds = """
            SELECT f.rssurl AS url, f.title, NULL AS own_title, NULL AS tags, NULL AS speed, NULL AS skip_start, NULL AS skip_end
            FROM rss_feed f
            WHERE f.rssurl LIKE 'http%' AND EXISTS (SELECT 1 FROM rss_item i WHERE i.feedurl = f.rssurl AND \(isMedia))
            ORDER BY f.rssurl
            """
        let isDeleted = try column("deleted", of: "rss_item", prefix: "i.")
        // Items of podboat's queue may be unread.
        let hasState = queue == nil ? "AND (i.unread = 0 OR i.enqueued <> 0 OR coalesce(i.flags, '') <> '')" : ""
        // Without podboat's file only the order of items is known.
        let episodes = """
            SELECT i.feedurl AS feed, i.guid, i.enclosure_url AS url, i.title, i.pubDate * 1000 AS published, NULL AS duration,
              i.unread = 0 AS played, NULL AS position, NULL AS last_played, coalesce(i.flags, '') <> '' AS starred,
              iif(i.enqueued <> 0, i.id, NULL) AS queue_index
            FROM rss_item i JOIN rss_feed f ON f.rssurl = i.feedurl
            WHERE \(isMedia) AND coalesce(\(isDeleted), 0) = 0 \(hasState)
            ORDER BY i.feedurl, i.id
            """
        return (feeds, episodes)
    }
}

/// newsboat's list of feeds: on each line a URL, then tags, in quotes if they contain spaces; a tag `~NAME` is the
/// user's title for the feed, `!` hides it. Lines that begin with `#` are comments.
enum NewsboatList {
    /// The subscriptions of a list, without lines that are not web addresses (queries, filters, programs).
    static func feeds(in text: String) -> [PortableFeed] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = words(of: line)
            guard let url = words.first, WebAddress.isWeb(url) else { return nil }
            var feed = PortableFeed(url: url)
            for word in words.dropFirst() where !word.hasPrefix("!") {
                if word.hasPrefix("~") {
                    feed.settings["title"] = String(word.dropFirst())
                } else {
                    feed.tags.append(word)
                }
            }
            return feed
        }
    }

    /// Words of a line; spaces within double quotes and after backslashes belong to the word.
    static func words(of line: Substring) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\" && isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == "#" && word == nil && !isQuoted {
                break
            } else if character.isWhitespace && !isQuoted {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let whole = word { words.append(whole) }
        return words
    }
}

/// podboat's queue: on each line the URL of an enclosure, the file's name in quotes, and `downloaded`, `played` or
/// `finished` if that applies.
struct PodboatQueue: Equatable {
    /// Places in the queue by URL, from 0.
    private(set) var places: [String: Int] = [:]
    private(set) var heard: Set<String> = []

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = NewsboatList.words(of: line)
            guard let url = words.first, WebAddress.isWeb(url) else { continue }
            if words.count > 2, ["played", "finished"].contains(words[2]) {
                heard.insert(url)
            } else if places[url] == nil {
                places[url] = places.count
            }
        }
    }

    /// Adds the place and state from the queue to an episode.
    func complete(_ episode: inout PortableEpisode) {
        if heard.contains(episode.identity.url) { episode.isPlayed = true }
        episode.queueIndex = places[episode.identity.url]
    }
}
