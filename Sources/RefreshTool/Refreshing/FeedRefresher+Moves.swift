internal import FeedDocuments
internal import HTTP
internal import Library
internal import PodcastModel

// One sighting of a move is not enough, because hotel networks and misconfigured hosts redirect too.

extension FeedRefresher {
    /// Records what a successful refresh saw of a move of the feed, and follows a redirect that was seen twice: the feed was read at
    /// the new URL both times.
    /// - Parameter announced: the document's announcement; for an unchanged document, its earlier announcement.
    func followMove(
        _ announced: String?, of target: RefreshTarget, in record: inout FetchRecord
    ) throws(LibraryError) -> FeedReport.MoveNews? {
        guard var move = FeedMove(redirect: record.movedTo, announced: announced, from: target.url) else { return nil }
        if let before = target.move, before.url == move.url, before.reason == move.reason {
            move = before
            move.sightings += 1
        }
        // Unreachable URLs of announcements are checked less and less often.
        let isConfirmed = move.sightings >= 2 && (move.reason == .redirect || move.sightings.nonzeroBitCount == 1)
        if isConfirmed { move.obstacle = try obstacle(to: move, of: target) }
        record.move = move
        guard isConfirmed, move.obstacle == nil else { return .pending(move) }
        record.followsMove = move.reason == .redirect
        return record.followsMove ? .followed(move) : .unverified(move)
    }

    private func obstacle(to move: FeedMove, of target: RefreshTarget) throws(LibraryError) -> String? {
        guard let feed = try store.subscriber(of: move.url) else { return nil }
        if feed.id != target.id { return "\(feed.title) (\(feed.id.label)) already has this URL" }
        // A redirect back is followed, an announcement is not: two documents that announce each other would loop.
        return move.reason == .announcement ? "the feed has moved away from this URL before" : nil
    }

    /// Follows the moves that documents have announced twice, if the new URLs serve feeds.
    func verifyMoves(
        of reports: [(report: FeedReport, move: FeedMove)], tick: () -> Void, _ done: (FeedReport) -> Void
    ) throws(LibraryError) {
        if reports.isEmpty { return }
        let requests = reports.map { request(for: $0.move.url, namedBy: $0.report.target) }
        try fetchAll(requests, tick: tick) { (index, result) throws(LibraryError) in
            var (report, move) = reports[index]
            move.obstacle = result.failure?.description
            let isFollowed = move.obstacle == nil
            try store.recordMove(move, of: report.target.id, isFollowed: isFollowed)
            report.move = isFollowed ? .followed(move) : .pending(move)
            done(report)
        }
    }

    /// Merges a new subscription into an existing one of the same feed, as from an old list of subscriptions: its URL
    /// redirects there permanently, or its document announces a move there and has the same title. A network of shows
    /// may announce one URL in all its documents, so the announcement alone does not suffice.
    /// - Returns: nil if the subscription must be stored.
    func absorb(_ target: RefreshTarget, _ result: FeedFetchResult) throws(LibraryError) -> FeedReport? {
        guard target.lastFull == nil, case .document(let document) = result.outcome else { return nil }
        let channel = document.contents.channel
        let redirect = result.permanentURL(from: target.url)
        guard let move = FeedMove(redirect: redirect, announced: channel.newFeedURL, from: target.url),
            let other = try store.subscriber(of: move.url), other.id != target.id,
            move.reason == .redirect || other.hasTitle(channel.title),
            try store.subscriber(of: target.url)?.episodeCount == 0
        else { return nil }
        try store.absorb(target.id, into: other.id, at: clock.wallTime)
        return FeedReport(
            target: target, outcome: .unchanged, httpStatus: result.answer?.status, move: .joined(other, move))
    }
}

extension Feed {
    /// Ignores case and spaces at either end.
    func hasTitle(_ other: String?) -> Bool {
        guard let other = other.flatMap({ SafeText.title($0) }) else { return false }
        return title.lowercased() == other.lowercased()
    }
}

extension FeedMove {
    /// The move to the end of permanent redirects, else the one that a document announces; nil if the announcement is not credible:
    /// a move to an unencrypted connection could be forged in the network, and a move to the same URL is not a move.
    init?(redirect: String? = nil, announced: String?, from url: String) {
        if let redirect {
            self.init(url: redirect, reason: .redirect)
            return
        }
        guard let announced, announced != url, WebAddress.isWeb(announced),
            WebAddress.hasScheme("https", announced) || !WebAddress.hasScheme("https", url)
        else { return nil }
        self.init(url: announced, reason: .announcement)
    }
}
