public import PodcastModel

/// What to do about a move: one sighting is not enough, because hotel networks and broken hosts redirect too.
enum MoveDecision: Equatable {
    /// The feed has not moved.
    case none
    /// The move is stored, and waits for a second sighting.
    case wait(FeedMove)
    /// The move is confirmed: the feed was read there both times.
    case follow(FeedMove)
    /// The feed has announced the move twice; check whether there is a feed.
    case verify(FeedMove)

    /// The decision on what a successful refresh saw.
    ///
    /// - Parameters:
    ///   - url: where the feed is fetched from.
    ///   - redirect: where permanent redirects led.
    ///   - announced: what the document says; for one that has not changed, what it said before.
    ///   - before: the move that waits.
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
            // Unreachable addresses are checked less and less often.
            case .announcement:
                move.sightings >= 2 && move.sightings.nonzeroBitCount == 1 ? .verify(move) : .wait(move)
            }
    }

    /// The move that a document at an address announces; nil if it is not credible.
    static func announcement(_ announced: String?, from url: String) -> FeedMove? {
        announced.flatMap { isCredible($0, from: url) ? FeedMove(url: $0, reason: .announcement) : nil }
    }

    /// A move to an unsafe connection could be forged on the way; one to the same place is none.
    private static func isCredible(_ announced: String, from url: String) -> Bool {
        guard announced != url else { return false }
        if WebAddress.hasScheme("https", announced) { return true }
        return WebAddress.hasScheme("http", announced) && !WebAddress.hasScheme("https", url)
    }
}

extension Feed {
    /// Whether a document's title is this feed's, apart from case and spaces at the ends.
    public func hasTitle(_ other: String?) -> Bool {
        guard let other = other.flatMap({ SafeText.title($0) }) else { return false }
        return title.lowercased() == other.lowercased()
    }
}

extension FeedMove {
    /// The move that the document of a new subscription announces; nil if it is not credible.
    public init?(announced: String?, from url: String) {
        guard let move = MoveDecision.announcement(announced, from: url) else { return nil }
        self = move
    }
}
