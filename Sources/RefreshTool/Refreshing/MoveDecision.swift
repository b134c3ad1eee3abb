internal import PodcastModel

/// What to do about a move. One sighting is not enough, because hotel networks and misconfigured hosts redirect too.
enum MoveDecision: Equatable {
    case none
    /// The move is stored, and waits for a second sighting.
    case wait(FeedMove)
    /// The move is confirmed: the feed was read at the new URL both times.
    case follow(FeedMove)
    /// The feed has announced the move twice; check that the new URL serves a feed.
    case verify(FeedMove)

    /// Decides after a successful refresh.
    /// - Parameters:
    ///   - redirect: target of permanent redirects.
    ///   - announced: the document's announcement; for an unchanged document, its earlier announcement.
    ///   - before: the pending move.
    init(url: String, redirect: String?, announced: String?, before: FeedMove?) {
        let seen: FeedMove? =
            if let redirect {
                FeedMove(url: redirect, reason: .redirect)
            } else {
                Self.announcement(announced, from: url)
            }
        guard var move = seen else {
            self = .none
            return
        }
        if let before, before.url == move.url, before.reason == move.reason {
            move = before
            move.sightings += 1
        }
        self =
            switch move.reason {
            case .redirect: move.sightings >= 2 ? .follow(move) : .wait(move)
            // Unreachable URLs are checked less and less often.
            case .announcement:
                move.sightings >= 2 && move.sightings.nonzeroBitCount == 1 ? .verify(move) : .wait(move)
            }
    }

    /// The move that a document announces; nil if it is not credible.
    static func announcement(_ announced: String?, from url: String) -> FeedMove? {
        announced.flatMap { isCredible($0, from: url) ? FeedMove(url: $0, reason: .announcement) : nil }
    }

    /// A move to an unencrypted connection could be forged in the network; a move to the same URL is not a move.
    private static func isCredible(_ announced: String, from url: String) -> Bool {
        guard announced != url else { return false }
        if WebAddress.hasScheme("https", announced) { return true }
        return WebAddress.hasScheme("http", announced) && !WebAddress.hasScheme("https", url)
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
    /// The move that the document of a new subscription announces; nil if it is not credible.
    init?(announced: String?, from url: String) {
        guard let move = MoveDecision.announcement(announced, from: url) else { return nil }
        self = move
    }
}
