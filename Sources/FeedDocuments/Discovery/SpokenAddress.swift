internal import PodcastModel

/// Completes a URL that a user has pasted.
public enum SpokenAddress {
    /// Schemes that mark a feed and precede or replace the real scheme.
    private static let aliases = ["feed:", "podcast:", "pcast:", "itpc:", "itms-podcast:", "itms-podcasts:"]

    /// The http or https URL, without surrounding spaces; https if no scheme is given.
    public static func url(of text: String) -> String {
        let rest = withoutAlias(text)
        return rest.isEmpty || hasScheme(text) ? rest : "https://" + rest
    }

    /// Whether a text has the scheme of a URL. Aliases such as `feed:` are not schemes.
    public static func hasScheme(_ text: String) -> Bool { withoutAlias(text).contains("://") }

    /// The URL in a list. Its scheme may be missing only after an alias.
    public static func listed(_ text: String) -> String { withoutAlias(text) == text ? text : url(of: text) }

    private static func withoutAlias(_ text: String) -> String {
        let rest = String(Substring(text.utf8.trimmed))
        let lowered = rest.lowercased()
        guard let alias = aliases.first(where: { lowered.hasPrefix($0) }) else { return rest }
        return String(rest.dropFirst(alias.count).drop { $0 == "/" })
    }
}
