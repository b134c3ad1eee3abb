/// Writes lists that other players read: OPML 2.0, feeds as `type="rss"` within nested groups.
public enum OPMLWriter {
    /// The document as UTF-8 text with a line for each feed.
    public static func text(of document: OPMLDocument) -> String {
        ""
    }
}
