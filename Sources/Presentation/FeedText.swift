public import ControlProtocol
public import PodcastModel

/// Results of subscriptions and refreshes, as text.
public enum FeedText {
    /// `subscribed to Harbour Talk (120 episodes)`, and what else there is to say; empty if it failed.
    public static func subscribed(_ row: SubscriptionReply) -> [String] {
        if let imported = row.imported { return [row.note ?? "\(row.url ?? ""): \(counted(imported, "feed")) added"] }
        guard let feed = row.feed?.feed else { return [] }
        let what = row.isNew == false ? "already subscribed to" : "subscribed to"
        let again = row.isReturned == true ? " again" : ""
        let kept = "  it was kept: positions, stars, notes and settings are back"
        return ["\(what) \(feed.title)\(again) (\(counted(feed.episodeCount, "episode")))"]
            + (row.isReturned == true ? [kept] : []) + (row.note.map { ["  \($0)"] } ?? [])
    }

    /// `3 feeds added, 0 already present`, and what else a document brought.
    public static func imported(_ reply: ImportReply) -> [String] {
        if let note = reply.note { return [note] }
        var lines = reply.isTrial == true ? ["nothing was changed; the import would have this result:"] : []
        lines += ["\(counted(reply.added, "feed")) added, \(reply.known) already present"] + reply.joined
        if reply.found + reply.unchanged + reply.waiting > 0 {
            let updated = reply.found == 0 ? "no episode" : counted(reply.found, "episode")
            let waiting = reply.waiting == 0 ? "" : ", \(reply.waiting) wait until their feeds are fetched"
            lines.append("\(updated) updated, \(reply.unchanged) already up to date\(waiting)")
        }
        if reply.positions + reply.queued > 0 {
            lines.append(
                "\(counted(reply.positions, "position")) changed, \(counted(reply.queued, "queue entry", "queue entries")) added"
            )
        }
        if reply.days > 0 { lines.append("listening time of \(counted(reply.days, "day")) added") }
        if reply.rules + reply.retention + reply.playlists + reply.decidedBefore > 0 {
            let added = [
                (reply.rules, counted(reply.rules, "rule")),
                (reply.retention, counted(reply.retention, "retention policy", "retention policies")),
                (reply.playlists, counted(reply.playlists, "playlist")),
            ].filter { $0.0 > 0 }.map(\.1)
            let what = added.isEmpty ? "no rules, retention policies or playlists" : added.joinedText(", ")
            lines.append("\(what) added; \(reply.decidedBefore) already present")
        }
        return lines
    }

    /// `3 feeds refreshed, 2 new episodes`; nil if no feed was due.
    public static func refreshed(_ reply: RefreshReply) -> String? {
        if reply.refreshed + reply.failed == 0 { return nil }
        var news = counted(reply.newEpisodes, "new episode")
        if let found = reply.importedFound {
            news += ", \(counted(found, "imported episode")) found"
            let waiting = reply.importedWaiting ?? 0
            if waiting > 0 { news += "; \(waiting) still missing, see 'podcastctl doctor'" }
        }
        if reply.failed > 0 { return "\(reply.refreshed) refreshed, \(reply.failed) failed; \(news)" }
        return "\(counted(reply.refreshed, "feed")) refreshed, \(news)"
    }

    /// `saved long: longer:1h; 12 episodes now`, or `replaced long: …`.
    public static func saved(_ playlist: PlaylistReply) -> String {
        "\(playlist.isReplacing == true ? "replaced" : "saved") \(playlist.name): \(playlist.filter ?? ""); \(count(playlist.count, "episode")) now"
    }

    /// `1 episode`, `more than 127 episodes`.
    static func count(_ count: RowCount, _ noun: String) -> String {
        count.isExact ? counted(count.count, noun) : "more than \(counted(count.count - 1, noun))"
    }
}

extension Feed {
    /// Why the feed is not up to date, in few words.
    public var problem: String? {
        if health.isStopped { return "stopped: \(health.error ?? "")" }
        if let error = health.error { return error }
        if let problem = pageWalk?.problem { return problem }
        if let move, let obstacle = move.obstacle { return "moved to \(move.url), but \(obstacle)" }
        return conflict?.explanation
    }
}

extension FeedConflict {
    public var explanation: String {
        switch reason {
        case .guid: "claims the podcast:guid of feed \(feed.label)"
        case .description: "seems to be feed \(feed.label) at another address"
        }
    }
}

extension RowCount {
    /// `120`, `120+`.
    public var text: String { "\(count)\(isExact ? "" : "+")" }
}

extension Bookmark {
    /// `12:34`; `12:34-13:00` of a part that is skipped.
    public var place: String { skipTo.map { "\(position)-\($0)" } ?? position.description }
}

extension DownloadReply {
    /// `waiting`, `45 %`, `on disk`.
    public var stateText: String {
        switch state {
        case .waiting: "waiting"
        case .downloading: progress.map { "\(Int(min(max($0, 0), 1) * 100)) %" } ?? "started"
        case .failed: "failed"
        case .downloaded: "on disk"
        case .cached: "in cache"
        }
    }
}
