/// A name that gives nothing to play or queue.
enum ChoiceFailure: Error, Equatable, CustomStringConvertible {
    case noPlaylist(String)
    /// A filter without conditions, which would match every episode.
    case noConditions(String)
    /// More episodes than one command accepts.
    case tooMany(String, maximum: Int)
    case emptyView(String)
    /// The URL's scheme is neither http nor https.
    case unsupportedURL
    /// A newly added feed without unplayed episodes.
    case emptyFeed
    /// A feed, by title, without unplayed episodes.
    case nothingUnplayed(String)
    /// The name is not a feed or playlist whose episodes could be played in sequence.
    case noContext(String)

    var description: String {
        switch self {
        case .noPlaylist(let name): "no playlist is called '\(name)'"
        case .noConditions(let name): "'\(name)' has no conditions"
        case .tooMany(let name, let maximum): "\(name) means more than \(maximum) episodes"
        case .emptyView(let name): "\(name) has no episode to play"
        case .unsupportedURL: "only http and https URLs are played"
        case .emptyFeed: "the feed has no episode to play"
        case .nothingUnplayed(let title): "\(title) has no unplayed episode"
        case .noContext(let name): "\(name) has no separate order"
        }
    }
}
