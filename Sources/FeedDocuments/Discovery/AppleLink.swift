public import JSON
internal import PodcastModel

/// A link to a show in Apple Podcasts. The link does not contain the feed's URL; Apple's lookup service returns it.
public struct AppleLink: Equatable, Sendable {
    let show: String

    /// Parses links such as `https://podcasts.apple.com/…/id1234`, also for iTunes; nil for other URLs.
    public init?(_ url: String) {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        let hosts = ["podcasts.apple.com", "itunes.apple.com", "geo.itunes.apple.com"]
        guard parts.count == 3, ["https:", "http:"].contains(parts[0].lowercased()),
            hosts.contains(parts[1].lowercased())
        else { return nil }
        let path = parts[2].prefix { $0 != "?" && $0 != "#" }
        let number = path.split(separator: "/").last { $0.hasPrefix("id") && Self.isNumber($0.dropFirst(2)) }
        guard let number else { return nil }
        show = String(number.dropFirst(2))
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
    }

    /// Path and query of the lookup request, relative to the directory's base URL.
    public func lookup(at base: String) -> String { "\(base)/lookup?id=\(show)&entity=podcast" }

    /// The feed's address in the lookup service's reply; nil if there is none.
    public static func feed(in answer: JSONValue) -> String? {
        answer["results"]?.arrayValue?.lazy.compactMap { $0["feedUrl"]?.stringValue }.first { !$0.isEmpty }
    }
}
