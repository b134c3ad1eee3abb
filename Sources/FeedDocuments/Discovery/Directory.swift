internal import Digest
public import JSON
public import PodcastModel

/// A podcast directory with a search service.
public enum Directory: String, CaseIterable, Sendable {
    /// Apple Podcasts, with the iTunes Search API.
    case apple
    /// fyyd.de, API version 0.2.
    case fyyd
    /// podcastindex.org, API version 1.0; requires a key.
    case podcastIndex = "podcast_index"
    case gpodder

    public var title: String {
        switch self {
        case .apple: "Apple Podcasts"
        case .fyyd: "fyyd"
        case .podcastIndex: "Podcast Index"
        case .gpodder: "gpodder.net"
        }
    }

    /// Path and query of a search request, relative to the directory's base URL.
    public func search(for words: String, at base: String, limit: Int) -> String {
        let term = WebAddress.percentEncoded(words)
        return switch self {
        case .apple: "\(base)/search?media=podcast&entity=podcast&limit=\(limit)&term=\(term)"
        case .fyyd: "\(base)/0.2/search/podcast?count=\(limit)&term=\(term)"
        case .podcastIndex: "\(base)/api/1.0/search/byterm?max=\(limit)&q=\(term)"
        case .gpodder: "\(base)/search.json?q=\(term)"
        }
    }

    /// The shows in a reply, best match first; nil if the reply has an unknown format.
    public func shows(in answer: JSONValue) -> [FoundShow]? {
        switch self {
        case .apple:
            answer["results"]?.arrayValue?.compactMap {
                FoundShow(
                    $0, url: "feedUrl", title: "collectionName", author: "artistName", link: "collectionViewUrl", self)
            }
        case .fyyd:
            answer["data"]?.arrayValue?.compactMap {
                FoundShow($0, url: "xmlURL", title: "title", author: "author", link: "htmlURL", self)
            }
        case .podcastIndex:
            answer["feeds"]?.arrayValue?.compactMap { feed in
                // The index marks feeds as dead that it could not fetch for a long time.
                feed["dead"]?.integerValue == 1
                    ? nil : FoundShow(feed, url: "url", title: "title", author: "author", link: "link", self)
            }
        case .gpodder:
            answer.arrayValue?.compactMap {
                FoundShow($0, url: "url", title: "title", author: "author", link: "website", self)
            }
        }
    }
}

/// Credentials for the Podcast Index; see podcastindex-org.github.io/docs-api.
public struct PodcastIndexKey: Equatable, Sendable {
    private let key: String
    private let secret: String

    /// Parses the content of a file: key and secret, separated by white space.
    public init?(file text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2 else { return nil }
        key = String(words[0])
        secret = String(words[1])
    }

    /// The header fields of a request. `seconds` is the time since 1970; the fields are valid for five minutes.
    public func fields(at seconds: Int64) -> [String: String] {
        [
            "X-Auth-Key": key, "X-Auth-Date": "\(seconds)",
            "Authorization": HashFunction.sha1.hexadecimal(of: Array("\(key)\(secret)\(seconds)".utf8)) ?? "",
        ]
    }
}
