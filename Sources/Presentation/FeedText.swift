public import ControlProtocol
public import PodcastModel

/// What became of subscriptions and refreshes, as text.
public enum FeedText {
    /// `subscribed to Harbour Talk (120 episodes)`, and what else there is to say; empty if it failed.
    public static func subscribed(_ row: SubscriptionReply) -> [String] {
        if let imported = row.imported { return [row.note ?? "\(row.url ?? ""): \(counted(imported, "feed")) added"] }
        guard let feed = row.feed?.feed else { return [] }
        let what = row.isNew == false ? "already subscribed to" : "subscribed to"
        let again = row.isReturned == true ? " again" : ""
        let kept = "  it was kept: positions, stars, notes, settings and queue entries are back"
        return ["\(what) \(feed.title)\(again) (\(counted(feed.episodeCount, "episode")))"]
            + (row.isReturned == true ? [kept] : []) + (row.note.map { ["  \($0)"] } ?? [])
    }

    /// `3 feeds refreshed, 2 new episodes`; nil if no feed was due.
    public static func refreshed(_ reply: RefreshReply) -> String? {
        if reply.refreshed + reply.failed == 0 { return nil }
        let news = counted(reply.newEpisodes, "new episode")
        if reply.failed > 0 { return "\(reply.refreshed) refreshed, \(reply.failed) failed; \(news)" }
        return "\(counted(reply.refreshed, "feed")) refreshed, \(news)"
    }

    /// `saved long: longer:1h; 12 episodes now`, or `replaced long: …`.
    public static func saved(_ playlist: PlaylistReply) -> String {
        "\(playlist.isReplacing == true ? "replaced" : "saved") \(playlist.name): \(playlist.filter ?? ""); \(count(playlist.count, "episode")) now"
    }

    /// `1 episode`, `more than 127 episodes`.
    public static func count(_ count: RowCount, _ noun: String) -> String {
        count.isExact ? counted(count.count, noun) : "more than \(counted(count.count - 1, noun))"
    }
}
