/// Why words name nothing that could be played or queued.
public enum ChoiceFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no saved playlist of this name.
    case noPlaylist(String)
    /// A filter without conditions, which would mean every episode.
    case noConditions(String)
    /// A name means more episodes than one command takes.
    case tooMany(String, maximum: Int)
    /// A view contains no episode.
    case emptyView(String)
    /// A URL with another scheme than http and https.
    case unsupportedURL
    /// A feed that was just added has no unplayed episode.
    case emptyFeed
    /// The feed of this title has no unplayed episode.
    case nothingUnplayed(String)
    /// Words that are not a feed or playlist whose episodes could be played one after another.
    case noContext(String)
    /// An episode of this title whose file cannot be played, and what the file is.
    case unplayable(title: String, String)

    /// What failed, in one line.
    public var description: String {
        switch self {
        case .noPlaylist(let name): "no playlist is called '\(name)'"
        case .noConditions(let name): "'\(name)' has no conditions"
        case .tooMany(let name, let maximum): "\(name) means more than \(maximum) episodes"
        case .emptyView(let name): "\(name) has no episode to play"
        case .unsupportedURL: "only http and https URLs are played"
        case .emptyFeed: "the feed has no episode to play"
        case .nothingUnplayed(let title): "\(title) has no unplayed episode"
        case .noContext(let name): "\(name) has no order of its own"
        case .unplayable(let title, let name): "'\(title)' is not downloaded, because \(name) cannot be played"
        }
    }
}
