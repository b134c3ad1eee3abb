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
                FeedMove(announced: announced, from: url)
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
}

extension Feed {
    /// Ignores case and spaces at either end.
    func hasTitle(_ other: String?) -> Bool {
        guard let other = other.flatMap({ SafeText.title($0) }) else { return false }
        return title.lowercased() == other.lowercased()
    }
}

extension FeedMove {
    /// The move that a document announces; nil if it is not credible: a move to an unencrypted connection could be forged in
    /// the network, and a move to the same URL is not a move.
    init?(announced: String?, from url: String) {
        guard let announced, announced != url else { return nil }
        let isEncrypted = WebAddress.hasScheme("https", announced)
        guard isEncrypted || WebAddress.hasScheme("http", announced) && !WebAddress.hasScheme("https", url) else {
            return nil
        }
        self.init(url: announced, reason: .announcement)
    }
}
