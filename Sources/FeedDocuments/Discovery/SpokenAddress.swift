internal import PodcastModel

/// Completes a URL that a user has pasted.
public enum SpokenAddress {
    /// Schemes that mark a feed and precede or replace the real scheme.
    private static let aliases = ["feed:", "podcast:", "pcast:", "itpc:", "itms-podcast:", "itms-podcasts:"]

    /// The http or https URL, without surrounding spaces; https if no scheme is given.
    public static func url(of text: String) -> String {
        var rest = String(Substring(text.utf8.trimmed))
        if rest.isEmpty { return "" }
        let lowered = rest.lowercased()
        if let alias = aliases.first(where: { lowered.hasPrefix($0) }) {
            rest = String(rest.dropFirst(alias.count).drop { $0 == "/" })
        }
        return rest.contains("://") ? rest : "https://" + rest
    }
}
