public import LibraryModel

/// One thing that a source of state has, in the source's order: feeds may come after their episodes.
public enum CarriedRecord: Equatable, Sendable {
    /// A subscription.
    case feed(CarriedFeed)
    /// An episode of the feed with that URL; of none for one that was played without a feed.
    case episode(CarriedEpisode, feed: String?)
    /// A rule.
    case rule(CarriedDecisions.Rule)
    /// How much of a feed stays in the views.
    case retention(CarriedDecisions.Retention)
    /// A smart playlist.
    case playlist(CarriedDecisions.Playlist)
}

/// Why a source of state gave none, or not all of it.
public enum MovingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is something else; the reason completes "this is …".
    case notRecognized(reason: String)
    /// A newer program wrote it: its version and the newest that is known here.
    case tooNew(found: Int64, known: Int64)
    /// It broke off or is damaged; the place or the library's own words.
    case damaged(String)
    /// Whoever takes the records cannot take more; it has kept the reason.
    case stopped

    /// One clear line.
    public var description: String {
        switch self {
        case .notRecognized(let reason): "nothing that can be imported: this is \(reason)"
        case .tooNew(let found, let known):
            "was written by a newer podcastd (version \(found) of the form; this one knows \(known))"
        case .damaged(let words): "is damaged: \(words)"
        case .stopped: "was not read to its end"
        }
    }
}
