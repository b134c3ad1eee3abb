/// An address as people paste it.
public enum SpokenAddress {
    /// Schemes that say "this is a feed" and stand before or in place of the real one.
    private static let aliases = ["feed:", "podcast:", "pcast:", "itpc:", "itms-podcast:", "itms-podcasts:"]

    /// The address of the web that is meant: without blanks around it, with a scheme of the web, https where none is named.
    public static func url(of text: String) -> String {
        let head = text.utf8.drop { $0 <= 0x20 }
        guard let last = head.lastIndex(where: { $0 > 0x20 }) else { return "" }
        var rest = String(Substring(head[...last]))
        let lowered = rest.lowercased()
        if let alias = aliases.first(where: { lowered.hasPrefix($0) }) {
            rest = String(rest.dropFirst(alias.count).drop { $0 == "/" })
        }
        return rest.contains("://") ? rest : "https://" + rest
    }
}
